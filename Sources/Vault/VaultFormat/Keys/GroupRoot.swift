internal import CofferBasics
package import VaultCrypto

/// Section 3.4: the key that all keys of groups come from, so that copies that make the same group make the same keys.
package struct GroupRoot: Sendable {
    private let key: Key

    /// The group root of an epoch; `classKey` is that of ``className(epoch:)``.
    init(classKey: Key) throws(CipherError) { key = try classKey.derived(.groupRoot) }

    package init(userRoot: Key, epoch: UInt32, vault: VaultID) throws(CipherError) {
        let name = Self.className(epoch: epoch)
        try self.init(classKey: userRoot.derived(.classKey, name.input(vault: vault)))
    }

    static func className(epoch: UInt32) -> ClassKeyName {
        ClassKeyName(protection: .whenUnlocked, owner: .none, epoch: epoch)
    }

    /// The id of a new group called `name`.
    package func groupID(of name: [UInt8], vault: VaultID) -> GroupID {
        GroupID(key.hash(GroupID.byteCount, .groupID, vault.bytes + name).span)
    }

    package func matchKey(of group: GroupEpoch, vault: VaultID) throws(CipherError) -> Key {
        try key.derived(.group, vault.bytes + group.bytes)
    }

    /// The tag of a group's name.
    func tag(of name: [UInt8], _ group: GroupEpoch, vault: VaultID) -> [UInt8] {
        key.hash(32, .groupName, vault.bytes + group.bytes + name)
    }
}

/// Makes groups and their keybag entries.
struct GroupMaker: Sendable {
    let root: GroupRoot
    /// The devices that may open groups without the user root.
    let devices: [DeviceID: WrappingKey]
    let cipher: Cipher

    /// A new access group: its match key and entries.
    func group(
        named name: [UInt8],
        epoch: UInt32
    ) throws(CipherError) -> (group: GroupEpoch, key: Key, entries: [KeybagEntry]) {
        let group = GroupEpoch(group: root.groupID(of: name, vault: cipher.vault), epoch: epoch)
        let key = try root.matchKey(of: group, vault: cipher.vault)
        return (group, key, try entries(of: group, matchKey: key, name: name))
    }

    /// The entries of a group: its name, and its match key for each device.
    func entries(of group: GroupEpoch, matchKey: Key, name: [UInt8]) throws(CipherError) -> [KeybagEntry] {
        let entry = try GroupNameEntry(name: name, group: group, matchKey: matchKey, groupRoot: root, cipher: cipher)
        return [.groupName(entry)]
            + devices.inKeyOrder.map { device, wrapping in
                let entry = MatchKeyEntry(group: group, device: device, wrap: .none)
                return .matchKey(entry.holding(matchKey, under: wrapping))
            }
    }
}
