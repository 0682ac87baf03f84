internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat

// Changing who opens the vault, section 10.2: the file is replaced by one with other keys. Processes that opened it
// with something that no longer opens it get `keysChanged`.
extension VaultStore {
    // MARK: - Adding slots

    /// Returns slots around the vault's user root, to be filled and then added.
    package func slotAddition(argon2Limits: Argon2Limits = .writer) throws -> SlotAddition {
        try serve {
            let (cipher, user, _) = try owner()
            return SlotAddition(
                try SlotDraft(
                    cipher: cipher,
                    userRoot: user.key,
                    epoch: user.epoch,
                    environment: environment,
                    argon2Limits: argon2Limits
                )
            )
        }
    }

    /// Adds slots and devices, or a grant, by a compaction.
    @discardableResult
    package func add(
        _ addition: some KeybagAddition,
        progress: @escaping (CompactionProgress) -> Bool = { _ in true }
    ) throws -> CompactionReport {
        var request = CompactionRequest()
        request.addition = addition
        for _ in 0..<Self.maximumReplacementCount {
            do {
                return try compact(request, progress: progress)
            } catch {
                // Another process compacted the vault, without the addition.
                guard case StoreError.replacedMeanwhile = error else { throw error }
            }
        }
        throw StoreError.busy(path: path, holder: nil)
    }

    /// How often others may replace the file before an addition gives up.
    private static let maximumReplacementCount = 4

    // MARK: - Rotating

    /// Returns slots around a new user root, to be filled and then rotated to.
    package func rotation(argon2Limits: Argon2Limits = .writer) throws -> Rotation {
        try serve {
            let (cipher, _, epoch) = try owner()
            guard epoch < .max else { throw StoreError.keyChange(.noEpochLeft, path: path) }
            return Rotation(
                try SlotDraft(cipher: cipher, epoch: epoch + 1, environment: environment, argon2Limits: argon2Limits)
            )
        }
    }

    /// Renews all keys, and seals everything under the new ones.
    ///
    /// The writer's lock is held meanwhile: others can read, and writers wait. The store continues with the new keys.
    /// If something fails, the file stays as it is.
    ///
    /// - Throws: `keyChange` if something would be lost that `rotation` does not allow to be lost.
    @discardableResult
    package func rotate(
        to rotation: Rotation,
        progress: @escaping (CompactionProgress) -> Bool = { _ in true }
    ) throws -> RotationReport {
        let (result, change) = try changeKeys(progress: progress) { vault in
            try rotation.change(of: vault)
        }
        return RotationReport(result, change, leftOutSlots: rotation.leftOutSlots(of: result.formerKeybag))
    }

    // MARK: - Devices that come back

    /// Whether keys were created or changed while a device that is here was absent: see ``settleDevices(progress:)``.
    package var needsSettling: Bool {
        get throws {
            try read { vault in
                guard vault.keyring.isOwner else { return false }
                guard vault.keyring.staleDataKeys.isEmpty else { return true }
                return try !vault.missingWraps().isEmpty
            }
        }
    }

    /// Gives the devices that are here the wraps that they lack, and moves items from an earlier epoch to the newest.
    ///
    /// A rotation leaves items in an earlier epoch if their device is absent. Settling replaces the file, unless one
    /// or two records are enough. If nothing is due, nothing is done.
    ///
    /// - Returns: The number of items that were moved.
    @discardableResult
    package func settleDevices(
        progress: @escaping (CompactionProgress) -> Bool = { _ in true }
    ) throws -> Int {
        let (missing, isStale) = try read { vault in
            _ = try vault.owner
            return (try vault.missingWraps(), !vault.keyring.staleDataKeys.isEmpty)
        }
        guard isStale || !missing.isEmpty else { return 0 }
        let needsReplacement = isStale || missing.contains { if case .structureKey = $0 { true } else { false } }
        guard needsReplacement else {
            try transaction { transaction in
                try transaction.append(try transaction.vault.missingWraps())
            }
            return 0
        }
        let (result, _) = try changeKeys(progress: progress) { vault in
            try vault.keyring.changeForReturningDevices(vault.verifiedKeybag, records: vault.unverifiedKeys)
        }
        return result.items.resealedItemCount
    }

    /// Returns the vault's cipher, its user root, and the greatest epoch.
    private func owner() throws -> (Cipher, (key: Key, epoch: UInt32), UInt32) {
        try read { vault in
            guard let user = vault.keyring.roots.user else {
                throw StoreError.keyChange(.ownerNeeded, path: vault.path)
            }
            return (vault.cipher, user, vault.keyring.greatestEpoch)
        }
    }
}

// MARK: - Replacing

extension VaultStore {
    /// The result of a replacement.
    struct KeyChangeResult {
        var generation: UInt64
        var sizes: FileReplacement.Sizes
        var items: Rewrite.Report
        var formerKeybag: Keybag
    }

    /// Replaces the file by one with the keys that `change` returns, while nobody else writes.
    func changeKeys(
        progress: @escaping (CompactionProgress) -> Bool,
        change: (OpenGeneration) throws -> KeyChange
    ) throws -> (KeyChangeResult, KeyChange) {
        try serve {
            guard opener.location.place != nil else { throw unavailable(.noDirectory) }
            // Before waiting for a lock, which a read-only file does not allow.
            try checkReplaceable(currentReadOnlyReason())
            try enterAsWriter(exclusively: true)
            defer { writers.leave() }
            if let log = sharedLog { try follow(log) }
            return try untilFirst {
                let (old, byteCount) = try viewToReplace()
                let change = try change(old)
                var items = Rewrite.Report()
                let sizes = try replaceFile(old, byteCount: byteCount, roots: { _ in change.roots }, progress) {
                    try publish(&$0)
                } writing: { file, progress in
                    _ = try Rewrite.write(old, change: change, to: file, &items, progress: progress)
                    // What is added meanwhile would be sealed under keys that go.
                    return nil
                }
                guard let sizes else { throw StoreError.replacedMeanwhile(path: path) }
                let result = KeyChangeResult(
                    generation: old.header.generation + 1,
                    sizes: sizes,
                    items: items,
                    formerKeybag: old.prelude.keybag
                )
                return (result, change)
            }
        }
    }
}

extension OpenGeneration {
    /// Returns the wraps that the devices here lack, of keys that they may have by themselves.
    fileprivate func missingWraps() throws -> [KeybagEntry] {
        try keyring.missingWraps(in: verifiedKeybag, of: Set(keyring.roots.devices.keys))
    }
}

extension RotationReport {
    init(_ result: VaultStore.KeyChangeResult, _ change: KeyChange, leftOutSlots: [SlotID] = []) {
        generation = result.generation
        byteCountBefore = result.sizes.before
        byteCountAfter = result.sizes.after
        resealedItemCount = result.items.resealedItemCount
        carriedItemCount = result.items.carriedItemCount
        lostItemCount = result.items.lostItemCount
        droppedRevisionCount = result.items.droppedRevisionCount
        invalidRecordCount = result.items.invalidRecordCount
        self.leftOutSlots = leftOutSlots
        omittedRecipients = change.omittedRecipients
        omittedWays = change.omittedWays
    }
}
