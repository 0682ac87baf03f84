internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles

/// What an item with such a service adds to another one: `Spec/import.md`, section 3.
enum Companion: String, CaseIterable {
    case otp, fields, file, passkey
}

extension FoundItem {
    /// What the item adds to another one, and the names that this may have; nil if it stands for itself.
    ///
    /// An import may have added a number or a title in parentheses to the name, to tell it from others.
    var companion: (kind: Companion, names: [String])? {
        guard itemClass == .genericPassword, let service = service.string, let colon = service.firstIndex(of: ":"),
            let kind = Companion(rawValue: String(service[..<colon]))
        else { return nil }
        let name = service[service.index(after: colon)...]
        return (kind, [String(name)] + name.ranges(ofText: " (").map { String(name[..<$0.lowerBound]) }.reversed())
    }
}

/// The records that the items of a vault make up, the reverse of `NewItem.items(of:_:)`.
struct ExportedRecords {
    private(set) var all: [PasswordRecord] = []
    /// The records by the name and by the title of their item.
    private var places: [String: [Int]] = [:]
    private var placesByTitle: [String: [Int]] = [:]

    /// The records of items, each with its secret.
    init(_ items: [(item: FoundItem, secret: HeldSecret?)]) {
        for (item, secret) in items where item.companion == nil {
            add(PasswordRecord(item, secret: secret), item.service.string ?? "")
        }
        for (item, secret) in items {
            guard let (kind, names) = item.companion, let secret else { continue }
            let place = place(of: kind, names, item)
            all[place].add(kind, item, secret)
        }
    }

    private mutating func add(_ record: PasswordRecord, _ name: String) {
        places[name, default: []].append(all.count)
        placesByTitle[record.title, default: []].append(all.count)
        all.append(record)
    }

    /// The record to which an item belongs, a new one if there is none.
    private mutating func place(of kind: Companion, _ names: [String], _ item: FoundItem) -> Int {
        let (account, title) = (item.account.string ?? "", item.text(.label)?.string ?? "")
        // The service of a passkey is a site, which need not be the name of the item.
        for candidates in names.map({ places[$0] ?? [] }) + (kind == .passkey ? [placesByTitle[title] ?? []] : []) {
            let twin = candidates.first { all[$0].account == account && all[$0].title == title }
            let found =
                twin
                ?? candidates.first {
                    // The account of a file is its name, and that of a passkey may be another one.
                    kind == .otp || kind == .fields ? all[$0].account == account : all[$0].title == title
                }
            if let found { return found }
        }
        var record = PasswordRecord(at: item.line)
        (record.title, record.account) = (title.isEmpty ? names[0] : title, account)
        add(record, names[0])
        return all.count - 1
    }
}

extension PasswordRecord {
    /// The record of an item that stands for itself.
    fileprivate init(_ item: FoundItem, secret: HeldSecret?) {
        self.init(Kind(itemDescription: item.text(.itemDescription)?.string ?? ""), at: item.line)
        title = item.text(.label)?.string ?? item.service.string ?? ""
        account = item.account.string ?? ""
        realm = item.text(.securityDomain)?.string ?? ""
        self.secret = secret
        if let comment = item.text(.comment), !comment.isEmpty { notes = HeldSecret(copying: comment.bytes.span) }
        created = Int64(clamping: item.created.secondsSince1970)
        changed = Int64(clamping: item.modified.secondsSince1970)
        if item.itemClass == .internetPassword { sites = [ServerAddress(site: item).text] }
        // A card or an identity has its fields as its secret.
        guard kind != .login, kind != .note, let secret, takeFields(of: secret) else { return }
        self.secret = nil
    }

