internal import CofferBasics

/// Writes CSV of KeePassXC.
struct KeePassXCWriter: FormWriter {
    private var csv: CSVWriter

    init(to output: SecretBuilder) {
        // It takes lines that begin with # for comments, unless the cell is in quotes.
        csv = CSVWriter(to: output, quotes: .always, lineEnd: "\n")
        csv.header([
            "Group", "Title", "Username", "Password", "URL", "Notes", "TOTP", "Icon", "Last Modified", "Created",
        ])
    }

    mutating func write(_ record: PasswordRecord, _ losses: inout ExportLosses) {
        let texts = RecordTexts(record, for: .keePassXC, &losses)
        losses.add(.separators, record.folders.count { $0.utf8.contains(UInt8(ascii: "/")) })
        let changed = date(record.changed, &losses)
        let created = date(record.created, &losses)
        csv.row { row in
            // The first name is that of the database.
            row.cell((["Root"] + record.folders).joined(separator: "/"))
            row.cell(record.title)
            row.cell(record.account)
            row.cell(texts.password)
            row.cell(record.sites.first ?? "")
            row.cell(texts.notes)
            row.cell(texts.oneTimePassword)
            row.cell("0")
            row.cell(changed)
            row.cell(created)
        }
    }

    private func date(_ seconds: Int64?, _ losses: inout ExportLosses) -> String {
        guard let seconds else { return "" }
        guard let text = FileDate.iso8601(ofSeconds: seconds) else {
            losses.add(.dates)
            return ""
        }
        return text
    }

    mutating func end(_ losses: inout ExportLosses) { csv.endLine() }
}
