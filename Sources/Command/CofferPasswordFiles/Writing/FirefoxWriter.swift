internal import CofferBasics

/// Writes CSV of Firefox: a row for each origin of a record.
struct FirefoxWriter: FormWriter {
    private var csv: CSVWriter
    /// The origins and accounts of the rows so far.
    private var logins: Set<String> = []

    init(to output: SecretBuilder) {
        csv = CSVWriter(to: output, quotes: .always, lineEnd: "\r\n")
        csv.header([
            "url", "username", "password", "httpRealm", "formActionOrigin", "guid", "timeCreated", "timeLastUsed",
            "timePasswordChanged",
        ])
    }

    mutating func write(_ record: PasswordRecord, _ losses: inout ExportLosses) {
        let texts = RecordTexts(record, for: .firefox, &losses)
        let created = milliseconds(record.created, &losses)
        let changed = milliseconds(record.changed, &losses)
        for site in record.sites.isEmpty ? [""] : record.sites {
            let origin = SiteOrigin(site)
            let written = origin?.text ?? site
            if origin.map({ !$0.isWhole }) ?? false { losses.add(.paths) }
            if origin == nil { losses.add(.otherSite) }
            if texts.password?.isEmpty ?? true { losses.add(.emptyPassword) }
            if !logins.insert("\(written)\0\(record.account)").inserted { losses.add(.repeated) }
            csv.row { row in
                row.cell(written)
                row.cell(record.account)
                row.cell(texts.password)
                // The realm is that of HTTP authentication; without one, the login is for any form.
                row.cell(orNull: record.realm.isEmpty ? nil : record.realm)
                row.cell(orNull: record.realm.isEmpty ? "" : nil)
                row.cell(orNull: nil)
                row.cell(orNull: created)
                row.cell(orNull: nil)
                row.cell(orNull: changed)
            }
        }
    }

    private func milliseconds(_ seconds: Int64?, _ losses: inout ExportLosses) -> String? {
        guard let seconds else { return nil }
        let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1000)
        if isTooLarge { losses.add(.dates) }
        return isTooLarge ? nil : String(milliseconds)
    }

    // Lines end between rows only.
    mutating func end(_ losses: inout ExportLosses) {}
}
