internal import CofferBasics
internal import VaultCrypto

// Section 10.2: the steps after a rotation that only a returning device can take itself.
extension Keyring {
    /// The device-root wraps that `devices` are entitled to and lack.
    ///
    /// - Throws: An error for ``KeyChangeObstacle/init(_:)``.
    package func missingWraps(
        in keybag: Keybag,
        of devices: Set<DeviceID>
    ) throws -> [KeybagEntry] {
        guard let structureKey = try structureKey(in: keybag) else { throw Fault(.missing) }
        let known = Set(keybag.entries.compactMap(\.uniqueness))
        let always = ClassKeyName(protection: .always, owner: .none, epoch: rootEpoch)
        var keyring = self
        let alwaysKey = try keyring.classKey(always)?.key
        var entries: [KeybagEntry] = []
        for device in devices.sorted() {
            guard let wrapping = wrapping(root: .device, device: device) else { continue }
            func add<Entry: WrappedKeyEntry>(_ key: Key, _ entry: Entry, _ make: (Entry) -> KeybagEntry) {
                if let own = make(entry).uniqueness, known.contains(own) { return }
                entries.append(make(entry.holding(key, under: wrapping)))
            }
            let structure = StructureKeyEntry(root: .device, epoch: structureKey.epoch, device: device, wrap: .none)
            add(structureKey.key, structure) { .structureKey($0) }
            if let alwaysKey {
                add(alwaysKey, AlwaysKeyEntry(epoch: rootEpoch, device: device, wrap: .none)) { .alwaysKey($0) }
            }
            for (group, key) in matchKeys.inKeyOrder {
                add(key, MatchKeyEntry(group: group, device: device, wrap: .none)) { .matchKey($0) }
            }
        }
        return entries
    }

    /// The open data keys of an epoch before the newest, whose items a rotation had to leave unchanged.
    package var staleDataKeys: [DataKeyEntry] {
        guard let user = roots.user else { return [] }
        let newest = newestEpochs
        return dataKeyEntries.values.filter { entry in
            guard dataKeys[entry.handle] != nil else { return false }
            return entry.group.epoch != newest[entry.group.group]
                || (entry.owner != .none && entry.classEpoch < user.epoch)
        }
    }

    private var newestEpochs: [GroupID: UInt32] {
        Dictionary(matchKeys.keys.map { ($0.group, $0.epoch) }, uniquingKeysWith: max)
    }

    /// The change that moves the items of the devices at hand to the newest epoch and adds the wraps that they lack.
    ///
    /// `keybag` holds the verified keys, `records` the key records of the log that cannot be opened here.
    ///
    /// - Throws: An error for ``KeyChangeObstacle/init(_:)``.
    package func changeForReturningDevices(_ keybag: Keybag, records: [KeybagEntry]) throws -> KeyChange {
        guard let user = roots.user else { throw KeyChangeObstacle.ownerNeeded }
        var keyring = self
        guard let structureKey = try? structureKey(in: keybag)?.key, let ownerKey = try keyring.ownerKey(of: keybag)
        else { throw Fault(.missing) }
        var change = KeyChange(
            roots: roots,
            structureKey: structureKey,
            keybag: keybag,
            dataKeys: dataKeyEntries.mapValues { _ in .stays },
            matchKeys: matchKeys,
            ownerKey: ownerKey,
            isRotation: false
        )
        try moveStaleKeys(userEpoch: user.epoch, userRoot: user.key, &change)
        removeUnneeded(records: records, &change)
        let groups = change.matchKeys
        change.keybag.entries += try missingWraps(in: change.keybag, of: Set(roots.devices.keys)).filter { entry in
            if case .matchKey(let entry) = entry { groups[entry.group] != nil } else { true }
        }
        try change.renewGrants(grants, cipher)
        try change.keybag.check()
        return change
    }

    private func moveStaleKeys(
        userEpoch: UInt32,
        userRoot: Key,
        _ change: inout KeyChange
    ) throws(CipherError) {
        let maker = try KeyMaker(userRoot: userRoot, devices: roots.devices, epoch: userEpoch, cipher: cipher)
        var making = DataKeyMaker(maker)
        let stale = staleDataKeys.sorted { $0.handle < $1.handle }
        let staleHandles = Set(stale.map(\.handle))
        for entry in dataKeyEntries.values where !staleHandles.contains(entry.handle) {
            if let key = dataKeys[entry.handle] { making.use(key, of: entry) }
        }
        let newest = newestEpochs
        for entry in stale {
            var purpose = entry.purpose
            purpose.group.epoch = newest[purpose.group.group] ?? purpose.group.epoch
            change.dataKeys[entry.handle] = .moves(try making.dataKey(for: purpose))
        }
        change.keybag.entries.removeAll { entry in
            if case .dataKey(let entry) = entry { staleHandles.contains(entry.handle) } else { false }
        }
        change.keybag.entries += making.entries
    }

    /// Removes the keys that were only needed by items that have been moved.
    private func removeUnneeded(records: [KeybagEntry], _ change: inout KeyChange) {
        let newest = newestEpochs
        var groups = Set(newest.map { GroupEpoch(group: $0.key, epoch: $0.value) })
        var epochs: Set<UInt32> = []
        for case .dataKey(let entry) in change.keybag.entries + records {
            groups.insert(entry.group)
            epochs.insert(entry.classEpoch)
        }
        change.keybag.entries.removeAll { entry in
            switch entry {
            case .matchKey(let key): !groups.contains(key.group)
            case .groupName(let name): !groups.contains(name.group)
            case .previousRoot(let root): !epochs.contains(root.epoch)
            default: false
            }
        }
        change.matchKeys = change.matchKeys.filter { groups.contains($0.key) }
    }
}
