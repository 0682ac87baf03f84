internal import CofferBasics
package import VaultCrypto

/// The keys of a vault that the available roots open: section 3.3.
package struct Keyring: Sendable {
    /// The roots and held keys that open other keys.
    package struct Roots: Sendable {
        package var user: (key: Key, epoch: UInt32)?
        package var devices: [DeviceID: Key]
        /// Keys that are available even if the roots that wrap them are not.
        package var held: HeldKeys?

        package init(user: (key: Key, epoch: UInt32)?, devices: [DeviceID: Key]) {
            self.user = user
            self.devices = devices
        }
    }

    struct ClassOwner: Hashable {
        var protection: ProtectionClass
        var owner: DeviceID
    }

    /// A class key and the wrapping key derived from it.
    struct ClassKey: Sendable {
        let key: Key
        let wrapping: WrappingKey
    }

    let cipher: Cipher
    package private(set) var roots: Roots
    private var userWrapping: [UInt32: WrappingKey] = [:]
    private var deviceWrapping: [DeviceID: WrappingKey] = [:]
    /// The user root and the earlier ones that are still needed, by epoch.
    private(set) var userRoots: [UInt32: Key] = [:]
    /// The open class keys, by epoch.
    private(set) var classKeys: [ClassOwner: [UInt32: ClassKey]] = [:]
    /// All classes and owners with a class key, whether it is open or not.
    private(set) var knownClasses: Set<ClassOwner> = []
    /// The greatest epoch in the vault.
    package private(set) var greatestEpoch: UInt32 = 0

    package private(set) var matchKeys: [GroupEpoch: Key] = [:]
    package private(set) var dataKeys: [KeyHandle: Key] = [:]
    /// All data key entries, whether their keys are open or not.
    package private(set) var dataKeyEntries: [KeyHandle: DataKeyEntry] = [:]
    /// All groups with a match key, whether it is open or not.
    private(set) var knownGroups: Set<GroupEpoch> = []
    /// The groups with a match key in the keybag.
    private(set) var groupsOfKeybag: Set<GroupEpoch> = []
    /// The wraps from key records of the log.
    private(set) var loggedMatchKeys: [GroupEpoch: [MatchKeyEntry]] = [:]
    private(set) var loggedClassKeys: [ClassKeyName: [ClassKeyEntry]] = [:]
    /// The names, in UTF-8, of the groups whose match key is open.
    package private(set) var groupNames: [GroupEpoch: [UInt8]] = [:]
    /// The name entries of groups whose match key is not open.
    private var closedNames: [GroupEpoch: GroupNameEntry] = [:]
    /// Whether a passphrase opens the vault; without one there are no keys of class 12.
    private(set) var hasPassphraseSlot = false
    private var entryCount = 0
    private var uniqueness: Set<[UInt8]> = []
    private var commitments: [[UInt8]: [UInt8]] = [:]

    /// A keyring that opens entries with `roots`.
    package init(roots: Roots, cipher: Cipher) throws(Fault) {
        self.roots = roots
        self.cipher = cipher
        do throws(CipherError) {
            if let user = roots.user {
                userRoots[user.epoch] = user.key
                userWrapping[user.epoch] = try WrappingKey(user.key, cipher: cipher)
            }
            for (device, root) in roots.devices {
                deviceWrapping[device] = try WrappingKey(root, cipher: cipher)
            }
        } catch {
            throw .cipher(error)
        }
    }

    /// Whether the user root is available.
    package var isOwner: Bool { roots.user != nil }

    /// Whether the user root is available, or every class key here that is released on locking is open.
    package var isUnlocked: Bool {
        let ending = knownClasses.filter { $0.protection.isReleasedWhenLocked && isPresent($0.owner) }
        return isOwner || (!ending.isEmpty && ending.allSatisfy { classKeys[$0] != nil })
    }

    /// Whether the match key of some group is not open, so that it is unknown whether the group holds items.
    package var hasClosedGroups: Bool { knownGroups.contains { matchKeys[$0] == nil } }

    /// The open keys, without the roots; `structureKey` is that of the vault.
    func heldKeys(structureKey: (key: Key, epoch: UInt32)) -> HeldKeys {
        let devices = (roots.held?.devices ?? []).union(roots.devices.keys)
        var held = HeldKeys(structureKey: structureKey, classKeys: [:], matchKeys: matchKeys, devices: devices)
        for (owner, keys) in classKeys {
            for (epoch, key) in keys {
                let name = ClassKeyName(protection: owner.protection, owner: owner.owner, epoch: epoch)
                held.classKeys[name] = key.key
            }
        }
        return held
    }

    /// Releases the user root and the keys that must not outlive it; `structureKey` is that of the vault.
    package mutating func lock(structureKey: (key: Key, epoch: UInt32)) {
        classKeys = classKeys.filter { !$0.key.protection.isReleasedWhenLocked }
        dataKeys = dataKeys.filter { handle, _ in !(dataKeyEntries[handle]?.protection.isReleasedWhenLocked ?? true) }
        roots.held = heldKeys(structureKey: structureKey)
        roots.user = nil
        userWrapping = [:]
        userRoots = [:]
    }

    // MARK: - Opening

    /// The structure key, or nil if no entry of `keybag` opens with the roots.
    package func structureKey(in keybag: Keybag) throws(Fault) -> (key: Key, epoch: UInt32)? {
        for case .structureKey(let entry) in keybag.entries {
            if let wrapping = wrapping(root: entry.root, device: entry.device) {
                return (try entry.opened(under: wrapping), entry.epoch)
            }
            if let held = roots.held?.structureKey, entry.isKept(by: held, vault: cipher.vault) { return held }
        }
        return nil
    }

    /// Whether the structure key of `keybag`, another keybag of the vault, opens with the roots.
    package func opensStructureKey(in keybag: Keybag) -> Bool {
        do throws(Fault) {
            return try structureKey(in: keybag) != nil
        } catch {
            return false
        }
    }

    /// Opens all entries of a keybag that can be opened, and each key under every available root.
    package mutating func open(_ keybag: Keybag) throws(Fault) {
        // Each key is opened before the keys that it opens, whatever their order in the keybag.
        let stages: [UInt16] = [
            StructureKeyEntry.type, PreviousRootEntry.type, ClassKeyEntry.type, MatchKeyEntry.type, DataKeyEntry.type,
            GroupNameEntry.type, TeamKeyEntry.type,
        ]
        hasPassphraseSlot = keybag.slots.contains(where: \.kind.needsPassphrase)
        for stage in stages {
            for entry in keybag.entries where entry.type == stage { try open(entry) }
        }
        for entry in keybag.entries {
            if case .matchKey(let entry) = entry { groupsOfKeybag.insert(entry.group) }
            remember(entry)
        }
    }

    /// Opens the entry of a key record; an entry that breaks a rule changes nothing.
    package mutating func append(_ entry: KeybagEntry) throws(Fault) {
        guard entryCount < Limits.keybagEntryCount else {
            throw .limitExceeded(.keybagEntries, value: UInt64(entryCount + 1))
        }
        if let own = entry.uniqueness, uniqueness.contains(own) { throw .duplicate }
        if let (identity, commitment) = entry.commitment, let known = commitments[identity], known != commitment {
            throw .disagrees
        }
        if case .dataKey(let dataKey) = entry, !knownGroups.contains(dataKey.group) { throw .missing }
        guard hasPassphraseSlot || !entry.needsPassphraseSlot else { throw .disagrees }
        try open(entry)
        switch entry {
        case .classKey(let entry): loggedClassKeys[entry.name, default: []].append(entry)
        case .matchKey(let entry): loggedMatchKeys[entry.group, default: []].append(entry)
        default: break
        }
        remember(entry)
        try openWaitingEntries(for: entry)
    }

    /// Opens earlier entries that needed the new key `entry`: the order of key records must not matter.
    private mutating func openWaitingEntries(for entry: KeybagEntry) throws(Fault) {
        switch entry {
        case .classKey(let key):
            let waiting = dataKeyEntries.values.filter { entry in
                entry.protection == key.protection && entry.owner == key.owner && entry.classEpoch == key.epoch
                    && dataKeys[entry.handle] == nil
            }
            for entry in waiting { try openIfGenuine(.dataKey(entry)) }
        case .matchKey(let key):
            guard groupNames[key.group] == nil, let name = closedNames.removeValue(forKey: key.group) else { return }
            try openIfGenuine(.groupName(name))
        default: return
        }
    }

    /// Opens an entry that could not be verified before; if it is not genuine, the new key is still valid.
    private mutating func openIfGenuine(_ entry: KeybagEntry) throws(Fault) {
        do throws(Fault) {
            try open(entry)
        } catch {
            if case .cipher = error { throw error }
        }
    }

    private mutating func remember(_ entry: KeybagEntry) {
        entryCount += 1
        greatestEpoch = max(greatestEpoch, entry.epoch)
        if case .classKey(let entry) = entry {
            knownClasses.insert(ClassOwner(protection: entry.protection, owner: entry.owner))
        }
        if case .matchKey(let entry) = entry { knownGroups.insert(entry.group) }
        if let own = entry.uniqueness { uniqueness.insert(own) }
        if let (identity, commitment) = entry.commitment { commitments[identity] = commitment }
    }

    private mutating func open(_ entry: KeybagEntry) throws(Fault) {
        switch entry {
        case .structureKey(let entry):
            guard let wrapping = wrapping(root: entry.root, device: entry.device) else { return }
            _ = try entry.opened(under: wrapping)
        case .previousRoot(let entry): try open(entry)
        case .classKey(let entry): try open(entry)
        case .matchKey(let entry): try open(entry)
        case .dataKey(let entry): try open(entry)
        case .groupName(let entry): try open(entry)
        case .teamKey(let entry): try open(entry)
        case .slot, .recipient, .device, .grant, .unknown: break
        }
    }

    private mutating func open(_ entry: PreviousRootEntry) throws(Fault) {
        guard let current = wrapping(root: .user, device: .none) else { return }
        let key = try entry.opened(under: current)
        userRoots[entry.epoch] = key
        userWrapping[entry.epoch] = try wrappingKey(key)
    }

    private mutating func open(_ entry: MatchKeyEntry) throws(Fault) {
        if let wrapping = wrapping(root: entry.root, device: entry.device) {
            matchKeys[entry.group] = try entry.opened(under: wrapping)
        } else if let held = roots.held?.matchKeys[entry.group], entry.holds(held, vault: cipher.vault) {
            matchKeys[entry.group] = held
        }
    }

    private mutating func open(_ entry: ClassKeyEntry) throws(Fault) {
        let owner = ClassOwner(protection: entry.protection, owner: entry.owner)
        let key: Key
        if let wrapping = try wrapping(of: entry) {
            key = try entry.opened(under: wrapping)
        } else if let held = roots.held?.classKeys[entry.name], entry.holds(held, vault: cipher.vault) {
            key = held
        } else {
            return
        }
        classKeys[owner, default: [:]][entry.epoch] = ClassKey(key: key, wrapping: try wrappingKey(key))
    }

    private mutating func open(_ entry: DataKeyEntry) throws(Fault) {
        let owner = ClassOwner(protection: entry.protection, owner: entry.owner)
        if let classKey = classKeys[owner]?[entry.classEpoch] {
            dataKeys[entry.handle] = try entry.opened(under: classKey.wrapping)
        }
        // Only now: an entry that fails to open does not count, and records that name it have no key.
        dataKeyEntries[entry.handle] = entry
    }

    private mutating func open(_ entry: GroupNameEntry) throws(Fault) {
        guard let matchKey = matchKeys[entry.group] else {
            closedNames[entry.group] = entry
            return
        }
        let name = try entry.name(matchKey: matchKey, vault: cipher.vault)
        if let user = roots.user {
            let isAuthentic = try translating(
                Fault.cipher,
                entry.isAuthentic(name: name, userRoot: user.key, vault: cipher.vault)
            )
            guard isAuthentic else { throw .notAuthentic }
        }
        guard !groupNames.contains(where: { $0.value == name && $0.key.group != entry.group.group }) else {
            throw .duplicate
        }
        groupNames[entry.group] = name
    }

    private func open(_ entry: TeamKeyEntry) throws(Fault) {
        guard let wrapping = wrapping(root: .user, device: .none) else { return }
        let seed = try entry.opened(under: wrapping)
        guard seed.signingPublicKey == entry.publicKey else { throw .disagrees }
    }

    // MARK: - Wrapping keys

    func wrapping(root: Root, device: DeviceID) -> WrappingKey? {
        switch root {
        case .user: roots.user.flatMap { userWrapping[$0.epoch] }
        case .device: deviceWrapping[device]
        case .both: nil
        }
    }

    func wrapping(of entry: ClassKeyEntry) throws(Fault) -> WrappingKey? {
        switch entry.root {
        case .user: return userWrapping[entry.epoch]
        case .device: return deviceWrapping[entry.device]
        case .both:
            guard let user = userRoots[entry.epoch], let device = roots.devices[entry.device] else { return nil }
            do throws(CipherError) {
                return try WrappingKey(user: user, device: device, id: entry.device, cipher: cipher)
            } catch {
                throw .cipher(error)
            }
        }
    }

    private func wrappingKey(_ key: Key) throws(Fault) -> WrappingKey {
        try translating(Fault.cipher, WrappingKey(key, cipher: cipher))
    }
}
