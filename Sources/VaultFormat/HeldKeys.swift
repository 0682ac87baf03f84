/// The name of a class key: for which items it is, of which device, of which epoch.
package struct ClassKeyName: Hashable, Sendable {
    package var protection: ProtectionClass
    /// The device that the items are bound to, or none.
    package var owner: DeviceID
    package var epoch: UInt32

    package init(protection: ProtectionClass, owner: DeviceID, epoch: UInt32) {
        self.protection = protection
        self.owner = owner
        self.epoch = epoch
    }
}

/// Keys of a vault that are at hand without the roots that wrap them: those that stay while it is locked.
package struct HeldKeys<Suite: CipherSuite>: Sendable {
    package var structureKey: (key: Suite.Key, epoch: UInt32)
    package var classKeys: [ClassKeyName: Suite.Key]
    package var matchKeys: [GroupEpoch: Suite.Key]

    package init(
        structureKey: (key: Suite.Key, epoch: UInt32),
        classKeys: [ClassKeyName: Suite.Key],
        matchKeys: [GroupEpoch: Suite.Key]
    ) {
        self.structureKey = structureKey
        self.classKeys = classKeys
        self.matchKeys = matchKeys
    }
}

extension ClassKeyEntry {
    /// The name of the key.
    var name: ClassKeyName { ClassKeyName(protection: protection, owner: owner, epoch: epoch) }
}

extension WrappedKeyEntry {
    /// Whether the entry wraps `key`, as its commitment says.
    func holds<Suite: CipherSuite>(_ key: Suite.Key, vault: VaultID, suite: Suite) -> Bool {
        suite.areEqual(commitment(to: key, vault: vault, suite: suite).span, wrap.commitment.span)
    }
}
