internal import CofferBasics
public import KeyedArchive
internal import VaultFormat

/// The declaration of a program about itself: its name, and the access groups that it may use.
///
/// It is the property list that programs declare on Apple's systems, as XML or binary. Groups begin with the prefix of
/// the application identifier, the part up to its first dot, so that a typo cannot name a group of other programs;
/// `$(AppIdentifierPrefix)` stands for it. Only application groups may begin with `group.` instead, and `*` and
/// `com.apple.token` have no prefix. An error in the groups makes the whole file invalid, so that a program that has
/// declared something is never treated as one that has not.
///
/// ```swift
/// let entitlements = try Entitlements([
///     "application-identifier": "TEAM.com.example.mail",
///     "keychain-access-groups": ["$(AppIdentifierPrefix)com.example.shared"],
/// ])
/// entitlements.accessGroups  // ["TEAM.com.example.shared", "TEAM.com.example.mail"]
/// ```
public struct Entitlements: Equatable, Sendable {
    /// The name of the program, with its prefix.
    public let applicationIdentifier: String
    /// The prefix of the names of its groups: the application identifier up to and including its first dot.
    public let prefix: String
    /// The groups that the program shares with other programs of the same developer.
    public let keychainAccessGroups: [String]
    /// Other names of the program, such as on another platform.
    public let associatedApplicationIdentifiers: [String]
    /// The groups in which the program shares more than a keychain.
    public let applicationGroups: [String]
    /// The whole declaration, with these names instead of those with variables.
    private let list: PropertyList

    /// Reads the bytes of an entitlements file: a property list, as XML or binary, of at most 64 KiB.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - bundleIdentifier: The value of `$(CFBundleIdentifier)`, if any.
    /// - Throws: ``EntitlementsError`` with line and key, if the file is invalid.
    public init(_ bytes: [UInt8], bundleIdentifier: String? = nil) throws(EntitlementsError) {
        self = try EntitlementsReader(bytes).entitlements(
            of: EntitledProgram(bundleIdentifier: bundleIdentifier, name: bundleIdentifier)
        )
    }

    /// Creates entitlements that are given in code.
    ///
    /// - Parameters:
    ///   - list: The content of an entitlements file.
    ///   - bundleIdentifier: The value of `$(CFBundleIdentifier)`, if any.
    /// - Throws: ``EntitlementsError`` with the key, if a value is invalid.
    public init(_ list: PropertyList, bundleIdentifier: String? = nil) throws(EntitlementsError) {
        self = try EntitlementsReader(list).entitlements(
            of: EntitledProgram(bundleIdentifier: bundleIdentifier, name: bundleIdentifier)
        )
    }

    /// Reads the bytes of an entitlements file of a known program.
    init(_ bytes: [UInt8], of program: EntitledProgram) throws(EntitlementsError) {
        self = try EntitlementsReader(bytes).entitlements(of: program)
    }

    /// Creates entitlements from values that have been checked.
    init(
        applicationIdentifier: String,
        prefix: String,
        keychainAccessGroups: [String],
        associatedApplicationIdentifiers: [String],
        applicationGroups: [String],
        list: PropertyList
    ) {
        self.applicationIdentifier = applicationIdentifier
        self.prefix = prefix
        self.keychainAccessGroups = keychainAccessGroups
        self.associatedApplicationIdentifiers = associatedApplicationIdentifiers
        self.applicationGroups = applicationGroups
        self.list = list
    }

    /// The whole declaration as a binary property list, with all variables in names replaced.
    package func binaryEncoded() throws(EntitlementsError) -> [UInt8] {
        try EntitlementsError.converting { try list.binaryEncoded() }
    }

    /// All groups of the program, in the order of Apple's keychain; items that do not name a group go to the first one.
    ///
    /// Groups that are declared twice are listed twice. Groups of tokens, to which no items can be added, come last.
    public var accessGroups: [String] {
        let all =
            keychainAccessGroups + associatedApplicationIdentifiers + [applicationIdentifier] + applicationGroups
        return all.filter { !$0.isSameText(AccessGroups.token) } + all.filter { $0.isSameText(AccessGroups.token) }
    }

    /// Whether the program may use every group of the vault, because `*` is one of its groups.
    ///
    /// Few programs need that, so `coffer` warns about it.
    public var opensAllGroups: Bool { keychainAccessGroups.contains { $0.isSameText(AccessGroups.wildcard) } }
}

extension AccessGroups {
    /// Creates the groups that a program has declared in its entitlements.
    public init(_ entitlements: Entitlements) {
        self.init(declared: entitlements.accessGroups)
    }
}

/// A name in entitlements, as written in the file.
struct EntitlementsName {
    let text: String

    init(_ value: PropertyList) throws(EntitlementsError.Kind) {
        guard let text = value.string else { throw .notText }
        self.text = text
    }

    /// Returns the name with its variables replaced, which must begin with one of `prefixes` and go on after it.
    func expanded(_ variables: [String: String], prefixes: [String]) throws(EntitlementsError.Kind) -> String {
        let name = try expanded(variables)
        // Bytes are compared, since a dot followed by a combining accent is one character that is not a dot.
        guard let prefix = prefixes.first(where: { name.utf8.starts(with: $0.utf8) }) else {
            throw .wrongPrefix(allowed: prefixes)
        }
        guard name.utf8.count > prefix.utf8.count else { throw .emptyName }
        return name
    }

    /// Returns the name with its variables replaced, if a group may have this name.
    func expanded(_ variables: [String: String]) throws(EntitlementsError.Kind) -> String {
        var rest = text.utf8[...]
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "$"), let bracket = rest.first, let end = Self.ends[bracket] else {
                bytes.append(byte)
                continue
            }
            let variable = rest.dropFirst().prefix { $0 != end }
            let name = String(decoding: variable, as: UTF8.self)
            // Other forms that Xcode accepts, such as braces and modifiers, are rejected: they have no value here.
            guard bracket == UInt8(ascii: "("), variable.endIndex < rest.endIndex, let value = variables[name] else {
                throw .unknownVariable(String(shortenedForReport: name))
            }
            bytes += value.utf8
            rest = rest[variable.endIndex...].dropFirst()
        }
        return try Self.checked(String(decoding: bytes, as: UTF8.self))
    }

    /// The bytes that close a variable, by the byte after its `$`.
    private static let ends = [UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "{"): UInt8(ascii: "}")]

    static func checked(_ name: String) throws(EntitlementsError.Kind) -> String {
        guard !name.isEmpty else { throw .emptyName }
        guard !name.utf8.contains(0) else { throw .zeroByte }
        guard name.utf8.count <= Limits.groupNameByteCount else {
            throw .nameTooLong(byteCount: name.utf8.count, limit: Limits.groupNameByteCount)
        }
        return name
    }
}
