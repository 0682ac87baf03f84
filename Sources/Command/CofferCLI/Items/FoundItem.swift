internal import Coffer
internal import CofferBasics

/// An item of any class, which may have been read with its secret.
struct FoundItem {
    let itemClass: KeychainClass
    var attributes: AttributeValues
    let reference: PersistentReference
    let revision: ItemRevision
    let created: KeychainDate
    let modified: KeychainDate
    let hasSecret: Bool
    /// The secret if it was read with the item, or nil if the item has none.
    private(set) var secretRead: HeldSecret?? = nil
    /// Whether the item was deleted.
    var isDeleted = false

    init<Item: KeychainItem>(_ stored: Stored<Item>, secret: HeldSecret?? = nil) {
        secretRead = secret
        itemClass = Item.itemClass
        attributes = stored.item.attributes
        reference = stored.reference.persistentReference
        revision = stored.revision
        created = stored.created
        modified = stored.modified
        hasSecret = stored.hasSecret
    }

    /// The value of an attribute as text; nil if the item does not have it.
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

    /// The name of the item: the service or server of a password, the label of a certificate or key.
    var service: AttributeText {
        let name: AttributeName =
            switch itemClass {
            case .genericPassword: .service
            case .internetPassword: .server
            case .certificate, .key, .identity: .label
            }
        return text(name) ?? ""
    }

    /// The account; empty for a certificate or key.
    var account: AttributeText { text(.account) ?? "" }

    /// The path of an internet password; empty if it has none.
    var path: AttributeText { text(.path) ?? "" }

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

// Output of items.
extension FoundItem {
    /// What people call the item, for messages about the one that was named.
    var shownName: String {
        let account = account.isEmpty ? "" : " \(account.shown)"
        let port = if case .integer(let number)? = attributes[.port], number != 0 { ":\(number)" } else { "" }
        return "\(service.shown)\(port)\(account)"
    }

    /// The item on one line, distinguished from others of its name, for lists of candidates.
    var line: String { "\(shownName) in \(group.printable) (\(kind))" }

    /// A call of a verb for the item's name.
    func call(of verb: String, group: String? = nil) -> String {
        Self.call(of: verb, service, account.isEmpty ? nil : account, group: group)
    }

    /// A call of a verb for a name.
    static func call(
        of verb: String,
        _ service: AttributeText,
        _ account: AttributeText?,
        group: String? = nil
    ) -> String {
        // Without an account, such a word may be a service and an account.
        let isSplit = account == nil && !ItemWord.split(service.string ?? "").isEmpty
        return call(of: verb, [service.string, isSplit ? "" : account?.string].compactMap(\.self), group: group)
    }

    /// A call of a verb with operands.
    static func call(of verb: String, _ words: [String], group: String? = nil) -> String {
        let options = group.map { ["--group", $0.shellWord] } ?? []
        let dashes = words.contains { $0.hasPrefix("-") } ? ["--"] : []
        return (["coffer", verb] + options + dashes + words.map(\.shellWord)).joined(separator: " ")
    }

    private var kind: String { isDeleted ? "\(itemClass.shortName), deleted" : itemClass.shortName }

    /// The item as JSON: `Spec/command.md`, section 5.
    var json: JSON {
        var members: [(key: String, value: JSON)] = [
            ("class", .string(itemClass.shortName)),
            ("group", .string(group)),
            ("service", service.jsonUnlessEmpty),
            ("account", account.jsonUnlessEmpty),
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
            let port: JSON =
                if case .integer(let number)? = attributes[.port], number != 0 { .integer(number) } else { .null }
            let scheme = InternetProtocol(of: self).flatMap { InternetProtocol.scheme(of: $0) }
            members += [
                ("server", service.jsonUnlessEmpty),
                ("port", port),
                ("protocol", scheme.map { .string($0) } ?? JSON(text(.protocol))),
                ("path", path.jsonUnlessEmpty),
                ("securityDomain", (text(.securityDomain) ?? "").jsonUnlessEmpty),
                ("authenticationType", JSON(text(.authenticationType))),
            ]
        }
        return .object(members)
    }
}

extension AttributeText {
    /// The text with everything escaped that could control a terminal; bytes that are not UTF-8 as hexadecimal digits.
    var shown: String { string?.printable ?? "0x\(bytes.hexDigits)" }

    /// The text as JSON, or an object with the bytes if they are not UTF-8.
    var json: JSON { string.map { .string($0) } ?? ["hexadecimal": .string(bytes.hexDigits)] }

    /// The same, or null for a part of a name that is empty: Apple's keychain treats that as absent.
    var jsonUnlessEmpty: JSON { isEmpty ? .null : json }
}

extension JSON {
    init(_ text: AttributeText?) { self = text?.json ?? .null }

    init(_ date: KeychainDate?) { self = date.map { .string(Timestamp.utc($0)) } ?? .null }
}

extension KeychainClass {
    /// The name of the class in all output and for `--class`.
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
    /// The name of the protection class on the command line and in output.
    ///
    /// Printing the case would cost every command a twentieth of its time, to set up reflection.
    var commandName: String {
        switch self {
        case .whenUnlocked: "whenUnlocked"
        case .afterFirstUnlock: "afterFirstUnlock"
        case .always: "always"
        case .whenUnlockedThisDeviceOnly: "whenUnlockedThisDeviceOnly"
        case .afterFirstUnlockThisDeviceOnly: "afterFirstUnlockThisDeviceOnly"
        case .alwaysThisDeviceOnly: "alwaysThisDeviceOnly"
        case .whenPasscodeSetThisDeviceOnly: "whenPasscodeSetThisDeviceOnly"
        }
    }

    /// The protection class with this name.
    init(commandName: String) throws {
        let names = Self.allCases.map(\.commandName)
        guard let index = names.firstIndex(of: commandName) else {
            throw CommandError.unknown("protection class", commandName, among: names)
        }
        self = Self.allCases[index]
    }
}

extension PersistentReference {
    /// The reference as text: the class, a hyphen and the id of the item.
    var name: String { "\(itemClass.rawValue)-\(Array(bytes.dropFirst(4)).hexDigits)" }
}
