import Foundation

/// This process as its own debugger sees it, to look at memory that no Swift value owns any more.
package enum ProcessMemory {
    /// The bytes from `address` on, or none where nothing is mapped.
    ///
    /// The kernel copies them, so a wild address is an error and no crash.
    package static func bytes(at address: UInt, count: Int) throws -> [UInt8] {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/mem"))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(address))
        do { return try file.read(upToCount: count).map(Array.init) ?? [] } catch { return [] }
    }

    /// What `/proc/self/smaps` says about the mapping that `address` lies in.
    package struct Mapping {
        package let range: Range<UInt>
        /// As in `r--p`.
        package let permissions: String
        /// As in `rd mr mw me dd`.
        package let flags: [String]
    }

    /// All mappings, in order.
    package static func mappings() throws -> [Mapping] {
        // `String(contentsOfFile:)` takes the first piece that the kernel gives for the whole.
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
