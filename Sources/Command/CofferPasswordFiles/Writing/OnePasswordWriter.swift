internal import CofferBasics

/// Writes CSV of 1Password 8.
struct OnePasswordWriter: FormWriter {
    private var csv: CSVWriter

    init(to output: SecretBuilder) {
        csv = CSVWriter(to: output, quotes: .whereNeeded, lineEnd: "\n")
        csv.header(["Title", "Url", "Username", "Password", "OTPAuth", "Favorite", "Archived", "Tags", "Notes"])
    }

    mutating func write(_ record: PasswordRecord, _ losses: inout ExportLosses) {
        let texts = RecordTexts(record, for: .onePassword, &losses)
        losses.add(.separators, record.tags.count { $0.utf8.contains(UInt8(ascii: ";")) })
        csv.row { row in
            row.cell(record.title)
            row.cell(record.sites.first ?? "")
            row.cell(record.account)
            row.cell(texts.password)
            row.cell(texts.oneTimePassword)
            row.cell(record.isFavorite ? "true" : "false")
            row.cell(record.isArchived ? "true" : "false")
            row.cell(record.tags.joined(separator: ";"))
            row.cell(texts.notes)
        }
    }

    mutating func end(_ losses: inout ExportLosses) { csv.endLine() }
}
