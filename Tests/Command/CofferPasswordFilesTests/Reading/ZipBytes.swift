import CofferBasics
import VaultCrypto

/// Writes zip archives of stored entries by APPNOTE.TXT, also such that no reader may accept.
struct ZipBytes {
    var names: [String] = []
    var contents: [[UInt8]] = []
    /// Whether sizes, places and the end of the archive are in 64-bit fields.
    var is64 = false
    var flags: UInt16 = 0
    var method: UInt16 = 0
    /// What the directory says instead of the truth, by the number of the entry.
    var places: [Int] = []
    var byteCounts: [Int: Int] = [:]
    var checksums: [Int: UInt32] = [:]

    /// An archive by Python's `zipfile`: a deflated file, a directory, an empty file.
    static let deflated = bytes(
        base64: """
            UEsDBBQAAAAIAAAAIQDjUT2NCgAAABcAAAAJAAAAYS9vbmUudHh0y0jNyclXyEAnAVBLAwQUAAAACAAAACEAAAAAAAIAAAAA\
            AAAAAgAAAGIvAwBQSwMEFAAAAAgAAAAhAAAAAAACAAAAAAAAAAcAAAB0d28udHh0AwBQSwECFAMUAAAACAAAACEA41E9jQoA\
            AAAXAAAACQAAAAAAAAAAAAAAgAEAAAAAYS9vbmUudHh0UEsBAhQDFAAAAAgAAAAhAAAAAAACAAAAAAAAAAIAAAAAAAAAAAAA\
            AIABMQAAAGIvUEsBAhQDFAAAAAgAAAAhAAAAAAACAAAAAAAAAAcAAAAAAAAAAAAAAIABUwAAAHR3by50eHRQSwUGAAAAAAMA\
            AwCcAAAAegAAAAAA
            """
    )

    mutating func add(_ name: String, _ content: String) { add(name, bytes: Array(content.utf8)) }

    mutating func add(_ name: String, bytes: [UInt8]) {
        names.append(name)
        contents.append(bytes)
    }

    var written: [UInt8] {
        var bytes: [UInt8] = []
        var directory: [UInt8] = []
        for index in names.indices {
            let name = Array(names[index].utf8)
            let place = places.isEmpty ? bytes.count : places[index]
            bytes += number(0x0403_4B50, 4) + number(20, 2) + common(index, is64: false) + number(0, 2)
            bytes += name + contents[index]
            directory += number(0x0201_4B50, 4) + number(45, 2) + number(20, 2) + common(index, is64: is64)
            directory += number(is64 ? 28 : 0, 2) + number(0, 10)
            directory += number(is64 ? 0xFFFF_FFFF : place, 4) + name
            if is64 {
                directory += number(1, 2) + number(24, 2)
                directory += number(byteCount(index), 8) + number(contents[index].count, 8) + number(place, 8)
            }
        }
        let (start, end) = (bytes.count, bytes.count + directory.count)
        bytes += directory
        guard is64 else {
            return bytes + number(0x0605_4B50, 4) + number(0, 4) + number(names.count, 2) + number(names.count, 2)
                + number(directory.count, 4) + number(start, 4) + number(0, 2)
        }
        bytes += number(0x0606_4B50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8)
        bytes += number(names.count, 8) + number(names.count, 8) + number(directory.count, 8) + number(start, 8)
        bytes += number(0x0706_4B50, 4) + number(0, 4) + number(end, 8) + number(1, 4)
        bytes += number(0x0605_4B50, 4) + number(0, 4)
        return bytes + number(0xFFFF, 2) + number(0xFFFF, 2) + number(0xFFFF_FFFF, 4) + number(0xFFFF_FFFF, 4)
            + number(0, 2)
    }

    private func byteCount(_ index: Int) -> Int { byteCounts[index] ?? contents[index].count }

    /// From the flags to the length of the name.
    private func common(_ index: Int, is64: Bool) -> [UInt8] {
        let content = contents[index]
        let checksum = checksums[index] ?? Zlib.checksum(content.span)
        return number(Int(flags), 2) + number(Int(method), 2) + number(0x21_0000, 4) + number(Int(checksum), 4)
            + number(is64 ? 0xFFFF_FFFF : contents[index].count, 4) + number(is64 ? 0xFFFF_FFFF : byteCount(index), 4)
            + number(names[index].utf8.count, 2)
    }

    private func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
