internal import CofferBasics
internal import VaultFormat
internal import VaultStore

/// The contents of a vault, as far as they can be read.
package struct VaultSummary: Equatable, Sendable {
    /// The identifier of the vault, in hexadecimal digits.
    package let id: String
    /// The number of times that the file was rewritten.
    package let generation: UInt64
    package let byteCount: Int
    package let itemCount: Int
    /// The names of the groups, sorted.
    package let groups: [String]
    package let lastChange: KeychainDate?
}

/// The use of the bytes of a vault, and the number of its items.
package struct VaultSpace: Sendable {
    package let fileByteCount: Int
    /// The bytes by use, which together make up the file.
    package let uses: [(name: String, byteCount: Int)]
    /// The bytes by part of the file, without the reserve.
    package let parts: [(name: String, byteCount: Int)]
    /// The number of past revisions that can be read.
    package let pastRevisionCount: Int
    /// The number of items by group and class, in the order of the groups.
    package let counts: [(group: String, itemClass: KeychainClass, itemCount: Int)]
    /// Whether some groups are locked, so that their items are not counted.
    package let hasClosedGroups: Bool
}

// The condition of an open vault.
extension Vault {
    /// Returns the contents of the vault, as far as they can be read.
    package func facts() throws(VaultError) -> VaultSummary {
        let byteCount = try VaultError.converting { try store.byteCount() }
        return try read { vault in
            VaultSummary(
                id: vault.vault.description,
                generation: vault.header.generation,
                byteCount: byteCount,
                itemCount: vault.itemCount,
                groups: vault.groupNames.values.compactMap { String(validating: $0, as: UTF8.self) }.sorted(),
                lastChange: vault.lastChangeTime.map { KeychainDate($0) }
            )
        }
    }

    /// Returns the current use of the bytes of the vault, and the number of its items.
    package func space() throws(VaultError) -> VaultSpace {
        let report = try VaultError.converting { try store.spaceReport() }
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

    /// The number of names that several items have, since several machines added them.
    package var sharedNameCount: Int {
        get throws(VaultError) {
            try read { vault in
                var count = 0
                for group in vault.groupNames.keys { count += try vault.versions(in: vault.items(in: group)).count }
                return count
            }
        }
    }

    /// The number of items that only other devices can read, in the groups that are open.
    package var otherDeviceItemCount: Int {
        get throws(VaultError) {
            try read { vault in
                var items: Set<ItemName> = []
                for group in vault.groupNames.keys {
                    let live = try vault.liveRevisions(in: group)
                    items.formUnion(
                        live.filter { vault.keyring.presence(of: $0.dataKey) == .otherDevice }.map(\.name)
                    )
                }
                return items.count
            }
        }
    }

    /// Whether there are groups whose contents cannot be read here.
    package var hasClosedGroups: Bool {
        get throws(VaultError) { try read { vault in vault.keyring.hasClosedGroups } }
    }

    /// The finding that something is wrong with the end of the file; nil if nothing is.
    package var endFinding: VerificationSummary.Finding? {
        let (tail, offset) = store.tail
        return VerificationSummary.Finding(tail, at: offset)
    }

    /// The finding that the vault contradicts what this machine remembers of it; nil if it does not.
    package var historyFinding: VerificationSummary.Finding? {
        if case .anchor(let verdict)? = store.readOnlyReason { VerificationSummary.Finding(verdict) } else { nil }
    }

    /// The error that keeps what this machine remembers of the vault from being read, if any.
    package var memoryProblem: VaultError? {
        store.anchorFailure.map { VaultError.ofStore(.readOnly(.anchorUnreadable($0), path: path)) }
    }

    /// The last change that this machine remembers, if it remembers any.
    package var rememberedChange: UInt64? { store.anchor?.sequence }

    /// Whether the vault is an older copy of a file that this machine has at another place.
    package var isOlderCopy: Bool { store.olderCopy != nil }

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
    /// - Throws: ``VaultError`` if that cannot be recorded; then the vault or what this machine remembers is unchanged.
    package func acceptHistory() throws(VaultError) -> String? {
        let verdict: AnchorVerdict
        switch store.rollback ?? store.readOnlyReason {
        case .anchor(let contradiction): verdict = contradiction
        case .olderCopy: verdict = .rollback
        default: return nil
        }
        _ = try VaultError.converting { try store.acceptHistory() }
        return "\(verdict)"
    }
}
