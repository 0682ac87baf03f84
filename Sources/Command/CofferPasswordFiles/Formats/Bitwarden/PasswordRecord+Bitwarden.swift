internal import CofferBasics

extension PasswordRecord {
    mutating func readBitwardenLogin(_ login: JSONMembers) {
        var login = login
        account = login.text("username") ?? ""
        secret = login.secret("password")
        for address in login.objects("uris") { addBitwardenAddress(address) }
        addOneTimePassword(login.secret("totp"), field: "totp")
        for passkey in login.objects("fido2Credentials") { addBitwardenPasskey(passkey) }
        addRest(of: login, in: "login")
    }

    /// Adds an address, or a field for a rule that is not an address.
    private mutating func addBitwardenAddress(_ address: JSONNode) {
        var members = JSONMembers(address)
        let match = members.integer("match")
        switch match {
        case 4: add("address (regular expression)", members.secret("uri"))
        case 5: add("address (never)", members.secret("uri"))
        default:
            addSite(members.text("uri"))
            if let match, match != 0 { losses.append("address \(sites.count) has the match rule \(match)") }
        }
        members.skip("uriChecksum")
        addRest(of: members, in: "login.uris")
    }

    private mutating func addBitwardenPasskey(_ passkey: JSONNode) {
        var members = JSONMembers(passkey)
        guard let id = passkey["credentialId"]?.text.flatMap(Self.bitwardenCredentialID),
            let key = passkey["keyValue"]?.secret?.base64Decoded, !key.isEmpty
        else {
            losses.append("passkey without a valid key and identifier; kept as a field")
            return add("passkey", passkey, isHidden: true)
        }
        members.skip("credentialId", "keyValue", "keyType", "keyAlgorithm", "keyCurve", "discoverable")
        passkeys.append(
            Passkey(
                relyingParty: members.text("rpId") ?? "",
                userName: members.text("userName") ?? "",
                displayName: members.text("userDisplayName") ?? "",
                credentialID: id,
                userHandle: members.base64("userHandle")?.array ?? [],
                key: key
            )
        )
        if members.take("counter", { $0.integer == 0 ? $0 : nil }) == nil, passkey["counter"] != nil {
            losses.append("the counter of a passkey is not zero; it may be refused")
        }
        add(Self.name("rpName", in: "passkey"), members.secret("rpName"))
        add(Self.name("creationDate", in: "passkey"), members.secret("creationDate"))
        addRest(of: members, in: "passkey")
    }

    /// The bytes of a credential identifier: a UUID in text, or base64url after `b64.`.
    private static func bitwardenCredentialID(_ text: String) -> [UInt8]? {
        if text.hasPrefix("b64.") { return HeldSecret(text: String(text.dropFirst(4))).base64Decoded?.array }
        let digits = text.lowercased().filter { $0 != "-" }
        guard digits.utf8.count == 32 else { return nil }
        return [UInt8](hexDigits: digits)
    }

    /// Makes fields of all members: of a card, an identity, a key, or documents.
    mutating func readBitwardenFields(_ content: JSONMembers, as kind: Kind) {
        self.kind = kind
        content.forEachRest { name, value in add(name, value, isHidden: Self.isSecretName(name)) }
    }

    /// Adds a custom field: 0 is text, 1 hidden, 2 a Boolean, 3 a link to another field.
    mutating func addBitwardenField(_ field: JSONNode) {
        var members = JSONMembers(field)
        let name = members.text("name") ?? ""
        let type = members.integer("type")
        add(name, members.secret("value"), isHidden: type != 0 && type != 2)
        if let link = members.integer("linkedId") {
            let target = [100: "the user name", 101: "the password"][link] ?? "another value (\(link))"
            losses.append("field \"\(name.printable)\" is a link to \(target)")
        }
        addRest(of: members, in: "fields")
    }

    /// Adds former passwords, which the file has newest first.
    mutating func addBitwardenHistory(_ history: [JSONNode]) {
        var secrets: [FormerSecret] = []
        for element in history.reversed() {
            var members = JSONMembers(element)
            if let password = members.secret("password") {
                secrets.append(FormerSecret(password, time: members.date("lastUsedDate")))
            }
            addRest(of: members, in: "passwordHistory")
        }
        addFormerSecrets(secrets)
    }
}
