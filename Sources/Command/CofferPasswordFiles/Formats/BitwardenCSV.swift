internal import CofferBasics

extension Form where Content == CSVTable {
    /// Bitwarden, personal or of an organization.
    static var bitwarden: Form {
        Form(
            matches: { $0.hasColumns("login_uri", "login_password", "type", "name") },
            read: { table, _ in
                let isPersonal = table.column("collections") == nil
                let form = isPersonal ? "Bitwarden CSV" : "Bitwarden CSV of an organization"
                var file = try table.file(form, readBitwarden)
                file.remarks.append(bitwardenRemark)
                return file
            }
        )
    }

    /// Bitwarden of 2017.
    static var bitwarden2017: Form {
        Form("Bitwarden CSV of 2017", remark: bitwardenRemark) {
            $0.hasColumns("name", "uri", "username", "password", "folder", "totp")
        } row: { reader in
            reader.take(title: "name", account: "username", password: "password", notes: "notes")
            reader.record.folders = reader.text("folder").parts("/")
            reader.bitwardenSites("uri")
            reader.oneTimePassword("totp")
        }
    }

    private static var bitwardenRemark: String {
        "Bitwarden never exports cards, identities, SSH keys, passkeys, attachments, dates and former passwords as CSV; "
            + "export JSON to have them"
    }

    private static func readBitwarden(_ reader: inout RowReader) {
        reader.record.title = reader.text("name")
        reader.record.isFavorite = reader.flag("favorite")
        let folders = reader.row.table.column("folder") == nil ? reader.text("collections").parts(",") : []
        // Other collections of the item are no folders around it.
        reader.record.folders = (folders.first ?? reader.text("folder")).parts("/")
        reader.record.tags = Array(folders.dropFirst())
        let notes = reader.secret("notes")
        let type = reader.text("type")
        if type == "note" {
            reader.record.kind = .note
            reader.record.secret = notes
        } else {
            reader.record.account = reader.text("login_username")
            reader.record.secret = reader.secret("login_password")
            reader.record.notes = notes
            reader.bitwardenSites("login_uri")
            reader.oneTimePassword("login_totp")
        }
        if !["", "login", "note"].contains(type) {
            reader.record.kind = .other
            reader.record.fields.append(PasswordRecord.Field("type", type))
        }
        if let fields = reader.secret("fields") { reader.record.addBitwardenFields(fields) }
        let reprompt = reader.text("reprompt")
        if !["", "0"].contains(reprompt) {
            reader.record.losses.append("the setting to ask for the master password again")
        }
        // A column that newer versions may have.
        let archived = reader.text("archiveddate", "archived")
        reader.record.isArchived = !["", "0", "false"].contains(archived.lowercased())
        // As in JSON, the date is a field.
        if FileDate.iso8601(archived) != nil { reader.record.add("archivedDate", text: archived) }
    }
}

extension RowReader {
    /// Takes a cell of addresses that were joined with commas.
    fileprivate mutating func bitwardenSites(_ name: String) {
        guard let cell = secret(name) else { return }
        let sites = cell.text.parts(",")
        record.sites = sites
        // A comma may also have been part of an address.
        guard sites.count > 1, !sites.allSatisfy({ $0.contains(text: "://") }) else { return }
        record.fields.append(PasswordRecord.Field(name, cell))
    }
}

extension PasswordRecord {
    /// How many lines of a cell become fields of their own.
    private static let bitwardenLineCountLimit = 1000

    /// Adds the lines `name: value` of a cell, in which nothing is escaped.
    fileprivate mutating func addBitwardenFields(_ cell: HeldSecret) {
        var isClear = true
        cell.withSpan { text in
            let lines = text.lines
            if lines.count > Self.bitwardenLineCountLimit { isClear = false }
            for line in lines.prefix(Self.bitwardenLineCountLimit) {
                let bytes = text.extracting(line)
                let separators = bytes.indices.filter { bytes.has(": ".utf8, at: $0) }
                // Bitwarden itself splits at the last one.
                guard let last = separators.last else {
                    isClear = false
                    continue
                }
                if separators.count > 1 { isClear = false }
                let value = HeldSecret(copying: bytes.extracting(droppingFirst: last + 2))
                // Hidden fields cannot be told from others.
                fields.append(Field(bytes.extracting(..<last).text, value, isHidden: true))
            }
        }
        if !isClear {
            fields.append(Field("fields", cell, isHidden: true))
            losses.append("the custom fields are ambiguous in CSV; their text was also kept as a whole")
        }
    }
}

extension Span<UInt8> {
    /// The ranges of the lines, without their ends in LF or CRLF.
    var lines: [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        for end in 0...count where end == count || self[end] == UInt8(ascii: "\n") {
            let isPair = end > start && self[end - 1] == UInt8(ascii: "\r")
            lines.append(start..<(isPair ? end - 1 : end))
            start = end + 1
        }
        return lines
    }
}
