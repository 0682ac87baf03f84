internal import CofferBasics

/// The attachments of a database of KeePass, which entries name by number or contain themselves.
struct KeePassBinaries {
    private var binaries: [String: XMLNode] = [:]
    /// What was decoded, by number: entries may share one.
    private var contents: [String: HeldSecret] = [:]
    /// How many more bytes compressed attachments may inflate to.
    private var freeByteCount: Int

    /// - Parameters:
    ///   - list: The element that has all attachments.
    ///   - byteCount: The size of the file, which limits what its attachments may inflate to.
    init(_ list: XMLNode?, byteCount: Int) {
        freeByteCount = Gzip.byteCountLimit(inFileWith: byteCount)
        for binary in list?.children ?? [] {
            if let id = binary.attribute("ID") { binaries[id] = binary }
        }
    }

    /// How many attachments were never asked for.
    var unusedCount: Int { binaries.count - contents.count }

    /// The content of an attachment.
    ///
    /// - Parameter value: The element in an entry, which has the number of the attachment, or the attachment itself.
    /// - Returns: Its bytes.
    /// - Throws: `PasswordFileError` if it is missing, damaged, encrypted or too large.
    mutating func content(of value: XMLNode) throws(PasswordFileError) -> HeldSecret {
        guard let id = value.attribute("Ref") else { return try decoded(value) }
        if let content = contents[id] { return content }
        guard let binary = binaries[id] else { throw .invalid("number \(id.printable) is not in the file") }
        let content = try decoded(binary)
        contents[id] = content
        return content
    }

    private mutating func decoded(_ binary: XMLNode) throws(PasswordFileError) -> HeldSecret {
        guard !binary.isTrue("Protected") else { throw .unsupported("encrypted by the database") }
        guard let content = binary.secret.base64Decoded else { throw .invalid("its content is not base64") }
        guard binary.isTrue("Compressed") else { return content }
        let limit = freeByteCount
        let inflated = try content.bytes.withSpan { content throws(PasswordFileError) in
            try Gzip.inflated(content, limit: limit)
        }
        guard let inflated else { throw .invalid("its compressed content is damaged") }
        freeByteCount -= inflated.bytes.byteCount
        return inflated
    }
}
