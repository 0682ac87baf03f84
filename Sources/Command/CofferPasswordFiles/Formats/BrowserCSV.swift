internal import CofferBasics

extension Form where Content == CSVTable {
    /// Chrome and the browsers of its family; `note` exists since 2022.
    static var chrome: Form {
        Form("Chrome CSV", remark: "Chrome never exports passkeys, dates and more than one note") { table in
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
        Form("Firefox CSV", remark: "Firefox never exports passkeys, notes and titles") {
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
