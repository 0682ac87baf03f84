/// Which access groups a program may use, in its order.
///
/// ```swift
/// let open = AccessGroups(application: "com.example.mail")
/// let declared = AccessGroups(declared: ["TEAM.com.example.shared", "TEAM.com.example.mail"])
/// declared.names.first  // where items go that name no group
/// ```
public struct AccessGroups: Equatable, Sendable {
    /// How much the groups mean.
    public enum Level: Equatable, Sendable {
        /// Nothing was declared: any group may be named, and who names none sees only the first.
        case open
        /// The program has declared its groups: others are refused. Who can open the vault could read them all the same.
        case declared
    }

    /// How much the groups mean.
    public let level: Level
    /// The groups; the first is where items go that name none.
    public let names: [String]

    /// Groups of tokens, which no program fills.
    static let token = "com.apple.token"
    /// What stands for all groups.
    static let wildcard = "*"

    /// The groups of a program that has declared nothing, and is called `application`.
    public init(application: String) {
        level = .open
        names = [application]
    }

    /// The groups that a program has declared.
    public init(declared names: [String]) {
        level = .declared
        self.names = names
    }

    /// Whether a call without a group is about all groups.
    var areAll: Bool { level == .declared && names.contains { $0.isText(Self.wildcard) } }

    /// Throws if the program has no group at all, or none that it may fill.
    package func checkAny(for operation: ItemOperation) throws(KeychainError) {
        let usable = operation == .find ? names : names.filter { !$0.isText(Self.token) }
        guard !usable.isEmpty else { throw .notEntitled(.anyGroup) }
    }

    /// Throws if the program may not use the group.
    func check(_ name: String, for operation: ItemOperation) throws(KeychainError) {
        let isAllowed = level == .open || areAll || names.contains { $0.isText(name) }
        // A group without a name is nobody's, whatever else may be named.
        guard isAllowed, !name.isEmpty, operation == .find || !name.isText(Self.token) else {
            throw .notEntitled(.group(name))
        }
    }

    /// Where items go that name no group.
    func defaultName(for operation: ItemOperation) throws(KeychainError) -> String {
        guard let name = names.first else { throw .notEntitled(.anyGroup) }
        try check(name, for: operation)
        return name
    }
}

extension AccessGroups {
    /// The group that a request names, if it names one.
    ///
    /// Which kinds of values do depends on the operation, as Apple's keychain has it.
    package func named(_ value: ItemValue?, for operation: ItemOperation) throws(KeychainError) -> String? {
        guard let value else { return nil }
        let name: String
        switch (value, operation) {
        case (.string(let text), _): name = text
        case (.data(let bytes), .find):
            guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalid(.value(of: .accessGroup)) }
            name = text
        case (.data, _), (_, .update), (_, .delete): throw .notEntitled(.groupOfAnotherKind)
        default: throw .invalid(.value(of: .accessGroup))
        }
        try check(name, for: operation)
        return name
    }
}

/// The four things that a keychain does.
package enum ItemOperation: Sendable {
    case add
    case find
    case update
    case delete
}
