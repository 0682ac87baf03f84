internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles

// What becomes of a record of a password file: `Spec/import.md`, section 3.
extension NewItem {
    /// Longer notes are not attributes, which are read whenever items are listed.
    private static let commentByteCountLimit = 4096

    /// The items of a record, the most important one first.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - losses: What no item can hold, in words.
    /// - Returns: The items.
    static func items(of record: PasswordRecord, _ losses: inout [String]) -> [NewItem] {
        if let item = record.appleItem.flatMap({ NewItem($0, record) }) { return [item] }
        let address = record.sites.first.flatMap { SiteAddress($0) }
        let isWeb = record.kind == .login && address != nil
        var extra = ExtraRecord(record, isFirstSiteStored: isWeb)
        var comment = ""
        if let notes = record.notes, !notes.isEmpty {
            let isShort = notes.bytes.byteCount <= commentByteCountLimit
            if isShort, let text = notes.text.string { comment = text } else { extra.notes = notes }
        }
        let name = isWeb ? address?.host ?? "" : record.nameWithoutSite
        var main = main(of: record, isWeb ? address : nil, name, comment: comment)
        var items: [NewItem] = []
        if main.secret == nil, record.kind != .login, !extra.isEmpty {
            main.secret = extra.json
            extra = ExtraRecord()
        }
        // A record with nothing but, say, a one-time password has no item of its own.
        if main.secret != nil || record.isBare { items.append(main) }
        items += record.oneTimePasswords.enumerated().map { index, uri in
            companion("otp", of: name, record, number: index, "one-time password", secret: uri)
        }
        items += record.passkeys.map { NewItem($0, record) }
        for attachment in record.attachments {
            guard attachment.content.bytes.byteCount <= Keychain.secretByteCountLimit else {
                let size = ByteSize.text(attachment.content.bytes.byteCount)
                losses.append("\(record.place): the file \(attachment.name.printable) is too large (\(size))")
                continue
            }
            var file = companion("file", of: name, record, number: 0, "file", secret: attachment.content)
            file.attributes[.account] = .string(attachment.name)
            items.append(file)
        }
        if !extra.isEmpty {
            var fields = companion("fields", of: name, record, number: 0, "fields", secret: extra.json)
            fields.attributes[.isInvisible] = .integer(1)
            items.append(fields)
        }
        return items.map { item in
            var item = item
            (item.created, item.modified) = (
                record.created.map(KeychainDate.init), record.changed.map(KeychainDate.init)
            )
            return item
        }
    }

    private static func main(
        of record: PasswordRecord,
        _ address: SiteAddress?,
        _ name: String,
        comment: String
    ) -> NewItem {
        var attributes: [AttributeName: String] = [
            .account: record.account, .label: record.title, .comment: comment,
            .itemDescription: record.kind.itemDescription,
        ]
        guard let address else {
            attributes[.service] = name
            var item = NewItem(.genericPassword, attributes, secret: record.secret)
            item.formerSecrets = record.formerSecrets.map(\.secret)
            return item
        }
        attributes[.server] = address.host
        attributes[.path] = address.path == "/" ? "" : address.path
        attributes[.securityDomain] = record.realm
        var item = NewItem(.internetPassword, attributes, secret: record.secret)
        item.attributes[.protocol] = InternetProtocol(scheme: AttributeText(address.scheme)).rawValue.string.map {
            .string($0)
        }
        if address.port > 0 { item.attributes[.port] = .integer(Int64(address.port)) }
        item.formerSecrets = record.formerSecrets.map(\.secret)
        return item
    }

    /// An item that belongs to another one, which its service names.
    private static func companion(
        _ kind: String,
        of name: String,
        _ record: PasswordRecord,
        number: Int,
        _ description: String,
        secret: HeldSecret
    ) -> NewItem {
        let service = "\(kind):\(name)" + (number > 0 ? " (\(number + 1))" : "")
        let attributes: [AttributeName: String] = [
            .service: service, .account: record.account, .label: record.title, .itemDescription: description,
        ]
        return NewItem(.genericPassword, attributes, secret: secret)
    }

    private init(_ passkey: PasswordRecord.Passkey, _ record: PasswordRecord) {
        self.init(
            .genericPassword,
            [
                .service: "passkey:\(passkey.relyingParty)", .account: passkey.userName, .label: record.title,
                .itemDescription: "passkey",
            ],
            secret: passkey.key
        )
        let facts: JSON = [
            "rpId": .string(passkey.relyingParty), "userName": .string(passkey.userName),
            "userDisplayName": .string(passkey.displayName),
            "credentialId": .string(passkey.credentialID.hexDigits),
            "userHandle": .string(passkey.userHandle.hexDigits),
        ]
        attributes[.generic] = .data(Array(facts.text.utf8))
    }

    /// An item as the file of macOS describes it; nil if it is no password.
    private init?(_ item: PasswordRecord.AppleItem, _ record: PasswordRecord) {
        switch item.itemClass {
        case "genp": itemClass = .genericPassword
        case "inet": itemClass = .internetPassword
        default: return nil
        }
        secret = record.secret
        (created, modified) = (record.created.map(KeychainDate.init), record.changed.map(KeychainDate.init))
        attributes = AttributeValues()
        for (name, value) in item.attributes {
            let text = AttributeText(bytes: value)
            switch AttributeName(name) {
            case .port?, .creator?, .type?, .scriptCode?, .isInvisible?, .isNegative?:
                attributes[name] = text.string.flatMap { Int64($0) }.map { .integer($0) }
            case .generic?: attributes[name] = .data(value)
            default: attributes[name] = text.string.map { .string($0) } ?? .data(value)
            }
        }
    }
}

extension PasswordRecord {
    /// The name of an item that is not for a site.
    fileprivate var nameWithoutSite: String {
        if !title.isEmpty { return title }
        return sites.first ?? (account.isEmpty ? "imported" : account)
    }

    /// Whether there is nothing in the record besides its name.
    fileprivate var isBare: Bool { oneTimePasswords.isEmpty && passkeys.isEmpty && attachments.isEmpty }
}

extension PasswordRecord.Kind {
    private static let descriptions: [PasswordRecord.Kind: String] = [
        .login: "", .note: "secure note", .card: "card", .identity: "identity", .key: "key", .wifi: "Wi-Fi password",
        .other: "record",
    ]

    /// The kind as the description of an item; empty for a login.
    fileprivate var itemDescription: String { Self.descriptions[self] ?? "" }

    /// The kind of an item with a description; any other one is a login.
    init(itemDescription: String) {
        self = Self.descriptions.first { $0.value == itemDescription }?.key ?? .login
    }
}

extension KeychainDate {
    fileprivate init(_ seconds: Int64) { self.init(secondsSince1970: Double(seconds)) }
}
