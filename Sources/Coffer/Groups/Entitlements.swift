public import KeyedArchive

/// What a program has declared about itself: its name, and the access groups that it may use.
///
/// It is the property list that programs declare on Apple's systems, as XML or binary. All groups begin with the
/// prefix of the application identifier, which is the part up to its first dot, so that nobody lands in a group of
/// others by a slip of the pen; `$(AppIdentifierPrefix)` stands for it. What is not understood in the groups makes the
/// whole file invalid: a program that has declared something is never taken for one that has not.
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
    /// What the names of its groups begin with: the application identifier up to its first dot, and the dot.
    public let prefix: String
    /// The groups that it shares with other programs of its maker.
    public let keychainAccessGroups: [String]
    /// Other names that the program has, as on another platform.
    public let associatedApplicationIdentifiers: [String]
    /// The groups in which it shares more than a keychain.
    public let applicationGroups: [String]

    /// Reads the bytes of an entitlements file: a property list, as XML or binary, of 64 KiB at most.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - bundleIdentifier: What `$(CFBundleIdentifier)` stands for, if anything.
    /// - Throws: What is wrong, with line and key.
    public init(_ bytes: [UInt8], bundleIdentifier: String? = nil) throws(EntitlementsError) {
        self = try EntitlementsReader(bytes).entitlements(bundleIdentifier: bundleIdentifier)
    }

    /// Takes entitlements that are given in code.
    ///
    /// - Parameters:
    ///   - list: What would stand in the file.
    ///   - bundleIdentifier: What `$(CFBundleIdentifier)` stands for, if anything.
    /// - Throws: What is wrong, with the key.
    public init(_ list: PropertyList, bundleIdentifier: String? = nil) throws(EntitlementsError) {
        self = try EntitlementsReader(list).entitlements(bundleIdentifier: bundleIdentifier)
    }

    /// Makes entitlements of what has been checked.
    init(
        applicationIdentifier: String,
        prefix: String,
        keychainAccessGroups: [String],
        associatedApplicationIdentifiers: [String],
        applicationGroups: [String]
    ) {
        self.applicationIdentifier = applicationIdentifier
        self.prefix = prefix
        self.keychainAccessGroups = keychainAccessGroups
        self.associatedApplicationIdentifiers = associatedApplicationIdentifiers
        self.applicationGroups = applicationGroups
    }

    /// All groups of the program, in the order of Apple's keychain; items go to the first that name none.
    ///
    /// What is declared twice is there twice. Groups of tokens, which take no items, come last.
    public var accessGroups: [String] {
        let all =
            keychainAccessGroups + associatedApplicationIdentifiers + [applicationIdentifier] + applicationGroups
        return all.filter { !$0.isText(AccessGroups.token) } + all.filter { $0.isText(AccessGroups.token) }
    }

    /// Whether the program may use every group of the vault, because `*` stands among its groups.
    ///
    /// Few programs need that, so whoever looks after a vault is warned of it.
    public var opensAllGroups: Bool { keychainAccessGroups.contains { $0.isText(AccessGroups.wildcard) } }
}

extension AccessGroups {
    /// The groups that a program has declared in its entitlements.
    public init(_ entitlements: Entitlements) {
        self.init(declared: entitlements.accessGroups)
    }
}
