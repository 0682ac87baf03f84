internal import CofferBasics

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
