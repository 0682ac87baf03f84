// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer
internal import Coffer

// What is known of open vaults, and what work on them reports.
extension FactsHandle {
    convenience init(_ summary: CompactionSummary) {
        self.init([
            [
                "bytes_before": ItemValue(summary.byteCountBefore), "bytes_after": ItemValue(summary.byteCountAfter),
                "dropped_revisions": ItemValue(summary.droppedRevisionCount),
                "carried_changes": ItemValue(summary.carriedChangeCount),
            ]
        ])
    }

    convenience init(_ summary: VerificationSummary) {
        var rows = summary.findings.map { finding -> [String: ItemValue?] in
            [
                "kind": .string(finding.kind.name), "description": .string(finding.description),
                "offset": finding.range.map { ItemValue($0.lowerBound) },
                "end": finding.range.map { ItemValue($0.upperBound) },
            ]
        }
        if rows.isEmpty { rows = [["kind": "none"]] }
        rows[0]["items"] = ItemValue(summary.itemCount)
        self.init(rows)
    }

    convenience init(_ summary: KeyChangeSummary) {
        self.init([
            [
                "resealed": ItemValue(summary.resealedItemCount), "carried": ItemValue(summary.carriedItemCount),
                "lost": ItemValue(summary.lostItemCount),
                "dropped_revisions": ItemValue(summary.droppedRevisionCount),
                "lost_grants": ItemValue(lines: summary.lostGrants),
            ]
        ])
    }

    convenience init(_ summary: MergeSummary) {
        self.init([
            [
                "added": ItemValue(summary.addedItemCount), "changed": ItemValue(summary.changedItemCount),
                "deleted": ItemValue(summary.deletedItemCount), "conflicts": ItemValue(summary.conflictCount),
                "past_revisions": ItemValue(summary.pastRevisionCount), "openings": ItemValue(summary.openingCount),
                "locked_groups": ItemValue(summary.lockedGroupCount), "has_other_keys": .bool(summary.hasOtherKeys),
                "change": summary.change.map { ItemValue($0) }, "left_out": ItemValue(summary.leftOut.count),
                "kept_path": summary.keptPath.map { .string($0) },
            ]
        ])
    }

    convenience init(_ which: coffer_vault_fact, of vault: Vault) throws {
        switch which {
        case COFFER_FACTS_VAULT:
            let history = try vault.historySettings
            self.init([
                [
                    "id": .string(try vault.facts().id), "path": .string(vault.path),
                    "groups": vault.grantedGroups.map { ItemValue(lines: $0) },
                    "revisions": history.revisions.map { ItemValue($0) }, "days": history.days.map { ItemValue($0) },
                    "read_only": vault.readOnlyProblem.map { .string($0.description) },
                ]
            ])
        case COFFER_FACTS_OPENING:
            self.init(
                vault.unlocking.steps.map { step in
                    ["source": .string(step.source.description), "outcome": .string(step.outcome.description)]
                }
            )
        case COFFER_FACTS_WARNINGS: self.init(vault.warnings.map { ["warning": .string($0)] })
        case COFFER_FACTS_SLOTS:
            self.init(
                try vault.slots.map { slot in
                    [
                        "id": .string(slot.id), "kind": .string(slot.kind.name), "created": slot.created.value,
                        "device": slot.kind.device.map { .string($0) },
                    ]
                }
            )
        case COFFER_FACTS_DEVICES:
            self.init(
                try vault.devices.map { device in
                    [
                        "id": .string(device.id), "created": device.created.value,
                        "is_this_machine": .bool(device.isThisMachine),
                    ]
                }
            )
        case COFFER_FACTS_GRANTS:
            self.init(
                try vault.grants.map { grant in
                    [
                        "id": .string(grant.id), "name": .string(grant.name), "groups": ItemValue(lines: grant.groups),
                        "created": grant.created.value, "expiry": grant.expiry?.value,
                        "has_expired": .bool(grant.hasExpired),
                    ]
                }
            )
        default: throw InvalidArgument("there are no facts \(which.rawValue)")
        }
    }
}

