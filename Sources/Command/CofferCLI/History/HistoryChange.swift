internal import CofferBasics
internal import Coffer

/// One change in the history of an item.
struct HistoryChange {
    /// What happened.
    enum Kind {
        case added
        /// The item was restored after a deletion.
        case restored
        /// These attributes changed, named as people see them; "secret" stands for the secret.
        case changed([String])
        /// These attributes were changed in another copy of the vault, while the item had another revision here.
        case changedElsewhere([String])
        case deleted
        /// Cannot be determined: the revision or the one before it is locked, damaged or not kept.
        case unknown
    }

    let kind: Kind
    /// The number of that revision: the oldest one that is kept is 1.
    let number: Int
    /// The revision that the change made; for a deletion the one that it ended.
    let state: FoundRevision
    let date: KeychainDate?

    /// The change in words.
    var text: String {
        switch kind {
        case .added: "added"
        case .restored: "restored"
        case .changed(let names): names.isEmpty ? "saved without changes" : names.joined(separator: ", ")
        case .changedElsewhere(let names): (["in another copy"] + names).joined(separator: ", ")
        case .deleted: "deleted"
        case .unknown: "unknown"
        }
    }
}

extension NameHistory {
    /// The changes, the newest first.
    func changes(in keychain: Keychain) throws -> [HistoryChange] {
        var changes: [HistoryChange] = []
        var number = revisions.count
        for states in states {
            for (index, state) in states.enumerated() {
                if let ended = state.ended, !states.contains(where: { $0.follows(state) }) {
                    changes.append(HistoryChange(kind: .deleted, number: number, state: state, date: ended))
                }
                // Those with the same number were made in different copies.
                let before = states[(index + 1)...].first { past in
                    past.ended != nil && past.revision.number < state.revision.number
                }
                let isElsewhere = states.contains { other in
                    other.revision != before?.revision && other.isLive(before: state, among: states)
                }
                let kind = try kind(of: state, after: before, isElsewhere: isElsewhere, in: keychain)
                changes.append(HistoryChange(kind: kind, number: number, state: state, date: state.date))
                number -= 1
            }
        }
        return changes
    }

    private func kind(
        of state: FoundRevision,
        after before: FoundRevision?,
        isElsewhere: Bool,
        in keychain: Keychain
    ) throws -> HistoryChange.Kind {
        guard let before else { return state.revision.number == 1 ? .added : .unknown }
        if !state.follows(before), !isElsewhere { return .restored }
        do {
            guard let changed = try state.differences(from: before, in: keychain) else { return .unknown }
            return isElsewhere && before.ended != state.written ? .changedElsewhere(changed) : .changed(changed)
        } catch KeychainError.vault(let problem) where problem.kind == .damagedItem {
            // Damaged secrets cannot be compared, so there may be a change.
            return .unknown
        }
    }
}

extension FoundRevision {
    /// In what this revision differs from another one, as people see it; "secret" stands for the secret.
    ///
    /// It is nil if the attributes of one of them cannot be read.
    func differences(from other: FoundRevision, in keychain: Keychain) throws -> [String]? {
        guard let new = attributes, let old = other.attributes else { return nil }
        let names = Set(new.values.keys).union(old.values.keys).filter { new[$0] != old[$0] }
        let isSame = try secret(in: keychain) == other.secret(in: keychain)
        var shown = isSame ? [] : ["secret"]
        for name in names.sorted(by: AttributeName.isBefore) {
            let title = AttributeName.shown(name)
            if !shown.contains(title) { shown.append(title) }
        }
        return shown
    }

    /// Whether this revision came directly after another one, which was not deleted in between.
    fileprivate func follows(_ other: FoundRevision) -> Bool {
        let step = revision.number.subtractingReportingOverflow(other.revision.number)
        guard !step.overflow else { return false }
        // An item that moves to another group skips a number.
        return step.partialValue == 1 || step.partialValue == 2 && other.ended == written
    }

    /// Whether this revision of those of an item was there when `other` was written, and did not end then.
    fileprivate func isLive(before other: FoundRevision, among states: [FoundRevision]) -> Bool {
        let moment = other.written.secondsSince1970
        // In this copy, it may have ended only when the other one was merged or imported.
        let ends = states.filter { $0.follows(self) }.map(\.written) + (ended.map { [$0] } ?? [])
        return written.secondsSince1970 < moment && ends.allSatisfy { $0.secondsSince1970 > moment }
    }
}
