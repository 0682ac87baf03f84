internal import CofferBasics
package import VaultCrypto

/// Makes keys and the keybag entries that hold them, section 3.3; this needs the user root.
package struct KeyMaker: Sendable {
    private let userRoot: Key
    private let devices: [DeviceID: Key]
    private let userWrapping: WrappingKey
    private let deviceWrapping: [DeviceID: WrappingKey]
    /// The epoch of the new keys.
    private let epoch: UInt32
    private let cipher: Cipher

    /// A maker of keys that open with `userRoot` and, if a device alone may open them, with each root in `devices`.
    package init(
        userRoot: Key,
        devices: [DeviceID: Key],
        epoch: UInt32,
        cipher: Cipher
    ) throws(CipherError) {
        self.userRoot = userRoot
        self.devices = devices
        self.epoch = epoch
        self.cipher = cipher
        userWrapping = try WrappingKey(userRoot, cipher: cipher)
        var wrapping: [DeviceID: WrappingKey] = [:]
        for (device, root) in devices { wrapping[device] = try WrappingKey(root, cipher: cipher) }
        deviceWrapping = wrapping
    }

    /// A new structure key.
    package func structureKey() throws(CipherError) -> (key: Key, entries: [KeybagEntry]) {
        let key = try cipher.random.key()
        let entries = wraps.map { root, device, wrapping in
            let entry = StructureKeyEntry(root: root, epoch: epoch, device: device, wrap: .none)
            return KeybagEntry.structureKey(entry.holding(key, under: wrapping))
        }
        return (key, entries)
    }

    /// A new access group: its match key and name.
    package func group(named name: [UInt8]) throws(CipherError) -> (group: GroupEpoch, key: Key, [KeybagEntry]) {
        let group = GroupEpoch(group: cipher.random.shortIdentifier(), epoch: epoch)
        let key = try cipher.random.key()
        return (group, key, try entries(of: group, matchKey: key, name: name))
    }

    /// The entries of a group with an existing match key; without a name, the name entry is left out.
    func entries(of group: GroupEpoch, matchKey: Key, name: [UInt8]?) throws(CipherError) -> [KeybagEntry] {
        var entries = wraps.map { root, device, wrapping in
            let entry = MatchKeyEntry(group: group, root: root, device: device, wrap: .none)
            return KeybagEntry.matchKey(entry.holding(matchKey, under: wrapping))
        }
        guard let name else { return entries }
        let nameEntry = try GroupNameEntry(
            name: name,
            group: group,
            matchKey: matchKey,
            userRoot: userRoot,
            cipher: cipher
        )
        entries.append(.groupName(nameEntry))
        return entries
    }

    /// The entry of an earlier user root that keys of absent devices still need.
    func previousRoot(_ root: Key, epoch: UInt32) -> KeybagEntry {
        .previousRoot(PreviousRootEntry(epoch: epoch).holding(root, under: userWrapping))
    }

    /// A new class key; `owner` is the device of a class that is bound to one, and its root must be available.
    package func classKey(
        _ protection: ProtectionClass,
        owner: DeviceID = .none
    ) throws(CipherError) -> (key: Key, entries: [KeybagEntry]) {
        let key = try cipher.random.key()
        var entries: [KeybagEntry] = []
        for (root, device, wrapping) in try wraps(of: protection, owner: owner) {
            let entry = ClassKeyEntry(protection: protection, root: root, epoch: epoch, device: device, wrap: .none)
            entries.append(.classKey(entry.holding(key, under: wrapping)))
        }
        return (key, entries)
    }

    /// A new data key under a class key.
    package func dataKey(
        _ group: GroupEpoch,
        _ protection: ProtectionClass,
        owner: DeviceID = .none,
        classKey: Key
    ) throws(CipherError) -> (handle: KeyHandle, key: Key, entry: KeybagEntry) {
        let (key, entry) = try DataKeyEntry.made(
            for: group,
            protection,
            owner: owner,
            under: try WrappingKey(classKey, cipher: cipher),
            classEpoch: epoch
        )
        return (entry.handle, key, .dataKey(entry))
    }

    /// A new team key.
    package func teamKey() throws(CipherError) -> KeybagEntry { teamKey(try cipher.random.key()) }

    /// The entry of the team key with this seed.
    func teamKey(_ seed: Key) -> KeybagEntry {
        let entry = TeamKeyEntry(publicKey: seed.signingPublicKey)
        return .teamKey(entry.holding(seed, under: userWrapping))
    }

    // MARK: - Wraps

    private typealias Wrap = (root: Root, device: DeviceID, key: WrappingKey)

    /// The wraps under the user root and under each device root.
    private var wraps: [Wrap] {
        [(.user, .none, userWrapping)] + deviceWrapping.sorted { $0.key < $1.key }.map { (.device, $0.key, $0.value) }
    }

    private func wraps(of protection: ProtectionClass, owner: DeviceID) throws(CipherError) -> [Wrap] {
        switch protection {
        case .whenUnlocked, .afterFirstUnlock: return [(.user, .none, userWrapping)]
        case .always: return wraps
        case .alwaysThisDeviceOnly:
            guard let wrapping = deviceWrapping[owner] else { preconditionFailure("the owner's root is missing") }
            return [(.device, owner, wrapping)]
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .whenPasscodeSetThisDeviceOnly:
            guard let device = devices[owner] else { preconditionFailure("the owner's root is missing") }
            let wrapping = try WrappingKey(user: userRoot, device: device, id: owner, cipher: cipher)
            return [(.both, owner, wrapping)]
        }
    }
}

extension DataKeyEntry {
    /// A new data key under the wrapping key of a class key.
    static func made(
        for group: GroupEpoch,
        _ protection: ProtectionClass,
        owner: DeviceID,
        under wrappingKey: WrappingKey,
        classEpoch: UInt32
    ) throws(CipherError) -> (key: Key, entry: DataKeyEntry) {
        let random = wrappingKey.cipher.random
        let key = try random.key()
        let entry = DataKeyEntry(
            handle: random.shortIdentifier(),
            group: group,
            protection: protection,
            owner: owner,
            classEpoch: classEpoch,
            wrap: .none
        ).holding(key, under: wrappingKey)
        return (key, entry)
    }
}
