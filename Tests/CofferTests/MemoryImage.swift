import Foundation
import Testing
import VaultFiles

/// All that a process has in memory, guarded pages too: more than a core dump of it would have.
struct MemoryImage {
    private let regions: [Data]

    init(of process: Int32) throws {
        // Foundation takes a short read for the end, and the kernel writes this file in pieces.
        var text = [UInt8](repeating: 0, count: 1 << 20)
        var span = text.mutableSpan
        let textByteCount = try SequentialInput.read("/proc/\(process)/maps", into: &span)
        try #require(textByteCount < text.count)
        let maps = String(decoding: text[..<textByteCount], as: UTF8.self)
        let memory = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/mem"))
        var regions: [Data] = []
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            // What is mapped from a file, and cannot be written, is the file.
            let isFile = words.count > 5 && words[5].hasPrefix("/") && !words[1].contains("w")
            guard !isFile, !line.hasSuffix("[vvar]"), !line.hasSuffix("[vsyscall]") else { continue }
            let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
            try #require(bounds.count == 2)
            // Sanitizers set terabytes aside for what they know about memory.
            guard bounds[1] - bounds[0] < 1 << 30 else { continue }
            var bytes = Data(count: bounds[1] - bounds[0])
            let byteCount = bytes.withUnsafeMutableBytes { buffer in
                pread(memory.fileDescriptor, buffer.baseAddress, buffer.count, bounds[0])
            }
            // Guard pages cannot be read, and have nothing in them.
            if byteCount > 0 { regions.append(bytes.prefix(byteCount)) }
        }
        self.regions = regions
    }

    /// How many bytes there are.
    var byteCount: Int { regions.reduce(0) { $0 + $1.count } }

    /// The names of the secrets that are there.
    func found(_ secrets: [String: [UInt8]]) -> Set<String> {
        Set(secrets.filter { _, bytes in regions.contains { Self.contains($0, bytes) } }.keys)
    }

    private static func contains(_ region: Data, _ bytes: [UInt8]) -> Bool {
        region.withUnsafeBytes { region in
            var rest = region[...]
            while let start = rest.baseAddress, let first = bytes.first, rest.count >= bytes.count {
                let lastCount = rest.count - bytes.count + 1
                guard let found = memchr(start, Int32(first), lastCount) else { return false }
                if memcmp(found, bytes, bytes.count) == 0 { return true }
                rest = rest.dropFirst(UnsafeRawPointer(found) - start + 1)
            }
            return false
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Where the bytes begin.
    fileprivate var baseAddress: UnsafeRawPointer? { UnsafeRawBufferPointer(rebasing: self).baseAddress }
}
