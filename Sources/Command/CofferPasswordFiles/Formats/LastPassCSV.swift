internal import CofferBasics

extension Form where Content == CSVTable {
    /// LastPass: the web site with or without `totp`, and both versions of its command.
    static var lastPass: Form {
        Form(
            matches: { $0.hasColumns("url", "username", "password", "name", "grouping") },
            read: { table, options in
                var file = try table.file("LastPass CSV") { reader in
                    reader.decodesHTMLEntities = options.decodesHTMLEntities
                    readLastPass(&reader)
                }
                file.losses += entityLosses(in: table, areDecoded: options.decodesHTMLEntities)
                file.remarks.append(
                    "LastPass never exports attachments, former passwords, passkeys, form fields and who shares a folder"
                )
                return file
            }
        )
    }

    /// The form fills of LastPass: names, addresses and cards.
    static var lastPassProfiles: Form {
        Form("LastPass form fills CSV") {
            $0.hasColumns("profilename", "profilelanguage")
        } row: { reader in
            reader.record.kind = .identity
            reader.record.title = reader.text("profilename")
            reader.fields("profilelanguage")
        }
    }

    private static func readLastPass(_ reader: inout RowReader) {
        let url = reader.text("url").trimmed
        reader.record.title = reader.text("name")
        let group = reader.text("grouping")
        guard url != "http://group" else {
            reader.leftOut = "a folder, which is no record"
            return
        }
        reader.record.folders = group == "(none)" ? [] : group.withoutControls.parts("\\")
        reader.record.isFavorite = reader.flag("fav")
        let extra = reader.secret("extra")
        if url == "http://sn" {
            reader.record.kind = .note
            reader.record.addLastPassNote(extra)
            return
        }
        reader.record.account = reader.text("username")
        reader.record.secret = reader.secret("password")
        reader.record.notes = extra
        if url != "http://", !url.isEmpty { reader.record.sites = [url] }
        reader.oneTimePassword("totp")
        // Old versions of the command write the folder and the name again.
        let full = [group, reader.record.title].filter { !$0.isEmpty }.joined(separator: "\\")
        if reader.row["hostname"]?.text == full { _ = reader.text("hostname") }
        reader.fields("hostname")
    }

    private static func entityLosses(in table: CSVTable, areDecoded: Bool) -> [String] {
        let count = table.bytes.withSpan { bytes in
            table.cells.count { HTMLEntities.areIn(bytes.extracting($0.range)) }
        }
        guard count > 0 else { return [] }
        return [
            "\(count) cells have HTML entities such as &amp;, which LastPass once wrote in place of characters; they were "
                + (areDecoded ? "decoded" : "left as they are")
        ]
    }
}

extension String {
    fileprivate var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}

extension PasswordRecord {
    /// Reads the text of a secure note of LastPass, which may have fields.
    ///
    /// A note of a type has the lines `NoteType:…`, `Language:…` and `Field:value`. A value may have several lines, and all
    /// lines after `Notes:` belong to it.
    mutating func addLastPassNote(_ text: HeldSecret?) {
        guard let text, let parts = LastPassNote.parts(of: text) else {
            secret = text
            return
        }
        var isCard = false
        for (name, value) in parts {
            switch name {
            case "NoteType":
                kind = LastPassNote.kinds[value.text] ?? .other
                isCard = kind == .card
                fields.append(Field(name, value))
            case "Language": fields.append(Field(name, value))
            case "Notes": notes = value.isEmpty ? nil : value
            case _ where value.isEmpty: break
            case "Username" where kind == .login && account.isEmpty: account = value.text
            case "Hostname" where kind == .login && sites.isEmpty: sites = [value.text.trimmed]
            case "Password" where !isCard && secret == nil: secret = value
            case "Private Key" where secret == nil: secret = value
            default: fields.append(Field(name, value, isHidden: true))
            }
        }
    }
}

/// The fields of typed notes.
private enum LastPassNote {
    static let kinds: [String: PasswordRecord.Kind] = [
        "Credit Card": .card, "Address": .identity, "Driver's License": .identity, "Passport": .identity,
        "Social Security": .identity, "SSH Key": .key, "Wi-Fi Password": .wifi, "Server": .login, "Database": .login,
        "Email Account": .login, "Instant Messenger": .login,
    ]

    /// All lines after this many fields belong to the last one.
    private static let fieldCountLimit = 1000

    /// In a key, other lines with a colon are headers of its PEM text.
    private static let namesOfKeys = [
        "NoteType", "Language", "Bit Strength", "Format", "Passphrase", "Private Key", "Public Key", "Hostname", "Date",
        "Notes",
    ]

    /// The fields of a note; nil if it has no type.
    static func parts(of note: HeldSecret) -> [(name: String, value: HeldSecret)]? {
        note.withSpan { text in
            guard text.has("NoteType:".utf8) else { return nil }
            let isKey = text.has("NoteType:SSH Key".utf8)
            // The range of a value grows with each line that begins no other field.
            var parts: [(name: String, range: Range<Int>)] = []
            for line in text.lines {
                let isOpen = parts.last?.name != "Notes" && parts.count < fieldCountLimit
                if isOpen, let colon = nameEnd(text.extracting(line), isKey: isKey) {
                    let name = text.extracting(line.lowerBound..<line.lowerBound + colon).text
                    parts.append((name, line.lowerBound + colon + 1..<line.upperBound))
                } else if let last = parts.last {
                    parts[parts.count - 1].range = last.range.lowerBound..<line.upperBound
                }
            }
            return parts.map { ($0.name, HeldSecret(copying: text.extracting($0.range))) }
        }
    }

    /// Where the colon after a field's name is; nil if the line continues a value.
    private static func nameEnd(_ line: Span<UInt8>, isKey: Bool) -> Int? {
        guard let colon = line.indices.prefix(64).first(where: { line[$0] == UInt8(ascii: ":") }), colon > 0 else {
            return nil
        }
        let name = line.extracting(..<colon).text
        if isKey { return namesOfKeys.contains(name) ? colon : nil }
        // An address is no field, and a name begins with a letter.
        let isAddress = line.has("://".utf8, at: colon)
        return name.first?.isLetter == true && !isAddress ? colon : nil
    }
}
