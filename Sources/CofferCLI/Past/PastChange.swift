internal import Coffer

/// What became of an item at one moment.
struct PastChange {
    /// What happened.
    enum Kind {
        case added
        /// The item was brought back after it had been deleted.
        case restored
        /// These attributes were changed, by the names that people give them; the secret too if it is among them.
        case changed([String])
        case deleted
        /// Nobody can tell: the state, or the one before it, is locked, damaged or not kept.
        case unknown
    }

    let kind: Kind
    /// The state that it led to; for a deletion the one that it ended.
    let state: FoundPast
    let date: KeychainDate?

    /// What happened, for people.
    var text: String {
        switch kind {
        case .added: "added"
        case .restored: "restored"
        case .changed(let names): names.isEmpty ? "saved without a change" : names.joined(separator: ", ")
        case .deleted: "deleted"
        case .unknown: "unknown"
        }
    }
}

extension ItemPast {
    /// What happened, the newest first.
    func changes(in keychain: Keychain) throws -> [PastChange] {
        var changes: [PastChange] = []
        for states in states {
            for (index, state) in states.enumerated() {
                // What ended a state without that another one began is a deletion.
                let next = index > 0 ? states[index - 1] : nil
                if let ended = state.ended, next.map({ $0.written != ended }) ?? true {
                    changes.append(PastChange(kind: .deleted, state: state, date: ended))
                }
                let before = index + 1 < states.count ? states[index + 1] : nil
                let kind = try kind(of: state, after: before, in: keychain)
                changes.append(PastChange(kind: kind, state: state, date: state.written))
            }
        }
        return changes
    }

    private func kind(
        of state: FoundPast,
        after before: FoundPast?,
        in keychain: Keychain
    ) throws -> PastChange.Kind {
        guard let before else { return state.revision.number == 1 ? .added : .unknown }
        if before.ended != state.written { return .restored }
        guard let new = state.attributes, let old = before.attributes else { return .unknown }
        let names = Set(new.values.keys).union(old.values.keys).filter { new[$0] != old[$0] }
        var shown: [String] = []
        for name in names.sorted(by: AttributeName.isBefore).map(AttributeName.shown) where !shown.contains(name) {
            shown.append(name)
        }
        do {
            let isSame = HeldSecret.areSame(try state.secret(in: keychain), try before.secret(in: keychain))
            return .changed((isSame ? [] : ["secret"]) + shown)
        } catch KeychainError.vault(let problem) where problem.kind == .damagedItem {
            // What cannot be compared may have changed.
            return .unknown
        }
    }
}
