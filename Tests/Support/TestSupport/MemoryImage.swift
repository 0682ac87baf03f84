import Foundation
import VaultFiles

/// The whole memory of a process, including guarded pages: more than its core dump would have.
package struct MemoryImage {
    private let regions: [Data]

    /// Reads the memory of a process.
    package init(of process: Int32) throws {
        // Foundation treats a short read as the end, and the kernel writes this file in pieces.
        var text = [UInt8](repeating: 0, count: 1 << 20)
        var span = text.mutableSpan
        let textByteCount = try SequentialInput.read("/proc/\(process)/maps", into: &span)
        guard textByteCount < text.count else { throw CocoaError(.fileReadTooLarge) }
        let maps = String(decoding: text[..<textByteCount], as: UTF8.self)
        let memory = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/mem"))
        var regions: [Data] = []
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            // A read-only mapping of a file has the file's content.
            let isFile = words.count > 5 && words[5].hasPrefix("/") && !words[1].contains("w")
            guard !isFile, !line.hasSuffix("[vvar]"), !line.hasSuffix("[vsyscall]") else { continue }
            let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
            guard bounds.count == 2 else { throw CocoaError(.fileReadCorruptFile) }
            // Sanitizers reserve terabytes for their own bookkeeping.
            guard bounds[1] - bounds[0] < 1 << 30 else { continue }
            var bytes = Data(count: bounds[1] - bounds[0])
            let byteCount = bytes.withUnsafeMutableBytes { buffer in
                pread(memory.fileDescriptor, buffer.baseAddress, buffer.count, bounds[0])
            }
            // Guard pages are unreadable and empty.
            if byteCount > 0 { regions.append(bytes.prefix(byteCount)) }
        }
        self.regions = regions
    }

    /// The number of bytes.
    package var byteCount: Int { regions.reduce(0) { $0 + $1.count } }

    /// The names of the secrets that are in memory.
    package func found(_ secrets: [String: [UInt8]]) -> Set<String> {
        Set(secrets.filter { _, bytes in count(of: bytes) > 0 }.keys)
    }

    /// The number of places in memory with these bytes.
    package func count(of bytes: [UInt8]) -> Int { regions.reduce(0) { $0 + Self.count(in: $1, of: bytes) } }

    private static func count(in region: Data, of bytes: [UInt8]) -> Int {
        region.withUnsafeBytes { region in
            var (count, rest) = (0, region[...])
            while let start = rest.baseAddress, let first = bytes.first, rest.count >= bytes.count {
                let lastCount = rest.count - bytes.count + 1
                guard let found = memchr(start, Int32(first), lastCount) else { return count }
                if memcmp(found, bytes, bytes.count) == 0 { count += 1 }
                rest = rest.dropFirst(UnsafeRawPointer(found) - start + 1)
            }
            return count
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// The address of the first byte.
    fileprivate var baseAddress: UnsafeRawPointer? { UnsafeRawBufferPointer(rebasing: self).baseAddress }
}