extension VaultSlot.Kind {
    fileprivate var device: String? { if case .device(let id) = self { id } else { nil } }

    fileprivate var name: String {
        switch self {
        case .passphrase: "passphrase"
        case .keyFile: "key_file"
        case .passphraseAndKeyFile: "passphrase_and_key_file"
        case .recoveryCode: "recovery_code"
        case .device: "device"
        case .recipient: "recipient"
        case .unknown: "unknown"
        }
    }
}

extension VerificationSummary.Finding.Kind {
    fileprivate var name: String {
        switch self {
        case .directory: "directory"
        case .damage: "damage"
        case .invalidItem: "invalid_item"
        case .invalidChange: "invalid_change"
        case .duplicates: "duplicates"
        case .end: "end"
        case .history: "history"
        }
    }
}

@c @implementation public func coffer_vault_facts(
    _ vault: OpaquePointer?,
    _ which: coffer_vault_fact,
    _ facts: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: facts, error) {
        try FactsHandle(which, of: unsafe VaultHandle.opened(vault))
    }
}

@c @implementation public func coffer_vault_verify(
    _ vault: OpaquePointer?,
    _ progress: coffer_progress?,
    _ context: UnsafeMutableRawPointer?,
    _ facts: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: facts, error) {
        let work = unsafe try VaultHandle.opened(vault).verification()
        return FactsHandle(try unsafe VaultHandle.perform(work, progress, context))
    }
}

@c @implementation public func coffer_vault_compact(
    _ vault: OpaquePointer?,
    _ progress: coffer_progress?,
    _ context: UnsafeMutableRawPointer?,
    _ facts: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: facts, isNeeded: false, error) {
        let work = unsafe try VaultHandle.opened(vault).compaction()
        return FactsHandle(try unsafe VaultHandle.perform(work, progress, context))
    }
}

@c @implementation public func coffer_vault_set_history(
    _ vault: OpaquePointer?,
    _ revisions: Int64,
    _ days: Int64,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        let vault = unsafe try VaultHandle.opened(vault)
        guard revisions >= -1, days >= -1 else { throw InvalidArgument("`revisions` and `days` are -1 or more") }
        var settings = HistorySettings(revisions: Int(revisions), days: Int(days))
        if revisions == -1 { settings.revisions = days == -1 ? Int(Int32.max) : nil }
        if days == -1 { settings.days = nil }
        try vault.setHistorySettings(settings)
    }
}

@c @implementation public func coffer_vault_undo(
    _ vault: OpaquePointer?,
    _ change: UInt64,
    _ facts: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: facts, isNeeded: false, error) {
        let undone = try unsafe VaultHandle.opened(vault).undo(change: change)
        return FactsHandle([["restored": ItemValue(undone.restored), "left_alone": ItemValue(undone.leftAlone)]])
    }
}

@c @implementation public func coffer_vault_merge(
    _ vault: OpaquePointer?,
    _ copy: OpaquePointer?,
    _ progress: coffer_progress?,
    _ context: UnsafeMutableRawPointer?,
    _ facts: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: facts, isNeeded: false, error) {
        let vault = unsafe try VaultHandle.opened(vault)
        let work = vault.merge(with: unsafe try VaultHandle.opened(copy, "copy"))
        return FactsHandle(try unsafe VaultHandle.perform(work, progress, context))
    }
}

@c @implementation public func coffer_vault_merge_preview(
    _ vault: OpaquePointer?,
    _ copy: OpaquePointer?,
    _ facts: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: facts, error) {
        let vault = unsafe try VaultHandle.opened(vault)
        return FactsHandle(try vault.mergePreview(with: unsafe VaultHandle.opened(copy, "copy")))
    }
}
