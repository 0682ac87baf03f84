internal import CofferBasics

/// Writes CSV as RFC 4180 has it.
///
/// Values are data and are written unchanged, also those that begin with `=`, `+`, `-` or `@`: a prefix against formulas
/// would become part of the password. So such a file must not be opened in a spreadsheet, which may run them.
struct CSVWriter {
    /// Which cells are in quotes.
    enum Quotes {
        /// Those that need them, and those with a blank at an end, which some programs drop otherwise.
        case whereNeeded
        /// All of them.
        case always
    }

    private let output: SecretBuilder
    private let quotes: Quotes
    private let lineEnd: String
    private var isFirstRow = true
    private var isFirstCell = true

    init(to output: SecretBuilder, quotes: Quotes, lineEnd: String) {
        (self.output, self.quotes, self.lineEnd) = (output, quotes, lineEnd)
    }

    /// Writes the row with the names of the columns.
    mutating func header(_ names: [String]) {
        row { row in for name in names { row.cell(name) } }
    }

    /// Writes a row with the cells that `body` writes.
    mutating func row(_ body: (inout CSVWriter) -> Void) {
        if !isFirstRow { endLine() }
        (isFirstRow, isFirstCell) = (false, true)
        body(&self)
    }

    /// Ends the last row.
    mutating func endLine() { output.append(lineEnd.utf8) }

    // MARK: - Cells

    mutating func cell(_ text: String) { cell(text.utf8Span.span) }

    mutating func cell(_ text: HeldSecret?) {
        guard let text else { return cell("") }
        text.bytes.withSpan { cell($0) }
    }

    /// Writes a cell that is empty and without quotes if there is no text: Firefox tells that from an empty text.
    mutating func cell(orNull text: String?) {
        guard let text else { return separate() }
        cell(text)
    }

    private mutating func cell(_ text: Span<UInt8>) {
        separate()
        guard quotes == .always || text.needsQuotes else { return output.append(copying: text) }
        output.append(UInt8(ascii: "\""))
        var start = 0
        for index in text.indices where text[index] == UInt8(ascii: "\"") {
            // The quote is written twice: as the end of this part and as the start of the next one.
            output.append(copying: text.extracting(start...index))
            start = index
        }
        output.append(copying: text.extracting(start..<text.count))
        output.append(UInt8(ascii: "\""))
    }

    private mutating func separate() {
        if !isFirstCell { output.append(UInt8(ascii: ",")) }
        isFirstCell = false
    }
}

extension Span<UInt8> {
    fileprivate var needsQuotes: Bool {
        guard !isEmpty else { return false }
        if self[0].isBlank || self[count - 1].isBlank { return true }
        return indices.contains { index in
            switch self[index] {
            case UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D: true
            default: false
            }
        }
    }
}

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
        let values = [texts.password?.bytes.byteCount, texts.notes?.bytes.byteCount, record.account.utf8.count]
        let isTooLong =
            site.utf8.count > siteByteCountLimit || values.contains { $0 ?? 0 > valueByteCountLimit }
        if isTooLong { losses.add(.tooLong) }
    }

    mutating func end(_ losses: inout ExportLosses) {
        csv.endLine()
        if rowCount > Self.rowLimit { losses.add(.fileRowCount, rowCount) }
    }
}

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
