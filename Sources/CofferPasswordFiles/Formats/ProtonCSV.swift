internal import CofferBasics

extension Form where Content == CSVTable {
    /// Proton Pass; `autofillUrls` exists since 2026.
    static var proton: Form {
        Form(
            "Proton Pass CSV",
            loss: "Proton Pass never exports custom fields, passkeys, files, SSH keys and the names of Wi-Fi networks "
                + "as CSV; export JSON to have them",
            matches: { $0.hasColumns("type", "vault", "createtime", "modifytime") },
            row: { readProton(&$0) }
        )
    }

    private static func readProton(_ reader: inout RowReader) {
        let type = reader.text("type")
        reader.record.title = reader.text("name")
        reader.record.folders = [reader.text("vault")].filter { !$0.isEmpty }
        reader.record.created = reader.date("createTime")
        reader.record.changed = reader.date("modifyTime")
        reader.record.account = reader.text("username")
        if reader.record.account.isEmpty { reader.record.account = reader.text("email") }
        reader.fields("email")
        reader.record.secret = reader.secret("password")
        reader.record.sites = reader.text("url").split(separator: ", ").map(\.trimmed).filter { !$0.isEmpty }
        reader.oneTimePassword("totp")
        if let urls = reader.secret("autofillUrls") { reader.record.addProtonSites(urls) }
        let note = reader.secret("note")
        switch type {
        case "login": reader.record.notes = note
        case "note":
            reader.record.kind = .note
            reader.record.secret = note
        case "creditCard", "identity":
            reader.record.kind = type == "identity" ? .identity : .card
            reader.record.addProtonContent(note)
        default:
            reader.record.kind = ["wifi": .wifi, "sshKey": .key][type] ?? .other
            reader.record.notes = note
            reader.record.fields.append(PasswordRecord.Field("type", type))
        }
    }
}

extension PasswordRecord {
    /// Adds the addresses of `autofillUrls`: a list of addresses with a mode each.
    fileprivate mutating func addProtonSites(_ text: HeldSecret) {
        guard let list = try? JSONTree(text).root, list.kind == .array else {
            fields.append(Field("autofillUrls", text))
            return
        }
        addProtonSites(list)
    }

    /// Adds the addresses of a list of Proton Pass, and as fields those that are no sites.
    mutating func addProtonSites(_ list: JSONNode) {
        var known = Set(sites)
        for element in list.elements {
            guard let url = element["url"]?.text?.trimmed, !url.isEmpty else { continue }
            // 2 blocks a site, 4 is a pattern, and 5 a regular expression; the others are sites.
            switch element["mode"]?.integer ?? 0 {
            case 0, 1, 3, 6:
                if known.insert(url).inserted { sites.append(url) }
            case 2: fields.append(Field("autofill never", url))
            case 4: fields.append(Field("autofill pattern", url))
            case 5: fields.append(Field("autofill regular expression", url))
            case let mode: fields.append(Field("autofill mode \(mode)", url))
            }
        }
    }

    /// Adds the content of a card or an identity, which is JSON in the cell of the note.
    fileprivate mutating func addProtonContent(_ note: HeldSecret?) {
        guard let note else { return }
        guard let content = try? JSONTree(note).root, content.kind == .object else {
            notes = note
            return
        }
        for (name, value) in content.members where !value.isEmpty {
            if name == "note" {
                notes = value.secret
            } else {
                fields.append(Field(name, value.secret ?? value.source, isHidden: true))
            }
        }
    }
}
