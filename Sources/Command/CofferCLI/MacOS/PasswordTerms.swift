internal import Coffer
internal import CofferBasics

/// An option of the macOS verbs that sets or matches an attribute of a password.
struct PasswordTerm: Sendable {
    enum Kind: Sendable {
        case text
        /// Four letters, stored as text.
        case letters
        /// Four letters, stored as a number.
        case code
        case port
    }

    let option: Option
    /// The attribute that the option sets or matches.
    let attribute: String
    let kind: Kind

    init(_ letter: String, _ attribute: String, _ value: String, _ summary: String, _ kind: Kind = .text) {
        // If repeated, the last one counts, as with getopt.
        option = Option("-\(letter)", argument: .value(value, .nothing), summary: summary, isRepeatable: true)
        self.attribute = attribute
        self.kind = kind
    }

    /// The value for a word of the command line; nil for port 0, which means none.
    func value(_ word: String) throws -> ItemValue? {
        switch kind {
        case .text: return .string(word)
        case .letters: return .string(try FourLetterCode.letters(word, of: option))
        case .code: return .integer(try FourLetterCode.number(word, of: option))
        case .port:
            guard let number = UInt16(word) else {
                throw CommandError.usage("invalid port \(word.printable) for -P: must be from 0 to 65535")
            }
            return number == 0 ? nil : .integer(Int64(number))
        }
    }
}

/// A class of passwords for the macOS verbs.
protocol ApplePassword: KeychainPassword {
    /// The options for its attributes.
    static var terms: [PasswordTerm] { get }
    /// The attributes that identify a password.
    static var keyAttributes: Set<String> { get }
    /// The attribute that serves as the label if none is given.
    static var nameAttribute: String { get }
}

extension PasswordTerm {
    fileprivate static let common = [
        PasswordTerm("l", "labl", "LABEL", "label"),
        PasswordTerm("D", "desc", "KIND", "kind of item"),
        PasswordTerm("j", "icmt", "COMMENT", "comment"),
        PasswordTerm("c", "crtr", "CREATOR", "creator (four letters)", .code),
        PasswordTerm("C", "type", "TYPE", "type (four letters)", .code),
    ]
}

extension GenericPassword: ApplePassword {
    static let terms =
        [
            PasswordTerm("a", "acct", "ACCOUNT", "account"),
            PasswordTerm("s", "svce", "SERVICE", "service"),
        ] + PasswordTerm.common + [PasswordTerm("G", "gena", "VALUE", "generic attribute")]
    static let keyAttributes: Set<String> = ["acct", "svce"]
    static let nameAttribute = "svce"
}

extension InternetPassword: ApplePassword {
    static let terms =
        [
            PasswordTerm("a", "acct", "ACCOUNT", "account"),
            PasswordTerm("s", "srvr", "SERVER", "server"),
            PasswordTerm("d", "sdmn", "DOMAIN", "security domain"),
            PasswordTerm("p", "path", "PATH", "path on the server"),
            PasswordTerm("P", "port", "PORT", "port", .port),
            PasswordTerm("r", "ptcl", "PROTOCOL", "protocol (four letters, such as htps)", .letters),
            PasswordTerm("t", "atyp", "TYPE", "authentication type (four letters, such as dflt)", .letters),
        ] + PasswordTerm.common
    static let keyAttributes: Set<String> = ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"]
    static let nameAttribute = "srvr"
}

/// The attributes that the options of a command line give for a password.
struct PasswordTerms<Item: ApplePassword>: Sendable {
    private(set) var values: [(name: String, value: ItemValue)] = []
    let group: String?

    init(_ arguments: ParsedArguments) throws {
        group = arguments.value(of: .group)
        for term in Item.terms {
            guard let word = arguments.value(of: term.option), let value = try term.value(word) else { continue }
            values.append((term.attribute, value))
        }
    }

    /// The conditions for an item to match: all given attributes, or only those that identify items.
    func conditions(onlyKey: Bool = false) -> [ItemCondition<Item>] {
        var conditions: [ItemCondition<Item>] = [.synchronizable(.any)]
        if let group { conditions.append(.group(group)) }
        for (name, value) in values where !onlyKey || Item.keyAttributes.contains(name) {
            conditions.append(.attribute(name, value))
        }
        return conditions
    }

    /// Sets the given attributes on an item.
    func apply(to item: inout Item) {
        for (name, value) in values { item.attributes[name] = value }
    }

    /// A new item with the given attributes and the defaults of macOS.
    func newItem() -> Item {
        var item = Item(attributes: AttributeValues())
        item.accessGroup = group
        if Item.itemClass == .internetPassword { item.attributes[.authenticationType] = "dflt" }
        apply(to: &item)
        if item.attributes[.label] == nil { item.attributes[.label] = item.attributes[Item.nameAttribute] }
        return item
    }
}
