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
                // A revision that ended without a following one was deleted. An import writes all at once.
                if let ended = state.ended, index == 0 || !states.contains(where: { $0.written == ended }) {
                    changes.append(HistoryChange(kind: .deleted, number: number, state: state, date: ended))
                }
                // Those with the same number were made in different copies.
                let before = states[(index + 1)...].first { past in
                    past.ended != nil && past.revision.number < state.revision.number
                }
                let isElsewhere = states.contains { $0.isLive(before: state) && $0.revision != before?.revision }
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
        if before.ended != state.written, !isElsewhere { return .restored }
        do {
            guard let changed = try state.differences(from: before, in: keychain) else { return .unknown }
            return before.ended == state.written ? .changed(changed) : .changedElsewhere(changed)
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

    /// Whether this revision was there when `other` was written, and did not end then.
    fileprivate func isLive(before other: FoundRevision) -> Bool {
        guard let start = written?.secondsSince1970, let moment = other.written?.secondsSince1970 else { return false }
        return start < moment && ended.map { $0.secondsSince1970 > moment } ?? true
    }
}
