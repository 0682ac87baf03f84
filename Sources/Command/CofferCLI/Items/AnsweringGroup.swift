internal import Coffer
internal import CofferBasics

// Searches without --group in a vault that has, or ever had, a grant: one group answers, and the others are named.
extension ItemSelection {
    /// The error that nothing matches in the groups that were searched.
    ///
    /// Its hints are the items with similar names. If the verb is one that shows items, the error names the other groups
    /// that have a match instead.
    func missing(
        in keychain: Keychain,
        namingOthers namesOthers: Bool = false,
        offering offered: (FoundItem) -> FoundItem? = { $0.canBeOffered ? $0 : nil }
    ) throws -> CommandError {
        let answering = group == nil ? try keychain.answeringGroup : nil
        if namesOthers, let answering {
            let groups = try groupsWithMatch(in: keychain)
            if !groups.isEmpty { return .inOtherGroups(groups, than: answering, description) }
        }
        var error = notFound
        let near = hints(in: keychain, offering: offered)
        if !near.isEmpty { error.hints = near }
        if let answering { error.hints.append(Self.reason(for: answering)) }
        return error
    }

    /// The groups with a match, whichever they are.
    private func groupsWithMatch(in keychain: Keychain) throws -> [String] {
        // This does not ask the user: the holder of a grant may have planted what matches.
        let found = try itemsByReadability(in: keychain.showingEachGroup, forDeletion: true)
        return found.items.map(\.group) + found.unreadable.filter(\.isMeant).map(\.accessGroup)
    }

    /// Whether other groups than the one that answers have a match.
    func isInOtherGroup(in keychain: Keychain) throws -> Bool {
        try group == nil && keychain.answeringGroup != nil && !groupsWithMatch(in: keychain).isEmpty
    }

    /// Why only one group was searched.
    fileprivate static func reason(for group: String) -> String {
        """
        only the group \(group.printable) was searched, because the vault has or had grants; --group names another
        """
    }
}

extension CommandError {
    /// The error that what is asked for is in other groups than the one that answers.
    fileprivate static func inOtherGroups(
        _ groups: [String],
        than answering: String,
        _ description: String
    ) -> CommandError {
        let names = Set(groups).sorted().map(\.printable)
        return CommandError(
            .ambiguous,
            "\(description): nothing in the group \(answering.printable), but in \(names.joined(separator: ", "))",
            hints: ["add \(names.map { "--group \($0.shellWord)" }.joined(separator: " or ")) if that is meant"]
        )
    }
}

extension CommandRun {
    /// Says what a new grant of some groups means for searches without a group.
    func explainGrant(of groups: [String], isFirst: Bool) throws {
        guard let answering = try vaults.groups().names.first else { return }
        if groups.contains(answering) {
            messages.warning(
                """
                new items go to the group \(answering.printable) unless --group is given, so the holder can read and \
                change them
                """
            )
        }
        guard isFirst else { return }
        messages.note("from now on only the group \(answering.printable) is searched without --group")
    }

    /// Says why nothing was found, for programs that are not told by an error.
    func explainAbsence(in keychain: Keychain) throws {
        guard arguments.value(of: .group) == nil, let answering = try keychain.answeringGroup else { return }
        messages.note(ItemSelection.reason(for: answering))
    }

    /// Returns those of the elements, which are from all groups, that belong to the group that answers, and names the
    /// groups of the others; all if all groups answer.
    func answering<Element>(
        _ elements: [Element],
        _ keychain: Keychain,
        _ description: String,
        groups: (Element) -> [String]
    ) throws -> [Element] {
        guard arguments.value(of: .group) == nil, let answering = try keychain.answeringGroup else { return elements }
        let own = elements.filter { groups($0).allSatisfy { $0 == answering } }
        let others = Set(elements.flatMap(groups)).subtracting([answering]).sorted()
        guard !others.isEmpty else { return own }
        guard !own.isEmpty else { throw CommandError.inOtherGroups(others, than: answering, description) }
        let names = others.map(\.printable).joined(separator: ", ")
        let kind = others.count == 1 ? "group" : "groups"
        messages.note("left out: what is in the \(kind) \(names); --group searches one")
        return own
    }
}
