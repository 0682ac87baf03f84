import CofferBasics
import CofferPasswordFiles
import VaultCrypto

/// Writes a zip archive whose entries are stored without compression.
struct ZipWriter {
    private var entries: [(name: [UInt8], content: HeldSecret)] = []

    /// An archive without entries.
    init() {}

    /// Adds an entry; its name is a relative path.
    mutating func add(_ name: String, _ content: HeldSecret) {
        precondition(name.utf8.count <= UInt16.max, "the name of an entry is too long")
        entries.append((Array(name.utf8), content))
    }

    /// The archive.
    ///
    /// - Returns: The bytes of the whole archive.
    /// - Throws: `PasswordFileError.tooLarge` if they do not fit in the 32-bit fields of zip.
    func written() throws(PasswordFileError) -> HeldSecret {
        let byteCount = entries.reduce(22) { $0 + 30 + 46 + 2 * $1.name.count + $1.content.byteCount }
        guard byteCount <= HeldSecret.byteCountLimit, entries.count < UInt16.max else {
            throw .tooLarge("the zip archive would have more than 1 GiB or 65,534 entries")
        }
        var buffer = SecretBuffer(byteCount: byteCount)
        buffer.withMutableSpan { output in
            var offset = 0
            func put(_ bytes: Span<UInt8>) {
                output.copy(from: bytes, at: offset)
                offset += bytes.count
            }
            var directory: [UInt8] = []
            for entry in entries {
                let place = UInt32(offset)
                let fields = Self.fields(of: entry)
                var header: [UInt8] = Array("PK\u{3}\u{4}".utf8) + fields
                header.append(littleEndian: UInt16(0))
                header += entry.name
                put(header.span)
                entry.content.withSpan { put($0) }
                directory += Array("PK\u{1}\u{2}".utf8)
                directory.append(littleEndian: UInt16(20))
                directory += fields
                // Extra field, comment, disk, attributes.
                directory.append(zeroByteCount: 2 + 2 + 2 + 2 + 4)
                directory.append(littleEndian: place)
                directory += entry.name
            }
            var end: [UInt8] = Array("PK\u{5}\u{6}".utf8)
            end.append(zeroByteCount: 4)
            for _ in 0..<2 { end.append(littleEndian: UInt16(entries.count)) }
            end.append(littleEndian: UInt32(directory.count))
            end.append(littleEndian: UInt32(offset))
            end.append(littleEndian: UInt16(0))
            put(directory.span)
            put(end.span)
        }
        return HeldSecret(buffer: buffer)
    }

    /// The fields that both headers of an entry have, from the version that is needed to the length of the name.
    private static func fields(of entry: (name: [UInt8], content: HeldSecret)) -> [UInt8] {
        var fields: [UInt8] = []
        fields.append(littleEndian: UInt16(20))
        // Bit 11: the name is UTF-8.
        fields.append(littleEndian: UInt16(0x0800))
        fields.append(littleEndian: UInt16(0))
        // 1980-01-01, the first date of zip: an archive does not tell when it was written.
        fields.append(littleEndian: UInt32(0x0021_0000))
        fields.append(littleEndian: entry.content.withSpan(Zlib.checksum))
        for _ in 0..<2 { fields.append(littleEndian: UInt32(entry.content.byteCount)) }
        fields.append(littleEndian: UInt16(entry.name.count))
        return fields
    }
}
