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
        if let apple = record.appleItem, let item = NewItem(apple, record, &losses) {
            // A note of macOS may have a file besides its text, and an attribute may be malformed.
            var extra = ExtraRecord()
            extra.fields = record.fields
            return [item] + companions(of: record, item.companionName, extra, &losses)
        }
        let address = record.kind == .login ? record.sites.first.flatMap { ServerAddress(site: $0) } : nil
        let notes = record.notes.flatMap { $0.isEmpty ? nil : $0 }
        let isShort = (notes?.byteCount ?? 0) <= commentByteCountLimit
        let comment = isShort ? notes?.text.string ?? "" : ""
        // A record with nothing but, say, a one-time password has no item of its own.
        let hasItem = record.secret != nil || record.isBare || !comment.isEmpty || !record.formerSecrets.isEmpty
        var extra = ExtraRecord(record, besides: hasItem ? address : nil)
        if comment.isEmpty { extra.notes = notes }
        let name = address?.server.string ?? record.nameWithoutSite
        var main = main(of: record, address, name, comment: comment)
        if main.secret == nil, record.kind != .login, !extra.isEmpty {
            main.secret = extra.json
            extra = ExtraRecord()
        }
        let items = main.secret != nil || hasItem ? [main] : []
        return (items + companions(of: record, name, extra, &losses)).map { item in
            var item = item
            (item.created, item.modified) = (
                record.created.map(KeychainDate.init), record.changed.map(KeychainDate.init)
            )
            return item
        }
    }

    /// The items that belong to the item of a record, which has this name.
    private static func companions(
        of record: PasswordRecord,
        _ name: String,
        _ extra: ExtraRecord,
        _ losses: inout [String]
    ) -> [NewItem] {
        var items = record.oneTimePasswords.enumerated().map { index, uri in
            companion("otp", of: name, record, number: index, "one-time password", secret: uri)
        }
        items += record.passkeys.map { NewItem($0, record) }
        for attachment in record.attachments {
            guard attachment.content.byteCount <= Keychain.secretByteCountLimit else {
                let size = ByteSize.text(attachment.content.byteCount)
                losses.append("\(record.name): the file \(attachment.name.printable) is too large (\(size))")
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
        return items
    }

    private static func main(
        of record: PasswordRecord,
        _ address: ServerAddress?,
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
            item.former = record.formerSecrets.map { Revision(secret: $0.secret) }
            return item
        }
        attributes[.server] = address.server.string
        attributes[.path] = address.path?.string
        attributes[.securityDomain] = record.realm
        var item = NewItem(.internetPassword, attributes, secret: record.secret)
        item.attributes[.protocol] = (address.itemProtocol?.rawValue).map { .string($0) }
        if address.port > 0 { item.attributes[.port] = .integer(Int64(address.port)) }
        item.former = record.formerSecrets.map { Revision(secret: $0.secret) }
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
    private init?(_ item: PasswordRecord.AppleItem, _ record: PasswordRecord, _ losses: inout [String]) {
        switch item.itemClass {
        case "genp": itemClass = .genericPassword
        case "inet": itemClass = .internetPassword
        default: return nil
        }
        secret = record.secret
        (created, modified) = (record.created.map(KeychainDate.init), record.changed.map(KeychainDate.init))
        attributes = AttributeValues()
        let known = AppleAttribute.all(of: itemClass)
        for (name, value) in item.attributes {
            guard let attribute = known.first(where: { $0.name.rawValue == name }) else {
                // The vault would refuse the whole import.
                losses.append("\(record.name): attribute \(name.printable)")
                continue
            }
            let text = AttributeText(bytes: value).string.map { ItemValue.string($0) } ?? .data(value)
            switch (attribute.name, attribute.kind) {
            // The dates are those of the record.
            case (_, .date): break
            case (.protocol, _): attributes[name] = text
            case (.generic, _): attributes[name] = .data(value)
            case (_, .blob): attributes[name] = text
            case (_, .number), (_, .signedNumber), (_, .keyNumber):
                // Four bytes, the highest first; 0 is the same as no number.
                let number = value.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
                guard number != 0 else { continue }
                let isSigned = attribute.kind == .signedNumber
                attributes[name] = .integer(isSigned ? Int64(Int32(bitPattern: number)) : Int64(number))
            }
        }
    }

    /// The name of the item in the services of those that belong to it.
    private var companionName: String {
        let name: AttributeName = itemClass == .internetPassword ? .server : .service
        return if case .string(let text)? = attributes[name] { text } else { "" }
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
