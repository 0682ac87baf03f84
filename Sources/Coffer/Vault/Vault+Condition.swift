internal import CofferBasics
internal import VaultFormat
internal import VaultStore

/// What is in a vault, as far as it is open.
package struct VaultFacts: Equatable, Sendable {
    /// The id of the vault, in hexadecimal digits.
    package let id: String
    /// How many times the file was written anew.
    package let generation: UInt64
    package let byteCount: Int
    package let itemCount: Int
    /// The names of the groups, sorted.
    package let groups: [String]
    package let lastChange: KeychainDate?
}

/// What the bytes of a vault are used for, and how many items it has.
package struct VaultSpace: Sendable {
    package let fileByteCount: Int
    /// What the bytes are used for, which together are the file.
    package let uses: [(name: String, byteCount: Int)]
    /// The parts of the file but for the reserve.
    package let parts: [(name: String, byteCount: Int)]
    /// States of items that are past and can be read.
    package let pastRevisionCount: Int
    /// The items by group and class, as the groups are sorted.
    package let counts: [(group: String, itemClass: KeychainClass, itemCount: Int)]
    /// Whether some groups are locked, so that their items are not counted.
    package let hasClosedGroups: Bool
}

// How a vault that is open was found.
extension Vault {
    /// What is in the vault, as far as it is open.
    package func facts() throws(VaultError) -> VaultFacts {
        let byteCount = try translating(VaultError.ofStore, store.byteCount())
        return try translating(
            VaultError.ofStore,
            store.read { vault in
                VaultFacts(
                    id: vault.vault.description,
                    generation: vault.header.generation,
                    byteCount: byteCount,
                    itemCount: vault.itemCount,
                    groups: vault.groupNames.values.compactMap { String(validating: $0, as: UTF8.self) }.sorted(),
                    lastChange: vault.lastChangeTime.map { KeychainDate($0) }
                )
            }
        )
    }

    /// What the bytes of the vault are used for now, and what is in it.
    package func space() throws(VaultError) -> VaultSpace {
        let report = try translating(VaultError.ofStore, store.spaceReport())
        return VaultSpace(
            fileByteCount: report.fileByteCount,
            uses: [
                ("live", report.liveByteCount), ("dead", report.deadByteCount), ("history", report.historyByteCount),
                ("reserve", report.reserveByteCount),
            ],
            parts: [
                ("head", report.headByteCount), ("snapshot", report.snapshotByteCount), ("log", report.logByteCount),
            ],
            pastRevisionCount: report.pastRevisionCount,
            counts: report.counts.map { count in
                (String(decoding: count.group, as: UTF8.self), KeychainClass(count.itemClass), count.itemCount)
            },
            hasClosedGroups: report.hasClosedGroups
        )
    }

    /// What is wrong with the end of the file; nil if nothing is.
    package var endFinding: VerificationSummary.Finding? {
        let (tail, offset) = store.tail
        return VerificationSummary.Finding(tail, at: offset)
    }

    /// The finding that the vault contradicts what this machine remembers of it; nil if there is none.
    package var historyFinding: VerificationSummary.Finding? {
        if case .anchor(let verdict)? = store.readOnlyReason { VerificationSummary.Finding(verdict) } else { nil }
    }

    /// The error that keeps what this machine remembers of the vault from being read, if any.
    package var memoryProblem: VaultError? {
        store.anchorFailure.map { VaultError.ofStore(.readOnly(.anchorUnreadable($0), path: path)) }
    }

    /// The last change that this machine remembers, if it remembers any.
    package var rememberedChange: UInt64? { store.anchor?.sequence }

    /// Describes the changes missing from the vault that this machine has seen; nil if none are missing.
    package var missingChanges: String? {
        store.rollback.map { reason in
            let verdict = if case .anchor(let verdict) = reason { verdict } else { AnchorVerdict.lostCommit }
            return "\(verdict)"
        }
    }

    /// Sets whether the vault can be read although changes are missing from it.
    package func acceptRollback(_ accepts: Bool) { store.acceptRollback(accepts) }

    /// Accepts the vault as it is, although it is older than it was or has another history.
    ///
    /// - Returns: What was accepted, in words; nil if there was nothing to accept.
    /// - Throws: Why that could not be noted; the vault stays as it is then, or the machine remembers what it did.
    package func acceptHistory() throws(VaultError) -> String? {
        guard case .anchor(let verdict)? = store.rollback else { return nil }
        _ = try translating(VaultError.ofStore, store.acceptHistory())
        return "\(verdict)"
    }
}
