internal import CofferBasics
package import VaultCrypto

/// Makes keys and the keybag entries that hold them, section 3.3; this needs the user root.
package struct KeyMaker: Sendable {
    private let userRoot: Key
    private let devices: [DeviceID: Key]
    private let userWrapping: WrappingKey
    /// Makes the groups of the epoch of the user root.
    let groups: GroupMaker
    /// The epoch of the new keys, except those that are derived from the user root.
    private let epoch: UInt32
    /// The epoch of the user root.
    private let rootEpoch: UInt32
    private let cipher: Cipher

    /// A maker of keys that open with `userRoot` and, if a device alone may open them, with each root in `devices`.
    ///
    /// `epoch` is that of the user root, unless that is older, of `rootEpoch`.
    package init(
        userRoot: Key,
        devices: [DeviceID: Key],
        epoch: UInt32,
        rootEpoch: UInt32? = nil,
        cipher: Cipher
    ) throws(CipherError) {
        self.userRoot = userRoot
        self.devices = devices
        self.epoch = epoch
        self.rootEpoch = rootEpoch ?? epoch
        self.cipher = cipher
        userWrapping = try WrappingKey(userRoot, cipher: cipher)
        var wrapping: [DeviceID: WrappingKey] = [:]
        for (device, root) in devices { wrapping[device] = try WrappingKey(root, cipher: cipher) }
        let root = try GroupRoot(userRoot: userRoot, epoch: self.rootEpoch, vault: cipher.vault)
        groups = GroupMaker(root: root, devices: wrapping, cipher: cipher)
    }

    /// A new structure key, with all that lets a device open it without the user root.
    package func structureKey() throws(CipherError) -> (key: Key, entries: [KeybagEntry]) {
        let key = try cipher.random.key()
        let own = StructureKeyEntry(root: .user, epoch: epoch, device: .none, wrap: .none)
        var entries: [KeybagEntry] = [.structureKey(own.holding(key, under: userWrapping))]
        let always = try classKey(.always)
        for (device, wrapping) in deviceWraps {
            let structure = StructureKeyEntry(root: .device, epoch: epoch, device: device, wrap: .none)
            entries.append(.structureKey(structure.holding(key, under: wrapping)))
            let entry = AlwaysKeyEntry(epoch: rootEpoch, device: device, wrap: .none)
            entries.append(.alwaysKey(entry.holding(always, under: wrapping)))
        }
        return (key, entries)
    }

    /// The key that authenticates the header.
    package func ownerKey() throws(CipherError) -> Key { try classKey(.always).ownerKey() }

    /// A new access group: its match key and entries.
    package func group(
        named name: [UInt8]
    ) throws(CipherError) -> (group: GroupEpoch, key: Key, entries: [KeybagEntry]) {
        try groups.group(named: name, epoch: epoch)
    }

    /// The entry of an earlier user root that keys of absent devices still need.
    func previousRoot(_ root: Key, epoch: UInt32) -> KeybagEntry {
        .previousRoot(PreviousRootEntry(epoch: epoch).holding(root, under: userWrapping))
    }

    /// A class key; `owner` is the device of a class that is bound to one, and its root must be available.
    package func classKey(_ protection: ProtectionClass, owner: DeviceID = .none) throws(CipherError) -> Key {
        let name = ClassKeyName(protection: protection, owner: owner, epoch: rootEpoch)
        guard let key = try name.key(user: userRoot, device: devices[owner], cipher: cipher) else {
            preconditionFailure("the owner's root is missing")
        }
        return key
    }

    /// A new data key.
    package func dataKey(
        _ group: GroupEpoch,
        _ protection: ProtectionClass,
        owner: DeviceID = .none
    ) throws(CipherError) -> (handle: KeyHandle, key: Key, entry: KeybagEntry) {
        let (key, entry) = try DataKeyEntry.made(
            for: DataKeyPurpose(group: group, protection: protection, owner: owner),
            under: try WrappingKey(classKey(protection, owner: owner), cipher: cipher),
            classEpoch: rootEpoch
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

    /// The devices and their wrapping keys, in a stable order.
    private var deviceWraps: [(device: DeviceID, key: WrappingKey)] {
        groups.devices.inKeyOrder.map { ($0.key, $0.value) }
    }
}

extension DataKeyEntry {
    /// A new data key under the wrapping key of a class key.
    static func made(
        for purpose: DataKeyPurpose,
        under wrappingKey: WrappingKey,
        classEpoch: UInt32
    ) throws(CipherError) -> (key: Key, entry: DataKeyEntry) {
        let random = wrappingKey.cipher.random
        let key = try random.key()
        let entry = DataKeyEntry(
            handle: random.shortIdentifier(),
            group: purpose.group,
            protection: purpose.protection,
            owner: purpose.owner,
            classEpoch: classEpoch,
            wrap: .none
        ).holding(key, under: wrappingKey)
        return (key, entry)
    }
}

/// Makes data keys for a key change, each only once.
struct DataKeyMaker {
    private let maker: KeyMaker
    private var dataKeys: [DataKeyPurpose: KeyChange.NewDataKey] = [:]
    /// The entries of the new keys.
    private(set) var entries: [KeybagEntry] = []

    init(_ maker: KeyMaker) {
        self.maker = maker
    }

    /// Uses a data key that exists already.
    mutating func use(_ key: Key, of entry: DataKeyEntry) {
        dataKeys[entry.purpose] = KeyChange.NewDataKey(handle: entry.handle, group: entry.group, key: key)
    }

    mutating func dataKey(for purpose: DataKeyPurpose) throws(CipherError) -> KeyChange.NewDataKey {
        if let known = dataKeys[purpose] { return known }
        let (handle, key, entry) = try maker.dataKey(purpose.group, purpose.protection, owner: purpose.owner)
        entries.append(entry)
        let made = KeyChange.NewDataKey(handle: handle, group: purpose.group, key: key)
        dataKeys[purpose] = made
        return made
    }
}
