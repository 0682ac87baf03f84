internal import CofferBasics

/// The files of an archive that belong to records.
struct ArchiveAttachments {
    let archive: ZipArchive?
    /// What was read, by the name of the entry: records may share a file.
    private var contents: [String: HeldSecret] = [:]

    init(_ archive: ZipArchive?) {
        self.archive = archive
    }

    /// Adds an entry to a record, or says in the record's losses why it cannot be read.
    mutating func add(_ entry: ZipArchive.Entry, named name: String, to record: inout PasswordRecord) {
        do {
            record.attachments.append(PasswordRecord.Attachment(name, try content(of: entry)))
        } catch {
            record.losses.append(
                "attachment \(name.printable) (\(entry.byteCount) bytes): \(PasswordFileError(error).description)"
            )
        }
    }

    private mutating func content(of entry: ZipArchive.Entry) throws -> HeldSecret {
        if let content = contents[entry.name] { return content }
        guard let archive else { throw PasswordFileError.invalid("the file is not an archive") }
        let content = try archive.content(of: entry)
        contents[entry.name] = content
        return content
    }

    /// Whether an entry is the attachment of a record.
    func isRead(_ entry: ZipArchive.Entry) -> Bool { contents[entry.name] != nil }
}
