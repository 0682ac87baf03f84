package import CofferBasics
internal import VaultCrypto

/// The entries of a zip archive, by its central directory.
///
/// Entries are stored or deflated, also with the 64-bit fields of zip64. What an archive could inflate to is checked before
/// anything is inflated.
package struct ZipArchive {
    static let entryCountLimit = 100_000

    private let bytes: HeldSecret
    private let positions: [String: Int]
    /// The files of the archive, without its directories, in the order of the central directory.
    package let entries: [Entry]
    /// Entries with unsafe names, which are left out; in words.
    package let refused: [String]

    /// An entry of the archive.
    package struct Entry {
        /// The name: a relative path of valid UTF-8 without `..`, backslashes and NUL characters.
        package let name: String
        /// How many bytes the content has.
        package let byteCount: Int
        let method: UInt16
        let checksum: UInt32
        let stored: Range<Int>
    }

    /// Whether the file begins like a zip archive.
    static func matches(_ bytes: HeldSecret) -> Bool {
        bytes.has("PK\u{3}\u{4}".utf8) || bytes.has("PK\u{5}\u{6}".utf8)
    }

    /// Reads the directory of an archive.
    ///
    /// - Parameter bytes: The archive, with nothing before or after it.
    /// - Throws: `PasswordFileError`, also if entries overlap, are encrypted or have one name, or inflate to too much.
    package init(_ bytes: HeldSecret) throws {
        var directory = ZipDirectory()
        try bytes.withSpan { span in try directory.read(span) }
        self.bytes = bytes
        (entries, refused) = (directory.entries, directory.refused)
        positions = Dictionary(zip(entries.map(\.name), 0...)) { first, _ in first }
    }

    /// The size of the archive itself.
    var byteCount: Int { bytes.byteCount }

    /// The entry of this name.
    package subscript(name: String) -> Entry? { positions[name].map { entries[$0] } }

    /// The content of an entry.
    ///
    /// - Parameter entry: An entry of this archive.
    /// - Returns: As many bytes as the entry declares.
    /// - Throws: `PasswordFileError` if the compression is unsupported, or the content does not match the directory.
    package func content(of entry: Entry) throws -> HeldSecret {
        guard entry.method == 0 || entry.method == 8 else {
            throw PasswordFileError.unsupported(
                "\(entry.name.printable) is compressed with method \(entry.method); zip it with deflate"
            )
        }
        guard entry.method == 8 || entry.stored.count == entry.byteCount else {
            throw PasswordFileError.invalid("\(entry.name.printable): the sizes of a stored entry differ")
        }
        let buffer = try bytes.withSpan { span in
            try Self.content(of: entry, span.extracting(entry.stored))
        }
        let content = HeldSecret(buffer: buffer)
        guard content.withSpan(Zlib.checksum) == entry.checksum else {
            throw PasswordFileError.invalid("\(entry.name.printable): the checksum is wrong; the archive is damaged")
        }
        return content
    }

    private static func content(of entry: Entry, _ stored: Span<UInt8>) throws -> SecretBuffer {
        guard entry.method == 8 else { return SecretBuffer(copying: stored) }
        var buffer = SecretBuffer(byteCount: entry.byteCount)
        do throws(CompressionError) {
            try buffer.withMutableSpan { output throws(CompressionError) in
                try Zlib.inflate(stored, .none, into: &output)
            }
        } catch {
            throw PasswordFileError.invalid("\(entry.name.printable): the compressed bytes are damaged")
        }
        return buffer
    }
}
