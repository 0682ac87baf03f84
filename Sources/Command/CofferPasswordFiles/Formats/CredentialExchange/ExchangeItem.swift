internal import CofferBasics

/// The records of an item, whose credentials may be of many types.
///
/// Most are parts of one record. A second user name, password or key becomes a record of its own.
struct ExchangeItem {
    var main: PasswordRecord
    private(set) var others: [PasswordRecord] = []

    /// - Parameter record: What the item has besides credentials.
    init(_ record: PasswordRecord) {
        main = record
    }

    /// What an item is, by the types of its credentials.
    static func kind(of credentials: [JSONNode]) -> PasswordRecord.Kind {
        let kinds = Set(credentials.map { kind(ofType: $0["type"]?.text ?? "") })
        let order: [PasswordRecord.Kind] = [.login, .card, .key, .wifi, .identity, .other]
        return order.first(where: kinds.contains) ?? kinds.first ?? .other
    }

    private static func kind(ofType type: String) -> PasswordRecord.Kind {
        switch type {
        case "basic-auth", "generated-password", "totp", "passkey", "public-key": .login
        case "note": .note
        case "credit-card": .card
        case "ssh-key": .key
        case "wifi": .wifi
        case "address", "person-name", "identity-document", "passport", "drivers-license": .identity
        default: .other
        }
    }

    // MARK: - Credentials

    /// Adds a credential.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - number: Its number in the item, from 1.
    ///   - title: Returns the title of another item by its identifier.
    mutating func add(_ credential: JSONNode, number: Int, titleOf title: (String) -> String?) {
        var members = JSONMembers(credential)
        let type = members.text("type") ?? ""
        switch type {
        case "basic-auth", "api-key", "ssh-key", "wifi", "generated-password":
            addSecret(&members, type: type, number: number)
        case "note": addNote(&members)
        case "totp": main.addExchangeGenerator(credential, &members)
        case "passkey", "public-key": main.addExchangePasskey(credential, &members)
        case "custom-fields":
            let section = members.text("label") ?? ""
            main.beginSection(section)
            members.skip("id")
            for field in members.elements("fields") { main.addExchangeField(field, in: section) }
            main.addRest(of: members, in: section)
        case "item-reference":
            var reference = members.members("reference")
            if let name = reference.text("item").flatMap(title) {
                main.add("refers to", text: name)
            } else {
                main.losses.append("a reference to an item that is not in the account")
            }
        default:
            if Self.kind(ofType: type) == .other {
                main.losses.append("unknown type \"\(type.printable)\" of credential; all of it is in fields")
            }
            main.addExchangeFields(members)
        }
    }

    /// Adds a credential that is mainly a secret, as a record of its own if the item has one already.
    private mutating func addSecret(_ members: inout JSONMembers, type: String, number: Int) {
        guard main.secret != nil || !main.account.isEmpty else {
            return main.readExchangeSecret(&members, type: type)
        }
        var other = PasswordRecord(Self.kind(ofType: type), at: "\(main.place), credential \(number)")
        (other.title, other.sites, other.folders, other.tags) = (main.title, main.sites, main.folders, main.tags)
        (other.created, other.changed, other.isFavorite) = (main.created, main.changed, main.isFavorite)
        other.readExchangeSecret(&members, type: type)
        others.append(other)
    }

    private mutating func addNote(_ members: inout JSONMembers) {
        let content = main.takeExchangeValue("content", of: &members)
        if main.kind == .note, main.secret == nil {
            main.secret = content
        } else if main.notes == nil {
            main.notes = content
        } else {
            main.add("note", content, isHidden: true)
        }
        main.addRest(of: members, in: "note")
    }
}
