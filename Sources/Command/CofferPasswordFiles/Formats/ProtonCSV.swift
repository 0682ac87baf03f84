internal import CofferBasics

extension Form where Content == CSVTable {
    /// Proton Pass; `autofillUrls` exists since 2026.
    static var proton: Form {
        Form(
            "Proton Pass CSV",
            remark: "Proton Pass never exports custom fields, passkeys, files, SSH keys and the names of Wi-Fi "
                + "networks as CSV; export JSON to have them",
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
        let urls = reader.text("url").parts(separatedBy: ", ").map(\.trimmed).filter { !$0.isEmpty }
        reader.oneTimePassword("totp")
        let addresses = reader.secret("autofillUrls")
        let list = addresses.flatMap { try? JSONTree($0).root }
        if list?.kind != .array { reader.record.add("autofillUrls", addresses) }
        reader.record.addProtonAddresses(list?.elements ?? [], urls: urls)
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
