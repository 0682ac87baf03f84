internal import VaultFormat

/// The access groups that a program may use; new items go to the first one.
///
/// ```swift
/// let open = AccessGroups(application: "com.example.mail")
/// let declared = AccessGroups(declared: ["TEAM.com.example.shared", "TEAM.com.example.mail"])
/// declared.names.first  // the group of items that do not name one
/// ```
public struct AccessGroups: Equatable, Sendable {
    /// How the groups restrict a program.
    public enum Level: Equatable, Sendable {
        /// The program has declared nothing: it may name any group, and sees only the first one if it names none.
        case open
        /// The program has declared its groups and is refused others; anyone who can open the vault could read all.
        case declared
        /// The vault was opened with a grant, whose keys open these groups and no others.
        case granted
    }

    /// How the groups restrict the program.
    public let level: Level
    /// The names of the groups; items that do not name a group go to the first one.
    public let names: [String]
    /// Whether a search without a group is about each of the groups, even if others may have stored items in them.
    private(set) var isAboutEachGroup = false

    /// The group of tokens, to which programs cannot add items.
    static let token = "com.apple.token"
    /// The name that stands for all groups.
    static let wildcard = "*"

    /// Creates the groups of a program that has declared nothing and is called `application`.
    public init(application: String) {
        level = .open
        names = [application]
    }

    /// Creates the groups that a program has declared.
    public init(declared names: [String]) {
        level = .declared
        self.names = names
    }

    /// Creates the groups of a vault that was opened with a grant.
    private init(granted names: [String]) {
        level = .granted
        self.names = names
    }

    /// Returns those of the groups that a grant gives; all, if `names` is nil because no grant opened the vault.
    ///
    /// A program that has declared no groups uses those of the grant.
    func limited(to names: [[UInt8]]?) -> AccessGroups {
        guard let granted = names?.map({ String(decoding: $0, as: UTF8.self) }) else { return self }
        guard level == .declared, !includeAllGroups else { return AccessGroups(granted: granted) }
        return AccessGroups(granted: self.names.filter { name in granted.contains { $0.isSameText(name) } })
    }

    /// These groups, for searches in which no group answers for the others: those of `SecItem`, and those whose result
    /// shows the group of each item.
    package var showingEach: AccessGroups {
        var groups = self
        groups.isAboutEachGroup = true
        return groups
    }

    /// Whether a call without a group is about all groups.
    var includeAllGroups: Bool { level == .declared && names.contains { $0.isSameText(Self.wildcard) } }

    /// The declared groups that items can be added to.
    var declaredNames: [[UInt8]] {
        guard level == .declared else { return [] }
        return names.filter { !$0.isSameText(Self.wildcard) && !$0.isSameText(Self.token) }.map { Array($0.utf8) }
            .filter { (1...Limits.groupNameByteCount).contains($0.count) }
    }

    /// Throws if the program has no group, or none that the operation can use.
    package func checkAny(for operation: ItemOperation) throws(KeychainError) {
        let usable = operation == .find ? names : names.filter { !$0.isSameText(Self.token) }
        guard !usable.isEmpty else { throw .notEntitled(.anyGroup) }
    }

    /// Throws if the program may not use the group.
    func check(_ name: String, for operation: ItemOperation) throws(KeychainError) {
        let isAllowed = level == .open || includeAllGroups || names.contains { $0.isSameText(name) }
        // The empty name is never a group, even if any group may be named.
        guard isAllowed, !name.isEmpty, operation == .find || !name.isSameText(Self.token) else {
            throw .notEntitled(.group(name))
        }
    }

    /// The group of items that do not name one.
    func defaultName(for operation: ItemOperation) throws(KeychainError) -> String {
        guard let name = names.first else { throw .notEntitled(.anyGroup) }
        try check(name, for: operation)
        return name
    }
}

extension AccessGroups {
    /// Returns the group that a request names, if it names one.
    ///
    /// The kinds of values that are accepted depend on the operation, as in Apple's keychain.
    package func named(_ value: ItemValue?, for operation: ItemOperation) throws(KeychainError) -> String? {
        guard let value else { return nil }
        let name: String
        switch (value, operation) {
        case (.string(let text), _): name = text
        case (.data(let bytes), .find):
            guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalid(.value(of: .accessGroup)) }
            name = text
        case (.data, _), (_, .update), (_, .delete): throw .notEntitled(.groupNotText)
        default: throw .invalid(.value(of: .accessGroup))
        }
        try check(name, for: operation)
        return name
    }
}

/// The four operations of a keychain.
package enum ItemOperation: Sendable {
    case add
    case find
    case update
    case delete
}
