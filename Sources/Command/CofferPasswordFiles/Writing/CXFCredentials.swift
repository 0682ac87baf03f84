internal import CofferBasics

/// Writes the credentials of an item in the Credential Exchange Format.
///
/// What has no credential of its own, such as one-time passwords that count uses, becomes a field.
struct CXFCredentials {
    private let json: JSONWriter
    private var fields: [(name: String, value: HeldSecret, isHidden: Bool)] = []

    init(to json: JSONWriter) {
        self.json = json
    }

    mutating func write(_ record: PasswordRecord, _ losses: inout ExportLosses) {
        var password = record.secret
        var notes = [record.notes]
        switch record.kind {
        case .note:
            notes.insert(password, at: 0)
            password = nil
        case .key:
            if let key = password { self.key(key, &losses) }
            password = nil
        default: break
        }
        login(record.account, losses.text(password))
        for uri in record.oneTimePasswords { oneTimePassword(uri, &losses) }
        for passkey in record.passkeys { write(passkey) }
        for note in notes {
            guard let note = losses.text(note), !note.isEmpty else { continue }
            credential("note") { editable("content", .string, note) }
        }
        if !record.realm.isEmpty {
            fields.append(("realm", HeldSecret(copying: record.realm.utf8Span.span), false))
        }
        for field in record.fields {
            if let value = losses.text(field.value) { fields.append((field.name, value, field.isHidden)) }
        }
        writeFields()
    }

    // MARK: - Credentials

    private func login(_ account: String, _ password: HeldSecret?) {
        guard !account.isEmpty || password != nil else { return }
        credential("basic-auth") {
            if !account.isEmpty { editable("username", .string, HeldSecret(copying: account.utf8Span.span)) }
            if let password { editable("password", .concealed, password) }
        }
    }

    private mutating func oneTimePassword(_ uri: HeldSecret, _ losses: inout ExportLosses) {
        let generator = uri.withSpan { try? OneTimePasswordURI($0) }
        // Importers read period and digits as numbers of a byte.
        guard let generator, case .time(let period) = generator.kind, !generator.isSteam, period <= 255 else {
            guard let uri = losses.text(uri) else { return }
            losses.add(.untypedOneTimePasswords)
            return fields.append(("one-time password", uri, true))
        }
        losses.add(.parameters, generator.others.count)
        credential("totp") {
            json.key("secret")
            json.string(generator.letters)
            json.key("period")
            json.number(period)
            json.key("digits")
            json.number(generator.digitCount)
            json.member("algorithm", generator.algorithm.rawValue.lowercased())
            if !generator.account.isEmpty { json.member("username", generator.account) }
            if !generator.issuer.isEmpty { json.member("issuer", generator.issuer) }
        }
    }

    private func write(_ passkey: PasswordRecord.Passkey) {
        credential("passkey") {
            json.key("credentialId")
            json.base64URL(passkey.credentialID.span)
            json.member("rpId", passkey.relyingParty)
            json.member("username", passkey.userName)
            json.member("userDisplayName", passkey.displayName)
            json.key("userHandle")
            json.base64URL(passkey.userHandle.span)
            json.key("key")
            passkey.key.withSpan { json.base64URL($0) }
        }
    }

    private mutating func key(_ key: HeldSecret, _ losses: inout ExportLosses) {
        guard let privateKey = PKCS8Key(key) else {
            guard let key = losses.text(key) else { return }
            losses.add(.keys)
            return fields.append(("private key", key, true))
        }
        credential("ssh-key") {
            json.member("keyType", privateKey.sshType)
            json.key("privateKey")
            privateKey.bytes.withSpan { json.base64URL($0) }
        }
    }

    // MARK: - Fields

    private enum FieldType: String {
        case string
        case concealed = "concealed-string"
    }

    private func writeFields() {
        guard !fields.isEmpty else { return }
        credential("custom-fields") {
            json.key("fields")
            json.array {
                for field in fields {
                    json.object {
                        members(field.isHidden ? .concealed : .string, field.value)
                        json.member("label", field.name)
                    }
                }
            }
        }
    }

    private func editable(_ name: String, _ type: FieldType, _ value: HeldSecret) {
        json.key(name)
        json.object { members(type, value) }
    }

    private func members(_ type: FieldType, _ value: HeldSecret) {
        json.member("fieldType", type.rawValue)
        json.key("value")
        json.string(value)
    }

    private func credential(_ type: String, _ members: () -> Void) {
        json.object {
            json.member("type", type)
            members()
        }
    }
}
