internal import CofferBasics

/// Writes CSV of Chrome and its relatives: a row for each address of a record, as they do themselves.
struct ChromeWriter: FormWriter {
    private static let rowLimit = 3000
    /// Of an account, a password or a note, in UTF-8.
    private static let valueByteCountLimit = 1000
    private static let siteByteCountLimit = 2048
    static let fileByteCountLimit = 150 * 1024

    private var csv: CSVWriter
    private var rowCount = 0

    init(to output: SecretBuilder) {
        csv = CSVWriter(to: output, quotes: .whereNeeded, lineEnd: "\n")
        csv.header(["name", "url", "username", "password", "note"])
    }

    mutating func write(_ record: PasswordRecord, _ losses: inout ExportLosses) {
        let texts = RecordTexts(record, for: .chrome, &losses)
        for site in record.sites.isEmpty ? [""] : record.sites {
            rowCount += 1
            Self.check(record, texts, site, &losses)
            csv.row { row in
                row.cell(record.title)
                row.cell(site)
                row.cell(record.account)
                row.cell(texts.password)
                row.cell(texts.notes)
            }
        }
    }

    /// Counts why Chrome will refuse a row.
    private static func check(
        _ record: PasswordRecord,
        _ texts: RecordTexts,
        _ site: String,
        _ losses: inout ExportLosses
    ) {
        if texts.password?.isEmpty ?? true { losses.add(.emptyPassword) }
        let scheme = SiteOrigin(site)?.scheme ?? ""
        if !["http", "https", "android"].contains(scheme) { losses.add(.otherSite) }
        let values = [texts.password?.byteCount, texts.notes?.byteCount, record.account.utf8.count]
        let isTooLong =
            site.utf8.count > siteByteCountLimit || values.contains { $0 ?? 0 > valueByteCountLimit }
        if isTooLong { losses.add(.tooLong) }
    }

    mutating func end(_ losses: inout ExportLosses) {
        csv.endLine()
        if rowCount > Self.rowLimit { losses.add(.fileRowCount, rowCount) }
    }
}
