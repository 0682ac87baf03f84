import Foundation

/// This process as its own debugger sees it, to inspect memory that no Swift value owns any more.
package enum ProcessMemory {
    /// Returns the bytes from `address` on, or none if nothing is mapped there.
    ///
    /// The kernel copies them, so an invalid address gives an error instead of a crash.
    package static func bytes(at address: UInt, count: Int) throws -> [UInt8] {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/mem"))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(address))
        do { return try file.read(upToCount: count).map(Array.init) ?? [] } catch { return [] }
    }

    /// The information in `/proc/self/smaps` about the mapping that contains `address`.
    package struct Mapping {
        package let range: Range<UInt>
        /// For example `r--p`.
        package let permissions: String
        /// For example `rd mr mw me dd`.
        package let flags: [String]
    }

    /// Returns all mappings, in order.
    package static func mappings() throws -> [Mapping] {
        // `String(contentsOfFile:)` treats the first chunk from the kernel as the whole file.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
        defer { try? file.close() }
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        var mappings: [Mapping] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            if ends.count == 2 {
                mappings.append(Mapping(range: ends[0]..<ends[1], permissions: String(words[1]), flags: []))
            } else if words[0] == "VmFlags:", let last = mappings.popLast() {
                let flags = words.dropFirst().map(String.init)
                mappings.append(Mapping(range: last.range, permissions: last.permissions, flags: flags))
            }
        }
        return mappings
    }
}
