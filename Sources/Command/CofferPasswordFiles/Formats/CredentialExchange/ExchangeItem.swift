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

extension PasswordRecord {
    // MARK: - Fields

    /// Takes the value of an editable field: a text, or an object with it.
    ///
    /// What else the object has becomes fields.
    mutating func takeExchangeValue(_ name: String, of members: inout JSONMembers) -> HeldSecret? {
        guard let field = members.take(name) else { return nil }
        if field.isScalar { return field.secret }
        var parts = JSONMembers(field)
        parts.skip("id", "fieldType")
        let value = parts.secret("value")
        addRest(of: parts, in: name)
        return value
    }

    /// Adds a field that the user has made.
    mutating func addExchangeField(_ field: JSONNode, in section: String) {
        guard field.kind == .object else { return add(Self.name("field", in: section), field, isHidden: true) }
        var parts = JSONMembers(field)
        parts.skip("id")
        let name = Self.name(parts.text("label") ?? "field", in: section)
        let type = parts.text("fieldType") ?? ""
        add(name, parts.secret("value"), isHidden: type.isEmpty || type == "concealed-string")
        addRest(of: parts, in: name)
    }

    /// Makes fields of all members of a credential: of a card, a person, a document, or an unknown one.
    mutating func addExchangeFields(_ credential: JSONMembers) {
        credential.forEachRest { name, value in
            var parts = JSONMembers(value)
            guard parts.isObject, let text = parts.secret("value") else {
                return add(name, value, isHidden: !value.isScalar || Self.isSecretName(name))
            }
            parts.skip("id")
            let isConcealed = parts.text("fieldType") == "concealed-string"
            add(name, text, isHidden: isConcealed || Self.isSecretName(name))
            addRest(of: parts, in: name)
        }
    }

    // MARK: - Credentials

    /// Reads a credential that is mainly a secret, into a record that has none.
    mutating func readExchangeSecret(_ members: inout JSONMembers, type: String) {
        switch type {
        case "basic-auth":
            account = takeExchangeValue("username", of: &members)?.text ?? ""
            secret = takeExchangeValue("password", of: &members)
            // Drafts had the addresses here.
            for address in members.elements("urls") { addSite(address.text ?? address["value"]?.text) }
        case "api-key":
            account = takeExchangeValue("username", of: &members)?.text ?? ""
            secret = takeExchangeValue("key", of: &members)
            addSite(takeExchangeValue("url", of: &members)?.text)
        case "wifi":
            account = takeExchangeValue("ssid", of: &members)?.text ?? ""
            secret = takeExchangeValue("passphrase", of: &members)
        case "ssh-key":
            secret = members.base64("privateKey")?.withSpan(PrivateKeyPEM.encoded)
            if secret == nil { losses.append("the private key is missing or not base64") }
        default: secret = takeExchangeValue("password", of: &members)
        }
        addExchangeFields(members)
    }

    mutating func addExchangeGenerator(_ credential: JSONNode, _ members: inout JSONMembers) {
        do throws(OneTimePasswordError) {
            guard let secret = members.secret("secret") else { throw .noSecret }
            var generator = try secret.withSpan { letters throws(OneTimePasswordError) in
                try OneTimePasswordURI(letters: letters)
            }
            if let name = members.text("algorithm") {
                generator.algorithm = try OneTimePasswordURI.Algorithm(named: name)
            }
            generator.digitCount = try OneTimePasswordURI.digitCount(members.text("digits"), isSteam: false)
            generator.kind = try OneTimePasswordURI.time(period: members.text("period"))
            generator.issuer = members.text("issuer") ?? ""
            let userName = members.text("username") ?? ""
            if !userName.isEmpty {
                generator.label = [generator.issuer, userName].filter { !$0.isEmpty }.joined(separator: ":")
            }
            add(generator)
            addRest(of: members, in: "totp")
        } catch {
            losses.append("the one-time password was kept as a field: \(error.description)")
            add("totp", credential, isHidden: true)
        }
    }

    mutating func addExchangePasskey(_ credential: JSONNode, _ members: inout JSONMembers) {
        func decoded(_ name: String) -> HeldSecret? { credential[name]?.secret?.base64Decoded }
        guard let key = decoded("key"), !key.isEmpty, let id = decoded("credentialId"), !id.isEmpty else {
            losses.append("passkey without a valid key and identifier; kept as a field")
            return add("passkey", credential, isHidden: true)
        }
        members.skip("key", "credentialId")
        // Drafts had other names.
        let userName = members.text("username") ?? members.text("userName") ?? ""
        passkeys.append(
            Passkey(
                relyingParty: members.text("rpId") ?? "",
                userName: userName,
                displayName: members.text("userDisplayName") ?? members.text("displayName") ?? "",
                credentialID: id.array,
                userHandle: members.base64("userHandle")?.array ?? [],
                key: key
            )
        )
        addRest(of: members, in: "passkey")
    }
}
