internal import Coffer
internal import CofferBasics

/// An option of the verbs of macOS that says something of a password.
struct PasswordTerm: Sendable {
    enum Kind: Sendable {
        case text
        /// Four letters, kept as they are.
        case letters
        /// Four letters, kept as a number.
        case code
        case port
    }

    let option: Option
    /// The attribute that it is about.
    let attribute: String
    let kind: Kind

    init(_ letter: String, _ attribute: String, _ value: String, _ summary: String, _ kind: Kind = .text) {
        // The last one counts, as with getopt.
        option = Option("-\(letter)", argument: .value(value, .nothing), summary: summary, isRepeatable: true)
        self.attribute = attribute
        self.kind = kind
    }

    /// The value that a word of the command line says; nil if it says nothing.
    func value(_ word: String) throws -> ItemValue? {
        switch kind {
        case .text: return .string(word)
        case .letters: return .string(try FourLetterCode.letters(word, of: option))
        case .code: return .integer(try FourLetterCode.number(word, of: option))
        case .port:
            guard let number = UInt16(word) else {
                throw CommandError.usage("-P takes the number of a port, from 0 to 65535, and not \(word.printable)")
            }
            return number == 0 ? nil : .integer(Int64(number))
        }
    }
}

/// A class of passwords that verbs of macOS deal with.
protocol ApplePassword: KeychainPassword {
    /// What options can say of it.
    static var terms: [PasswordTerm] { get }
    /// The attributes that tell one from another.
    static var keyAttributes: Set<String> { get }
    /// The attribute that is its label if nobody says another.
    static var nameAttribute: String { get }
}

extension PasswordTerm {
    fileprivate static let common = [
        PasswordTerm("l", "labl", "LABEL", "how people call it"),
        PasswordTerm("D", "desc", "KIND", "what kind of item it is"),
        PasswordTerm("j", "icmt", "COMMENT", "a comment"),
        PasswordTerm("c", "crtr", "CREATOR", "the program that made it, four letters", .code),
        PasswordTerm("C", "type", "TYPE", "its type, four letters", .code),
    ]
}

extension GenericPassword: ApplePassword {
    static let terms =
        [
            PasswordTerm("a", "acct", "ACCOUNT", "the account"),
            PasswordTerm("s", "svce", "SERVICE", "the service"),
        ] + PasswordTerm.common + [PasswordTerm("G", "gena", "VALUE", "its generic attribute")]
    static let keyAttributes: Set<String> = ["acct", "svce"]
    static let nameAttribute = "svce"
}

extension InternetPassword: ApplePassword {
    static let terms =
        [
            PasswordTerm("a", "acct", "ACCOUNT", "the account"),
            PasswordTerm("s", "srvr", "SERVER", "the server"),
            PasswordTerm("d", "sdmn", "DOMAIN", "the security domain"),
            PasswordTerm("p", "path", "PATH", "the path on the server"),
            PasswordTerm("P", "port", "PORT", "the port", .port),
            PasswordTerm("r", "ptcl", "PROTOCOL", "the protocol, four letters, such as htps", .letters),
            PasswordTerm("t", "atyp", "TYPE", "the authentication, four letters, such as dflt", .letters),
        ] + PasswordTerm.common
    static let keyAttributes: Set<String> = ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"]
    static let nameAttribute = "srvr"
}

/// What the options of a command line say of a password.
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

    /// What an item must be to be meant: all that is said, or as much of it as tells items apart.
    func conditions(onlyKey: Bool = false) -> [ItemCondition<Item>] {
        var conditions: [ItemCondition<Item>] = [.synchronizable(.any)]
        if let group { conditions.append(.group(group)) }
        for (name, value) in values where !onlyKey || Item.keyAttributes.contains(name) {
            conditions.append(.attribute(name, value))
        }
        return conditions
    }

    /// Gives an item what is said.
    func apply(to item: inout Item) {
        for (name, value) in values { item.attributes[name] = value }
    }

    /// A new item with what is said, and what macOS says of itself.
    func newItem() -> Item {
        var item = Item(attributes: AttributeValues())
        item.accessGroup = group
        if Item.itemClass == .internetPassword { item.attributes[.authenticationType] = "dflt" }
        apply(to: &item)
        if item.attributes[.label] == nil { item.attributes[.label] = item.attributes[Item.nameAttribute] }
        return item
    }
}
