internal import CofferBasics
package import VaultCrypto

extension KeyChange {
    /// Makes the grants of the vault anew, since they hold the keys that have changed.
    mutating func renewGrants(_ grants: [GrantTerms], _ cipher: Cipher) throws {
        keybag.entries.removeAll { if case .grant = $0 { true } else { false } }
        teamSecret = grants.isEmpty ? nil : try keybag.add(grants, openedWith: roots, cipher)
    }
}

extension Keybag {
    /// Adds grants of the keys that the keybag has, and the data keys that their holders need for new items.
    ///
    /// - Parameters:
    ///   - grants: The grants, whose groups must exist.
    ///   - roots: The roots, with that of the user.
    ///   - cipher: The cipher of the vault.
    /// - Returns: The seed of the team key, with which the header of a vault with grants is signed.
    /// - Throws: An error for ``KeyChangeObstacle/init(_:)``, if a key is missing or a reader would refuse the grant.
    package mutating func add(
        _ grants: [GrantTerms],
        openedWith roots: Keyring.Roots,
        _ cipher: Cipher
    ) throws -> Key {
        guard let user = roots.user else { throw KeyChangeObstacle.ownerNeeded }
        var keyring = try Keyring(roots: roots, cipher: cipher)
        try keyring.open(self)
        guard let teamSecret = try keyring.teamSecret(in: self) else { throw Fault(.missing) }
        for terms in grants {
            entries += try keyring.addDataKeys(for: terms)
            let payload = try keyring.payload(for: terms, in: self)
            let grant = try Grant(
                sealing: payload,
                terms,
                userRoot: user.key,
                teamSecret: teamSecret,
                cipher: cipher
            )
            entries.append(.grant(body: grant.body))
        }
        return teamSecret
    }
}

extension Keyring {
    /// Makes the data keys that the holder of a grant lacks for new items, and cannot make.
    fileprivate mutating func addDataKeys(for terms: GrantTerms) throws -> [KeybagEntry] {
        var entries: [KeybagEntry] = []
        for id in terms.groups {
            guard let epoch = epochs(of: id).last else { throw KeyChangeObstacle.groupIsClosed(id) }
            for protection in ProtectionClass.allCases where !protection.isBoundToDevice {
                let purpose = DataKeyPurpose(group: epoch, protection: protection, owner: .none)
                do {
                    guard try dataKey(for: purpose) == nil else { continue }
                    let entry = KeybagEntry.dataKey(try makeDataKey(for: purpose))
                    try append(entry)
                    entries.append(entry)
                } catch KeyMakingError.cipher(let error) {
                    throw error
                } catch {
                    throw KeyChangeObstacle.locked(id, protection)
                }
            }
        }
        return entries
    }

    fileprivate func payload(for terms: GrantTerms, in keybag: Keybag) throws -> GrantPayload {
        guard let structureKey = try? structureKey(in: keybag) else { throw Fault(.missing) }
        var groups: [GrantPayload.Group] = []
        for epoch in terms.groups.flatMap(epochs) {
            guard let name = groupNames[epoch], let matchKey = matchKeys[epoch] else {
                throw KeyChangeObstacle.groupIsClosed(epoch.group)
            }
            let entries = dataKeyEntries.values.filter { $0.group == epoch && $0.owner == .none }
            let keys = entries.sorted { $0.handle < $1.handle }.compactMap { entry in
                dataKeys[entry.handle].map { key in
                    GrantPayload.DataKey(handle: entry.handle, protection: entry.protection, owner: .none, key: key)
                }
            }
            groups.append(.init(id: epoch.group, epoch: epoch.epoch, name: name, matchKey: matchKey, dataKeys: keys))
        }
        return GrantPayload(structureKey: structureKey.key, structureKeyEpoch: structureKey.epoch, groups: groups)
    }

    /// The epochs of a group, the newest last.
    private func epochs(of group: GroupID) -> [GroupEpoch] { knownGroups.filter { $0.group == group }.sorted() }
}