    /// Adds what another item has for this record.
    fileprivate mutating func add(_ kind: Companion, _ item: FoundItem, _ secret: HeldSecret) {
        switch kind {
        case .otp: oneTimePasswords.append(secret)
        case .file: attachments.append(Attachment(item.account.string ?? "", secret))
        case .fields: if !takeFields(of: secret) { fields.append(Field("fields", secret, isHidden: true)) }
        case .passkey:
            let facts = item.text(.generic).flatMap { try? JSONTree(HeldSecret(copying: $0.bytes.span)).root }
            func text(_ name: String) -> String { facts?[name]?.text ?? "" }
            passkeys.append(
                Passkey(
                    relyingParty: text("rpId"),
                    userName: text("userName"),
                    displayName: text("userDisplayName"),
                    credentialID: [UInt8](hexDigits: text("credentialId")) ?? [],
                    userHandle: [UInt8](hexDigits: text("userHandle")) ?? [],
                    key: secret
                )
            )
        }
    }

    /// What `ExtraRecord` has written, in a line for each value; nil if the secret is something else.
    static func lines(of secret: HeldSecret) -> HeldSecret? {
        var record = PasswordRecord(at: "")
        guard record.takeFields(of: secret) else { return nil }
        let flags = [("favorite", record.isFavorite), ("archived", record.isArchived)].filter(\.1)
        let texts =
            record.sites.map { ("site", $0) } + (record.realm.isEmpty ? [] : [("realm", record.realm)])
            + record.folders.map { ("folder", $0) } + record.tags.map { ("tag", $0) } + flags.map { ($0.0, "yes") }
        let fields =
            texts.map { Field($0, HeldSecret(copying: $1.printable.utf8Span.span)) } + record.fields
            + (record.notes.map { [Field("notes", $0)] } ?? [])
        let lines = SecretBuilder()
        for field in fields {
            if lines.byteCount > 0 { lines.append(UInt8(ascii: "\n")) }
            lines.append("\(field.name.printable): ".utf8)
            field.value.withSpan { lines.append(copying: $0) }
        }
        return lines.held
    }

    /// Takes what `ExtraRecord` has written; false if that is something else.
    private mutating func takeFields(of secret: HeldSecret) -> Bool {
        guard let root = try? JSONTree(secret).root, root.kind == .object, !root.isEmpty,
            root.members.allSatisfy({
                !$0.value.isEmpty && ExtraRecord.kinds[$0.name]?.contains($0.value.kind) ?? false
            })
        else { return false }
        let written = root["sites"]?.elements.compactMap(\.text) ?? []
        // The first one is also in the item, which may have only parts of it.
        let own = sites.first.flatMap { ServerAddress(site: $0) }
        let isWhole = written.first.map { ServerAddress(site: $0) == own } ?? false
        sites = (isWhole ? [] : sites) + written
        if let text = root["realm"]?.text { realm = text }
        folders = root["folders"]?.elements.compactMap(\.text) ?? folders
        tags = root["tags"]?.elements.compactMap(\.text) ?? tags
        (isFavorite, isArchived) = (root["favorite"] != nil, root["archived"] != nil)
        if let text = root["notes"] { notes = text.bytesOfValue }
        for field in root["fields"]?.elements ?? [] {
            let value = field["value"]?.bytesOfValue ?? HeldSecret(buffer: SecretBuffer(byteCount: 0))
            fields.append(Field(field["name"]?.text ?? "", value, isHidden: field["hidden"]?.text == "true"))
        }
        return true
    }
}

extension JSONNode {
    /// The value of a text, or of an object with `base64`.
    fileprivate var bytesOfValue: HeldSecret? {
        guard kind == .object else { return secret }
        return self["base64"]?.secret.flatMap { $0.withSpan { Encodings.base64($0) } }
    }
}

extension ServerAddress {
    /// The address of a site in a password file; one without a scheme is taken for https.
    init?(site: String) { self.init(site, withoutScheme: "https") }

    /// The address of an internet password in a password file.
    init(site item: FoundItem) {
        self.init(of: item)
        if scheme.isEmpty { scheme = "https" }
        // An import may have added a title after a number sign, to tell it from others.
        path = path.map { AttributeText(String(($0.string ?? "").prefix { $0 != "#" })) }
    }
}
