internal import CofferBasics

extension Form where Content == JSONNode {
    static var enpass: Form {
        Form(matches: EnpassFile.matches) { root, _ in
            var reader = EnpassFile()
            return try reader.read(root)
        }
    }
}

/// An export of Enpass: one vault.
struct EnpassFile {
    private var folders: [String: (title: String, parent: String?)] = [:]
    /// The titles of folders and those around them, by identifier: many items share one.
    private var paths: [String: String] = [:]
    private var losses = LossCounter()

    static func matches(_ root: JSONNode) -> Bool {
        guard let items = root["items"], items.kind == .array, root["encrypted"] == nil else { return false }
        return items.elements.contains { $0["template_type"] != nil }
            || root["folders"]?.elements.contains { $0.members.contains { $0.name == "parent_uuid" } } == true
    }

    mutating func read(_ root: JSONNode) throws -> PasswordFile {
        var file = PasswordFile(form: "Enpass JSON", byteCount: root.tree.bytes.byteCount)
        var members = JSONMembers(root)
        for folder in members.objects("folders") { readFolder(folder) }
        for (index, item) in members.elements("items").enumerated() {
            guard item.kind == .object else {
                try file.refuse("item \(index + 1) is not an object")
                continue
            }
            try file.append(record(item, at: "item \(index + 1)"))
        }
        losses.noteUnknown(members, of: "the file")
        file.losses = losses.losses
        file.remarks = ["Enpass exports neither passkeys nor the name of the vault; icons are never taken over"]
        return file
    }

    private mutating func readFolder(_ folder: JSONNode) {
        var members = JSONMembers(folder)
        if let id = members.text("uuid") {
            folders[id] = (members.text("title")?.shortened ?? "", members.text("parent_uuid"))
        }
        members.skip("icon", "updated_at")
        losses.noteUnknown(members, of: "a folder")
    }

    /// The titles of a folder and those around it, joined with slashes; nil if it is unknown.
    private mutating func path(of id: String) -> String? {
        if let path = paths[id] { return path }
        guard var folder = folders[id] else { return nil }
        var names = [folder.title]
        // Bounded: folders may be in each other.
        while let parent = folder.parent.flatMap({ folders[$0] }), names.count < JSONTree.depthLimit {
            names.insert(parent.title, at: 0)
            folder = parent
        }
        let path = names.joined(separator: "/").shortened
        paths[id] = path
        return path
    }

    // MARK: - Items

    private mutating func record(_ item: JSONNode, at place: String) -> PasswordRecord {
        var members = JSONMembers(item)
        var record = PasswordRecord(.other, at: place)
        record.title = members.text("title") ?? ""
        // Made from other fields, or settings of the program.
        members.skip("uuid", "subtitle", "icon", "auto_submit")
        let template = members.text("template_type")
        record.kind = Self.kind(of: members.text("category") ?? template ?? "")
        record.isFavorite = members.isTrue("favorite")
        record.isArchived = members.isTrue("archived")
        record.isTrashed = members.isTrue("trashed")
        record.created = members.date("createdAt") ?? members.date("created_at")
        record.changed = members.date("updated_at")
        // An item may be in several folders: they are tags.
        for id in members.texts("folders") {
            if let path = path(of: id) {
                record.tags.append(path)
            } else {
                record.losses.append("a folder of it is not in the file")
            }
        }
        record.readEnpassFields(members.objects("fields"))
        let note = members.secret("note")
        if record.kind == .note, record.secret == nil { record.secret = note } else { record.notes = note }
        for attachment in members.objects("attachments") { record.addEnpassAttachment(attachment) }
        record.addRest(of: members)
        return record
    }

    private static func kind(of category: String) -> PasswordRecord.Kind {
        switch category.split(separator: ".").first ?? "" {
        case "login", "computer", "password": .login
        case "note": .note
        case "creditcard": .card
        case "identity", "travel": .identity
        default: .other
        }
    }
}

extension PasswordRecord {
    /// Reads the fields of an item by their types, since labels are in the user's language.
    mutating func readEnpassFields(_ fields: [JSONNode]) {
        // Account and password first: a one-time password has the account in its label.
        var rest: [(members: JSONMembers, type: String, label: String, section: String)] = []
        var section = ""
        for field in fields {
            var members = JSONMembers(field)
            let type = members.text("type") ?? ""
            let label = members.text("label") ?? type
            members.skip("uid", "order", "updated_at", "value_updated_at")
            if type == "section" {
                section = label
                beginSection(label)
            }
            if members.isTrue("deleted") {
                if members.secret("value") != nil { losses.append("deleted field \"\(label.printable)\"") }
                continue
            }
            let isSensitive = field["sensitive"]?.isTrue ?? false
            switch type {
            case "username" where account.isEmpty && !isSensitive:
                account = members.text("value") ?? ""
                members.skip("sensitive")
            case "password" where secret == nil:
                secret = members.secret("value")
                members.skip("sensitive")
                readEnpassHistory(&members)
            default: break
            }
            rest.append((members, type, label, section))
        }
        // Without a user name the address of mail is the account.
        for index in rest.indices where rest[index].type == "email" && account.isEmpty {
            account = rest[index].members.text("value") ?? ""
        }
        for field in rest {
            var members = field.members
            addEnpassField(&members, type: field.type, name: Self.name(field.label, in: field.section))
        }
    }

    private mutating func addEnpassField(_ members: inout JSONMembers, type: String, name: String) {
        let isSensitive = members.isTrue("sensitive")
        let secretTypes = ["password", "pin", "ccNumber", "ccCvc", "ccPin", "ccTxnpassword"]
        switch type {
        case "url": addSite(members.text("value"))
        case "totp": addOneTimePassword(members.secret("value"), field: name)
        default: add(name, members.secret("value"), isHidden: isSensitive || secretTypes.contains(type))
        }
        let history = members.objects("history")
        if !history.isEmpty { losses.append("\(history.count) former values of field \"\(name.printable)\"") }
        addRest(of: members, in: name)
    }

    /// Reads the former passwords, each with the date from which it was valid.
    private mutating func readEnpassHistory(_ members: inout JSONMembers) {
        var secrets: [FormerSecret] = []
        for element in members.objects("history") {
            var former = JSONMembers(element)
            if former.isTrue("encrypted") {
                losses.append("a former password is encrypted")
                continue
            }
            if let value = former.secret("value") {
                secrets.append(FormerSecret(value, time: former.date("updated_at")))
            }
            addRest(of: former, in: "history")
        }
        addFormerSecrets(secrets)
    }

    mutating func addEnpassAttachment(_ attachment: JSONNode) {
        var members = JSONMembers(attachment)
        let name = members.text("name") ?? ""
        if let content = members.base64("data") {
            attachments.append(Attachment(name, content))
        } else {
            losses.append("attachment \(name.printable): its content is missing or not base64")
        }
        members.skip("kind", "uuid", "order", "updated_at")
        addRest(of: members, in: "attachments")
    }
}
