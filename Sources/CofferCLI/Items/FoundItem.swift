internal import Coffer
internal import CofferBasics

/// An item of any class, as the command finds it.
///
/// Its secret is not in it.
struct FoundItem {
    let itemClass: KeychainClass
    let attributes: AttributeValues
    let reference: PersistentReference
    let revision: ItemRevision
    let created: KeychainDate
    let modified: KeychainDate
    let hasSecret: Bool
    /// Whether it is there no more.
    var isDeleted = false

    init<Item: KeychainItem>(_ stored: Stored<Item>) {
        itemClass = Item.itemClass
        attributes = stored.item.attributes
        reference = stored.reference.persistentReference
        revision = stored.revision
        created = stored.created
        modified = stored.modified
        hasSecret = stored.hasSecret
    }

    /// The text of an attribute; nil if the item has none.
    func text(_ name: AttributeName) -> AttributeText? {
        switch attributes[name] {
        case .string(let text)?: AttributeText(text)
        case .data(let bytes)?: AttributeText(bytes: bytes)
        case .integer(let number)?: AttributeText(String(number))
        default: nil
        }
    }

    /// The access group.
    var group: String { text(.accessGroup)?.string ?? "" }

    /// What the item is called by: its service, or its server; of a certificate or key its label.
    var service: AttributeText {
        let name: AttributeName =
            switch itemClass {
            case .genericPassword: .service
            case .internetPassword: .server
            case .certificate, .key, .identity: .label
            }
        return text(name) ?? ""
    }

    /// Whose it is; nothing for a certificate or key.
    var account: AttributeText { text(.account) ?? "" }

    var accessibility: Accessibility? {
        if let control = attributes.accessControl { return control.accessibility }
        guard case .string(let name)? = attributes[.accessibility] else { return nil }
        return Accessibility(rawValue: name)
    }

    var isSynchronizable: Bool {
        switch attributes[.synchronizable] {
        case .bool(let flag)?: flag
        case .integer(let number)?: number != 0
        default: false
        }
    }
}

// How an item is shown.
extension FoundItem {
    /// The item on one line, for lists of candidates.
    var line: String {
        let account = account.isEmpty ? "" : " \(account.shown)"
        let port = if case .integer(let number)? = attributes[.port], number != 0 { ":\(number)" } else { "" }
        return "\(service.shown)\(port)\(account) in \(group.printable) (\(kind))"
    }

    private var kind: String { isDeleted ? "\(itemClass.shortName), deleted" : itemClass.shortName }

    /// The item for machines: `Spec/command.md`, section 5.
    var json: JSON {
        var members: [(key: String, value: JSON)] = [
            ("class", .string(itemClass.commandName)),
            ("group", .string(group)),
            ("service", service.json),
            ("account", account.json),
            ("label", JSON(text(.label))),
            ("description", JSON(text(.itemDescription))),
            ("comment", JSON(text(.comment))),
            ("created", JSON(created)),
            ("modified", JSON(modified)),
            ("revision", .string(revision.description)),
            ("accessible", JSON(accessibility?.commandName)),
            ("synchronizable", .bool(isSynchronizable)),
            ("hasSecret", .bool(hasSecret)),
            ("reference", .string(reference.name)),
        ]
        if itemClass == .internetPassword {
            let port: JSON = if case .integer(let number)? = attributes[.port] { .integer(number) } else { 0 }
            members += [
                ("server", service.json),
                ("port", port),
                ("protocol", JSON(text(.protocol))),
                ("path", (text(.path) ?? "").json),
                ("securityDomain", (text(.securityDomain) ?? "").json),
                ("authenticationType", JSON(text(.authenticationType))),
            ]
        }
        return .object(members)
    }
}

extension AttributeText {
    /// The text with everything escaped that a terminal could take for an order; bytes that are no text as hexadecimal
    /// digits.
    var shown: String { string?.printable ?? "0x\(bytes.hexadecimal)" }

    /// The text, or an object with the bytes that are no text.
    var json: JSON { string.map { .string($0) } ?? ["hexadecimal": .string(bytes.hexadecimal)] }
}

extension JSON {
    init(_ text: AttributeText?) { self = text?.json ?? .null }

    init(_ date: KeychainDate?) { self = date.map { .string(Timestamp.utc($0)) } ?? .null }
}

extension KeychainClass {
    /// How the command calls the class.
    var commandName: String {
        switch self {
        case .genericPassword: "genericPassword"
        case .internetPassword: "internetPassword"
        case .certificate: "certificate"
        case .key: "key"
        case .identity: "identity"
        }
    }

    /// How tables call the class.
    var shortName: String {
        switch self {
        case .genericPassword: "generic"
        case .internetPassword: "internet"
        case .certificate: "certificate"
        case .key: "key"
        case .identity: "identity"
        }
    }
}

extension Accessibility {
    /// How the command calls the class of protection.
    var commandName: String { "\(self)" }

    /// The class of protection that a word names.
    init(commandName: String) throws {
        let names = Self.allCases.map(\.commandName)
        guard let index = names.firstIndex(of: commandName) else {
            throw CommandError.unknown("class of protection", commandName, among: names)
        }
        self = Self.allCases[index]
    }
}

extension PersistentReference {
    /// The reference as text: the class, and what names the item.
    var name: String { "\(itemClass.rawValue)-\(Array(bytes.dropFirst(4)).hexadecimal)" }
}
