internal import CofferBasics
package import VaultCrypto

/// The keys of a vault that some roots open: section 3.3.
package struct Keyring: Sendable {
    /// What keys are opened with.
    package struct Roots: Sendable {
        package var user: (key: Key, epoch: UInt32)?
        package var devices: [DeviceID: Key]
        /// Keys that are there although the roots that wrap them may not be.
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

    /// A class key, and what wraps data keys with it.
    struct ClassKey: Sendable {
        let key: Key
        let wrapping: WrappingKey
    }

    let cipher: Cipher
    package private(set) var roots: Roots
    private var userWrapping: [UInt32: WrappingKey] = [:]
    private var deviceWrapping: [DeviceID: WrappingKey] = [:]
    /// The user root and the earlier ones that are still needed, by their epoch.
    private(set) var userRoots: [UInt32: Key] = [:]
    /// The class keys that are open, by their epoch.
    private(set) var classKeys: [ClassOwner: [UInt32: ClassKey]] = [:]
    /// All class keys, also those that nothing here opens.
    private(set) var knownClasses: Set<ClassOwner> = []
    /// The greatest epoch of anything in the vault.
    package private(set) var greatestEpoch: UInt32 = 0

    package private(set) var matchKeys: [GroupEpoch: Key] = [:]
    package private(set) var dataKeys: [KeyHandle: Key] = [:]
    /// All data key entries, also those that nothing here opens.
    package private(set) var dataKeyEntries: [KeyHandle: DataKeyEntry] = [:]
    /// The groups that have a match key, whether it is open or not.
    private(set) var knownGroups: Set<GroupEpoch> = []
    /// The groups of which the keybag has a match key.
    private(set) var groupsOfKeybag: Set<GroupEpoch> = []
    /// The wraps that the log has brought.
    private(set) var loggedMatchKeys: [GroupEpoch: [MatchKeyEntry]] = [:]
    private(set) var loggedClassKeys: [ClassKeyName: [ClassKeyEntry]] = [:]
    /// Names in UTF-8, of the groups whose match key is there.
    package private(set) var groupNames: [GroupEpoch: [UInt8]] = [:]
    /// Names of groups whose match key is not there.
    private var closedNames: [GroupEpoch: GroupNameEntry] = [:]
    /// Whether a passphrase opens the vault, without which there are no keys of class 12.
    private(set) var hasPassphraseSlot = false
    private var entryCount = 0
    private var uniqueness: Set<[UInt8]> = []
    private var commitments: [[UInt8]: [UInt8]] = [:]

    /// A ring that opens entries with `roots`.
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

    /// Whether the user root is there.
    package var isOwner: Bool { roots.user != nil }

    /// Whether all can be read here that ends when the vault is locked.
    package var isUnlocked: Bool {
        let ending = knownClasses.filter { $0.protection.endsWhenLocked && isHere($0.owner) }
        return isOwner || (!ending.isEmpty && ending.allSatisfy { classKeys[$0] != nil })
    }

    /// Whether there are groups of which nothing can be told here, not even whether they hold an item.
    package var hasClosedGroups: Bool { knownGroups.contains { matchKeys[$0] == nil } }

    /// The keys that are open, without the roots; `structureKey` is that of the vault.
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

    /// Lets the user root go, and all keys that must not outlive it; `structureKey` is that of the vault.
    package mutating func lock(structureKey: (key: Key, epoch: UInt32)) {
        classKeys = classKeys.filter { !$0.key.protection.endsWhenLocked }
        dataKeys = dataKeys.filter { handle, _ in !(dataKeyEntries[handle]?.protection.endsWhenLocked ?? true) }
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

    /// Whether the structure key of another keybag of the vault opens with the roots.
    package func opensStructureKey(in keybag: Keybag) -> Bool {
        do throws(Fault) {
            return try structureKey(in: keybag) != nil
        } catch {
            return false
        }
    }

    /// Opens what can be opened of the entries of a keybag, each key under every root that is there.
    package mutating func open(_ keybag: Keybag) throws(Fault) {
        // Keys come before what they open, whatever their order in the keybag.
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

    /// Opens an entry that the log brings; one that breaks a rule changes nothing.
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
        try openWhatWaited(for: entry)
    }

    /// Opens what a key opens that the log brings after it: where a wrap stands must not matter.
    private mutating func openWhatWaited(for entry: KeybagEntry) throws(Fault) {
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

    /// Opens an entry that nobody could verify when it came; one that is not genuine is not the fault of its key.
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
        // Only now: an entry that does not open is none, and what names it has no key.
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
