internal import VaultFormat
internal import VaultStore

/// The groups that a search is about, and which of them answer it.
///
/// The holder of a grant can store anything under any name in its groups, and only the owner of the vault sees which
/// groups are granted. So in a vault that has, or ever had, a grant, a search without a group is answered by a single
/// group. This is the only place that decides by which one.
struct SearchScope: Sendable {
    /// Which of the groups answer in a vault that has, or ever had, a grant.
    enum Answer {
        /// All of them.
        case all
        /// Those in `preferred` alone.
        case preferred
        /// The first one that has a match.
        case first
    }

    /// The names of the groups, in their order; nil for all.
    let names: [String]?
    /// The names of the groups that come before others, if the search is about them.
    let preferred: [String]
    let answer: Answer

    /// The names of the groups that may answer in this vault, in their order; nil for all.
    func names(in vault: borrowing OpenGeneration) -> [String]? {
        if answer == .preferred, vault.hasHadGrants { preferred } else { names }
    }

    /// Whether the first group with a match answers alone in this vault.
    func stopsAfterGroup(in vault: borrowing OpenGeneration) -> Bool {
        if answer == .first { vault.hasHadGrants } else { false }
    }

    /// The positions by which items of several groups are ordered, so that no item that was planted comes first; empty
    /// in a vault that never had a grant, where the age decides.
    func ranks(of groups: [GroupID], in vault: borrowing OpenGeneration) -> [GroupID: Int] {
        guard vault.hasHadGrants else { return [:] }
        var ordered: [GroupID] = []
        for name in preferred {
            if let group = vault.keyring.group(named: Array(name.utf8))?.group, groups.contains(group) {
                ordered.append(group)
            }
        }
        ordered += groups.filter { !ordered.contains($0) }
        return Dictionary(zip(ordered, ordered.indices)) { first, _ in first }
    }

    /// Returns the one of several groups in which an item with the same id is meant.
    ///
    /// - Throws: ``KeychainError/ambiguousReference`` if none of them is preferred.
    func group(of groups: Set<GroupID>, in vault: borrowing OpenGeneration) throws(KeychainError) -> GroupID? {
        guard groups.count > 1 else { return groups.first }
        for name in preferred {
            if let group = vault.keyring.group(named: Array(name.utf8))?.group, groups.contains(group) { return group }
        }
        throw .ambiguousReference
    }
}

extension AccessGroups {
    /// The groups that a query is about; `named` is the one that it names, if it does.
    func scope(of query: Query, named: String? = nil) -> SearchScope {
        if let named { return SearchScope(names: [named], preferred: [], answer: .all) }
        let first = names.prefix(1)
        if let reference = query.persistentReference {
            // A program that may name any group may also name an item in any group by its reference.
            let isAboutAll = includeAllGroups || level == .open
            let preferred = [reference.group].compactMap(\.self) + first
            return SearchScope(names: isAboutAll ? nil : names, preferred: preferred, answer: .all)
        }
        let answer: SearchScope.Answer =
            if isAboutEachGroup || !includeAllGroups && names.count == 1 { .all } else {
                level == .granted ? .first : .preferred
            }
        return SearchScope(names: includeAllGroups ? nil : names, preferred: Array(first), answer: answer)
    }
}

extension Keychain {
    /// Returns this keychain, for verbs that show in which group each item is: its searches are about all groups.
    package var showingEachGroup: Keychain { Keychain(self, showsEachGroup: true) }

    /// The groups of which the first with a match answers searches without a group; empty unless a grant gave them.
    package var groupsInTurn: [String] {
        get throws(KeychainError) {
            let groups = try groups
            return groups.level == .granted && !groups.isAboutEachGroup ? groups.names : []
        }
    }

    /// The group that alone answers searches without a group, because the vault has, or ever had, a grant; nil if all
    /// groups of the program do.
    package var answeringGroup: String? {
        get throws(KeychainError) {
            let scope = try groups.scope(of: Query(.genericPassword))
            guard scope.answer == .preferred else { return nil }
            return try readIfAny { (vault, _) in vault.hasHadGrants ? scope.preferred.first : nil } ?? nil
        }
    }
}
