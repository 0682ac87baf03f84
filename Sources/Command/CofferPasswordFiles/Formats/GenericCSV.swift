internal import CofferBasics

extension PasswordFile {
    /// A CSV file whose columns the user has named; all others become fields.
    ///
    /// - Parameters:
    ///   - table: The file.
    ///   - columns: The names of its columns, in any case.
    /// - Returns: The file.
    /// - Throws: `PasswordFileError.invalid` if the file lacks one of the columns.
    static func read(_ table: CSVTable, _ columns: CSVColumns) throws(PasswordFileError) -> PasswordFile {
        let names = [
            columns.title, columns.site, columns.account, columns.password, columns.notes, columns.oneTimePassword,
        ]
        for name in names {
            if let name, table.column(name) == nil { throw .invalid("the file has no column \(name.printable)") }
        }
        return try table.file("CSV") { reader in
            if let name = columns.title { reader.record.title = reader.text(name) }
            if let name = columns.account { reader.record.account = reader.text(name) }
            if let name = columns.password { reader.record.secret = reader.secret(name) }
            if let name = columns.notes { reader.record.notes = reader.secret(name) }
            if let name = columns.site { reader.site(name) }
            if let name = columns.oneTimePassword { reader.oneTimePassword(name) }
        }
    }
}

extension Form where Content == CSVTable {
    /// 1Password 8.
    static var onePassword: Form {
        Form(
            "1Password CSV",
            loss: "1Password never exports items other than logins, custom fields, files and former passwords as CSV; "
                + "export 1PUX to have them",
            matches: { $0.hasColumns("title", "url", "favorite", "archived", "tags") },
            row: { reader in
                reader.take(title: "title", account: "username", password: "password", notes: "notes")
                reader.site("url")
                reader.oneTimePassword("otpauth")
                reader.record.isFavorite = reader.flag("favorite")
                reader.record.isArchived = reader.flag("archived")
                let tags = reader.text("tags")
                reader.record.tags = tags.parts(tags.contains(";") ? ";" : ",")
            }
        )
    }
}

extension Form where Content == CSVTable {
    /// Chrome and the browsers of its family; `note` exists since 2022.
    static var chrome: Form {
        Form("Chrome CSV", loss: "Chrome never exports passkeys, dates and more than one note") { table in
            let names = Set(table.header.map { $0.lowercased() })
            return names.subtracting(["note", "notes"]) == ["name", "url", "username", "password"]
        } row: { reader in
            reader.record.title = reader.text("name")
            reader.site("url")
            reader.record.account = reader.text("username")
            reader.record.secret = reader.secret("password")
            reader.record.notes = reader.secret("note", "notes")
        }
    }

    /// Firefox since version 79.
    static var firefox: Form {
        Form("Firefox CSV", loss: "Firefox never exports passkeys, notes and titles") {
            $0.hasColumns("url", "httprealm", "formactionorigin", "guid")
        } row: {
            readFirefox(&$0)
        }
    }

    private static func readFirefox(_ reader: inout RowReader) {
        reader.site("url")
        guard reader.record.sites != ["chrome://FirefoxAccounts"] else {
            reader.leftOut = "the session of Firefox Sync was left out: it is no password"
            return
        }
        reader.record.account = reader.text("username")
        // Every value that exists is in quotes.
        let hasPassword = reader.row["password"]?.isQuoted == true
        reader.record.secret = reader.secret("password") ?? (hasPassword ? .empty : nil)
        reader.record.realm = reader.text("httprealm")
        for name in ["httpRealm", "formActionOrigin"] {
            // An empty realm is not a form, and an empty origin is any form.
            guard let cell = reader.row[name], cell.isEmpty, cell.isQuoted else { continue }
            reader.record.fields.append(PasswordRecord.Field(name, .empty))
        }
        reader.fields("formActionOrigin", "guid")
        reader.record.created = reader.date("timeCreated") { FileDate.milliseconds(Int64($0)) }
        reader.record.changed = reader.date("timePasswordChanged") { FileDate.milliseconds(Int64($0)) }
        reader.fields("timeLastUsed")
    }
}

extension HeldSecret {
    /// A secret without bytes.
    static var empty: HeldSecret { HeldSecret(capacity: 0) { _ in } }
}
