internal import CofferBasics
package import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// A grant that is added to a vault, section 3.5.
private struct GrantAddition: KeybagAddition {
    let id: GrantID
    let name: [UInt8]
    /// The names of the groups; those that do not exist are made.
    let groups: [[UInt8]]
    let recipient: [UInt8]
    let expiry: Time?
    let created: Time

    func apply(to keybag: inout Keybag, of vault: OpenGeneration) throws {
        var keyring = vault.keyring
        var ids: [GroupID] = []
        for group in groups { ids.append(try Self.id(ofGroup: group, in: &keybag, of: &keyring)) }
        let terms = GrantTerms(
            id: id,
            created: created,
            expiry: expiry,
            recipient: recipient,
            name: name,
            groups: ids
        )
        _ = try keybag.add([terms], openedWith: vault.keyring.roots, vault.cipher)
        try keybag.check()
    }

    private static func id(
        ofGroup name: [UInt8],
        in keybag: inout Keybag,
        of keyring: inout Keyring
    ) throws -> GroupID {
        if let known = keyring.group(named: name) { return known.group }
        guard let made = try? keyring.makeGroup(named: name) else { throw KeyChangeObstacle.ownerNeeded }
        keybag.entries += made.entries
        return made.group.group
    }
}

/// A recipient slot that is added to a vault, section 3.1.
private struct RecipientAddition: KeybagAddition {
    let id: SlotID
    let publicKey: [UInt8]
    let created: Time

    func apply(to keybag: inout Keybag, of vault: OpenGeneration) throws {
        let user = try vault.owner
        guard let secret = try vault.keyring.teamSecret(in: keybag) else { throw Fault(.missing) }
        let slot = try RecipientSlot(
            sealing: user.key,
            epoch: user.epoch,
            id: id,
            created: created,
            publicKey: publicKey,
            teamSecret: secret,
            cipher: vault.cipher
        )
        keybag.entries.append(.recipient(slot))
        try keybag.check()
    }
}

extension VaultStore {
    /// Returns the grants of the vault, and the names of their groups; only its owner knows them.
    package func grants() throws -> [(terms: GrantTerms, groups: [[UInt8]])] {
        try read { vault in
            _ = try vault.owner
            let names = Dictionary(vault.keyring.groupNames.map { ($0.key.group, $0.value) }) { $1 }
            return vault.keyring.grants.map { ($0, $0.groups.compactMap { names[$0] }) }
        }
    }

    /// Adds a grant of `groups` to the recipient with this X25519 public key.
    package func issueGrant(
        _ id: GrantID,
        named name: [UInt8],
        of groups: [[UInt8]],
        to recipient: [UInt8],
        until expiry: Time? = nil
    ) throws {
        let addition = GrantAddition(
            id: id,
            name: name,
            groups: groups,
            recipient: recipient,
            expiry: expiry,
            created: now
        )
        try add(addition)
    }

    /// Lets the holder of the secret for this X25519 public key open the whole vault.
    package func addRecipient(_ id: SlotID, publicKey: [UInt8]) throws {
        try add(RecipientAddition(id: id, publicKey: publicKey, created: now))
    }

    /// Returns the vault's id and the public half of its team key, which an owner knows to be the right one.
    package func team() throws -> (vault: VaultID, key: [UInt8]) {
        try read { vault in
            _ = try vault.owner
            guard let team = vault.opening.teamKey else { throw StoreError.refused(.missing) }
            return (vault.vault, team)
        }
    }

    /// Returns whether a grant or a recipient slot has this id.
    package func hasGrantOrSlot(_ id: GrantID) throws -> Bool {
        try read { vault in
            vault.keyring.grants.contains { $0.id == id }
                || vault.prelude.keybag.recipients.contains { $0.id.bytes == id.bytes }
        }
    }

    /// Returns the names of the groups that the grant which opened the vault gives, in its order; nil if none did.
    package var grantedGroups: [[UInt8]]? { state.withLock { $0.generation.keyring.grantedGroupNames } }

    /// The time, by the clock of the machine.
    var now: Time { Time(microseconds: environment.time.wallMicroseconds()) }

    /// Revokes grants: they are left out, and the keys that they held are renewed.
    ///
    /// The holders keep what they have copied, and can no longer open what is written from now on.
    @discardableResult
    package func revokeGrants(
        _ grants: Set<GrantID>,
        progress: @escaping (CompactionProgress) -> Bool = { _ in true }
    ) throws -> RotationReport {
        let (result, change) = try changeKeys(progress: progress) { vault in
            let user = try vault.owner
            guard vault.keyring.greatestEpoch < .max else { throw StoreError.keyChange(.noEpochLeft, path: vault.path) }
            let keybag = vault.verifiedKeybag
            var order = RotationRequest(
                userRoot: user.key,
                epoch: vault.keyring.greatestEpoch + 1,
                entries: keybag.slots.map(KeybagEntry.slot),
                newDeviceRoots: [:]
            )
            order.rootEpoch = user.epoch
            order.groups = Set(vault.keyring.grants.filter { grants.contains($0.id) }.flatMap(\.groups))
            order.revokedGrants = grants
            return try vault.keyring.rotated(keybag, records: vault.unverifiedKeys, order)
        }
        return RotationReport(result, change)
    }

    /// Revokes the grants that have expired, and those that were revoked in another copy, before the owner writes
    /// something that their holders could read.
    ///
    /// If that fails, it is recorded like a failed compaction, and the next change tries again.
    func revokeEndedGrants() {
        let now = now
        let ended: Set<GrantID> = state.withLock { state in
            let vault = state.generation
            guard !vault.keyring.grants.isEmpty else { return [] }
            let revoked = vault.settings?.revocations ?? Revocations()
            return Set(vault.keyring.grants.filter { $0.hasExpired(at: now) || revoked.has($0) }.map(\.id))
        }
        guard !ended.isEmpty else { return }
        do {
            try revokeGrants(ended)
            state.withLock { $0.failedCompaction = nil }
        } catch StoreError.keyChange(.grantIsUnknown, _) {
            // Another process of an owner was faster.
        } catch {
            state.withLock { $0.failedCompaction = ($0.generation.position.offset, error) }
        }
    }
}
