internal import CofferBasics

/// Writes CSV of Apple Passwords: a row for each address of a record.
struct AppleWriter: FormWriter {
    private var csv: CSVWriter

    init(to output: SecretBuilder) {
        csv = CSVWriter(to: output, quotes: .whereNeeded, lineEnd: "\n")
        csv.header(["Title", "URL", "Username", "Password", "Notes", "OTPAuth"])
    }

    mutating func write(_ record: PasswordRecord, _ losses: inout ExportLosses) {
        let texts = RecordTexts(record, for: .apple, &losses)
        if record.sites.isEmpty { losses.add(.noSite) }
        for site in record.sites.isEmpty ? [""] : record.sites {
            csv.row { row in
                row.cell(record.title)
                row.cell(site)
                row.cell(record.account)
                row.cell(texts.password)
                row.cell(texts.notes)
                row.cell(texts.oneTimePassword)
            }
        }
    }

    mutating func end(_ losses: inout ExportLosses) { csv.endLine() }
}
