internal import CofferBasics
package import VaultCrypto

/// The keys of a vault that the available roots open: section 3.3.
package struct Keyring: Sendable {
    /// The roots and held keys that open other keys.
    package struct Roots: Sendable {
        package var user: (key: Key, epoch: UInt32)?
        package var devices: [DeviceID: Key]
        /// The roots of devices that are here, and may not be in the keybag, each with what its entry commits to.
        package var candidates: [DeviceID: (root: Key, commitment: [UInt8])] = [:]
        /// Keys that are available even if the roots that wrap them are not.
        package var held: HeldKeys?
        /// The credential of a grant, which opens a vault without any other root.
        package var credential: CredentialFile?
        /// Whether a grant opens only what may be read while the vault is locked.
        package var isGrantLocked = false

        package init(user: (key: Key, epoch: UInt32)?, devices: [DeviceID: Key]) {
            self.user = user
            self.devices = devices
        }

        package init(credential: CredentialFile) {
            self.init(user: nil, devices: [:])
            self.credential = credential
        }
    }

    /// A class key and the wrapping key derived from it.
    private struct ClassKey: Sendable {
        let key: Key
        let wrapping: WrappingKey
    }

    package let cipher: Cipher
    package private(set) var roots: Roots
    /// The keys of the grant that opened the vault.
    private let grant: GrantPayload?
    /// The devices whose items the grant opens.
    let grantedDevices: Set<DeviceID>
    /// What the owner knows about the grants in the vault.
    package private(set) var grants: [GrantTerms] = []
    /// The groups of all grants in the vault.
    package private(set) var grantedGroups: Set<GroupID> = []
    private var userWrapping: WrappingKey?
    private(set) var deviceWrapping: [DeviceID: WrappingKey] = [:]
    /// The user root and the earlier ones that are still needed, by epoch.
    private(set) var userRoots: [UInt32: Key] = [:]
    /// The class keys that were needed so far.
    private var classKeys: [ClassKeyName: ClassKey] = [:]
    /// Whether the name of a group has a tag under the group root.
    private var hasProvenGroupRoot = false
    /// The key of the class `always`, where a device has it without the user root.
    private var alwaysKey: (key: Key, epoch: UInt32)?
    /// The epoch of the user root.
    private(set) var rootEpoch: UInt32 = 0
    /// The epoch of the structure key.
    private var structureEpoch: UInt32 = 0
    /// The greatest epoch in the vault.
    package private(set) var greatestEpoch: UInt32 = 0

    package private(set) var matchKeys: [GroupEpoch: Key] = [:]
    package private(set) var dataKeys: [KeyHandle: Key] = [:]
    /// All data key entries, whether their keys are open or not.
    package private(set) var dataKeyEntries: [KeyHandle: DataKeyEntry] = [:]
    /// All groups, whether their match key is open or not.
    private(set) var knownGroups: Set<GroupEpoch> = []
    /// The groups that are in the keybag.
    private(set) var groupsOfKeybag: Set<GroupEpoch> = []
    /// The names, in UTF-8, of the groups whose match key is open.
    package private(set) var groupNames: [GroupEpoch: [UInt8]] = [:]
    /// The entries that lack a key to open them, which a key record may bring, and whether they are in one too.
    private var waiting: [(entry: KeybagEntry, isRecord: Bool)] = []
    /// Whether a passphrase opens the vault; without one there are no keys of class 12.
    private(set) var hasPassphraseSlot = false
    private var entryCount = 0
    private var uniqueness: Set<[UInt8]> = []
    private var commitments: [[UInt8]: [UInt8]] = [:]

    /// A keyring that opens entries with `roots`, or with the keys of `grant`.
    package init(roots: Roots, grant: GrantPayload? = nil, cipher: Cipher) throws(CipherError) {
        self.roots = roots
        self.grant = grant
        grantedDevices = grant?.devices ?? []
        self.cipher = cipher
        if let user = roots.user {
            userRoots[user.epoch] = user.key
            userWrapping = try WrappingKey(user.key, cipher: cipher)
        }
        for (device, root) in roots.devices { deviceWrapping[device] = try WrappingKey(root, cipher: cipher) }
    }

    /// The names of the groups in the grant that opened the vault, in its order; nil if none did.
    package var grantedGroupNames: [[UInt8]]? {
        grant?.groups.map(\.name).withoutRepetition
    }

    /// Whether the user root is available.
    package var isOwner: Bool { roots.user != nil }

    /// Whether the user root is available, or held keys open everything here that is closed when the vault is locked.
    package var isUnlocked: Bool {
        if isOwner || grant != nil { return !roots.isGrantLocked }
        guard roots.held?.classKeys.keys.contains(where: { $0.protection == .whenUnlocked }) ?? false else {
            return false
        }
        return dataKeyEntries.values.allSatisfy { entry in
            !entry.protection.isReleasedWhenLocked || !isPresent(entry.owner) || dataKeys[entry.handle] != nil
        }
    }

    /// Whether the match key of some group is not open, so that it is unknown whether the group holds items.
    ///
    /// For the holder of a grant, other groups do not exist.
    package var hasClosedGroups: Bool {
        knownGroups.contains { known in
            matchKeys[known] == nil && grant?.groups.contains { $0.id == known.group } ?? true
        }
    }

    /// The groups whose match key is not open for every epoch.
    package var closedGroups: Set<GroupID> {
        Set(knownGroups.lazy.filter { matchKeys[$0] == nil }.map(\.group))
    }

    /// The open keys, without the roots; `structureKey` is that of the vault.
    func heldKeys(structureKey: (key: Key, epoch: UInt32)) -> HeldKeys {
        let devices = (roots.held?.devices ?? []).union(roots.devices.keys)
        var held = HeldKeys(structureKey: structureKey, classKeys: [:], matchKeys: matchKeys, devices: devices)
        held.classKeys = (roots.held?.classKeys ?? [:]).merging(classKeys.mapValues(\.key)) { $1 }
        // Classes that no item uses yet must be usable too. A key for which there is no memory is locked.
        for owner in [DeviceID.none] + devices {
            for protection in ProtectionClass.allCases where protection.isBoundToDevice == (owner != .none) {
                let name = ClassKeyName(protection: protection, owner: owner, epoch: rootEpoch)
                if held.classKeys[name] == nil { held.classKeys[name] = try? derivedClassKey(name) }
            }
        }
        return held
    }

    /// Releases the user root and the keys that must not outlive it; `structureKey` is that of the vault.
    package mutating func lock(structureKey: (key: Key, epoch: UInt32)) {
        dataKeys = dataKeys.filter { handle, _ in !(dataKeyEntries[handle]?.protection.isReleasedWhenLocked ?? true) }
        guard grant == nil else {
            roots.isGrantLocked = true
            return
        }
        var held = heldKeys(structureKey: structureKey)
        held.classKeys = held.classKeys.filter { !$0.key.protection.isReleasedWhenLocked }
        held.isOwn = roots.held?.isOwn ?? true
        roots.held = held
        classKeys = classKeys.filter { !$0.key.protection.isReleasedWhenLocked }
        roots.user = nil
        userWrapping = nil
        userRoots = [:]
    }

    // MARK: - Opening

    /// The structure key, or nil if no entry of `keybag` opens with the roots.
    package func structureKey(in keybag: Keybag) throws -> (key: Key, epoch: UInt32)? {
        if let grant { return (grant.structureKey, keybag.structureEpoch) }
        var found: (key: Key, epoch: UInt32)?
        // One that does not open fails before anything is read with another: section 4.2.
        for case .structureKey(let entry) in keybag.entries {
            if let wrapping = wrapping(root: entry.root, device: entry.device) {
                let key = try entry.opened(under: wrapping)
                found = found ?? (key, entry.epoch)
            } else if let held = roots.held?.structureKey, entry.isKept(by: held, vault: cipher.vault) {
                found = found ?? held
            }
        }
        return found
    }

    /// Whether the structure key of `keybag`, another keybag of the vault, opens with the roots.
    package func opensStructureKey(in keybag: Keybag) -> Bool { (try? structureKey(in: keybag)) != nil }

    /// The types of entries, each before those that its keys open.
    private static let stages: [UInt16] = [
        StructureKeyEntry.type, PreviousRootEntry.type, AlwaysKeyEntry.type, MatchKeyEntry.type, GroupNameEntry.type,
        DataKeyEntry.type, TeamKeyEntry.type,
    ]

    /// Opens all entries of a keybag that can be opened, and each key under every available root.
    package mutating func open(_ keybag: Keybag) throws {
        hasPassphraseSlot = keybag.slots.contains(where: \.kind.needsPassphrase)
        rootEpoch = roots.user?.epoch ?? keybag.rootEpoch
        structureEpoch = keybag.structureEpoch
        for stage in Self.stages {
            for entry in keybag.entries where entry.type == stage { try open(entry) }
        }
        for entry in keybag.entries {
            if case .groupName(let entry) = entry { groupsOfKeybag.insert(entry.group) }
            remember(entry)
        }
        if let structureKey = try structureKey(in: keybag)?.key {
            for case .grant(let body) in keybag.entries { try openTerms(ofGrant: body, structureKey) }
        }
        guard let grant else { return }
        guard groupsOfKeybag.isSuperset(of: grant.groups.map(\.group)) else { throw Fault(.missing) }
    }

    /// Notes the groups of a grant, and what else the owner knows about it.
    private mutating func openTerms(ofGrant body: [UInt8], _ structureKey: Key) throws {
        guard let entry = try? Grant(parsing: body.span) else { throw Fault(.badLength) }
        let groups = try entry.groups(structureKey: structureKey, vault: cipher.vault)
        grantedGroups.formUnion(groups)
        if let user = roots.user {
            grants.append(try GrantTerms(of: entry, groups, userRoot: user.key, vault: cipher.vault))
        }
        if let grant, entry.id == roots.credential?.grant {
            guard groups == grant.groups.map(\.id).withoutRepetition else { throw Fault(.disagrees) }
        }
    }

    /// The key that authenticates the header of a vault with this keybag, or nil if no available root gives it.
    mutating func ownerKey(of keybag: Keybag) throws -> Key? {
        rootEpoch = roots.user?.epoch ?? keybag.rootEpoch
        if !isOwner {
            for case .alwaysKey(let entry) in keybag.entries { try open(entry) }
        }
        let always = ClassKeyName(protection: .always, owner: .none, epoch: rootEpoch)
        guard let key = try classKey(always)?.key else { return nil }
        return try key.ownerKey()
    }

    /// Whether the keybag or a key record has an entry that excludes this one; entries of unknown type exclude none.
    package func has(_ entry: KeybagEntry) -> Bool {
        entry.uniqueness.map { uniqueness.contains($0) } ?? true
    }

    /// Opens the entry of a key record; an entry that breaks a rule changes nothing.
    package mutating func append(_ entry: KeybagEntry) throws {
        try Limit.keybagEntries.check(entryCount + 1, atMost: Limits.keybagEntryCount)
        if let own = entry.uniqueness, uniqueness.contains(own) { throw Fault(.duplicate) }
        if let (identity, commitment) = entry.commitment, let known = commitments[identity], known != commitment {
            throw Fault(.disagrees)
        }
        if let group = entry.neededGroup, !knownGroups.contains(group) { throw Fault(.missing) }
        guard hasPassphraseSlot || !entry.needsPassphraseSlot else { throw Fault(.disagrees) }
        if case .alwaysKey(let entry) = entry, entry.epoch != rootEpoch { throw Fault(.disagrees) }
        if case .structureKey(let entry) = entry, entry.epoch != structureEpoch { throw Fault(.disagrees) }
        try open(entry)
        remember(entry, isRecord: true)
    }

    /// Opens entries that waited for keys which key records have brought since: the order of these must not matter.
    ///
    /// - Returns: The entries of key records that are not genuine, and are removed.
    /// - Throws: The fault of an entry of the keybag that is not genuine.
    package mutating func openWaitingEntries() throws -> [(entry: KeybagEntry, fault: Fault.Reason)] {
        let all = waiting
        waiting = []
        var removed: [(entry: KeybagEntry, fault: Fault.Reason)] = []
        for stage in Self.stages {
            for (entry, isRecord) in all where entry.type == stage {
                do {
                    try open(entry)
                    if !isOpen(entry) { waiting.append((entry, isRecord)) }
                } catch let fault as Fault where isRecord {
                    if case .dataKey(let entry) = entry { dataKeyEntries[entry.handle] = nil }
                    removed.append((entry, fault.reason))
                }
            }
        }
        return removed
    }

    /// Whether nothing of an entry is left to open.
    private func isOpen(_ entry: KeybagEntry) -> Bool {
        switch entry {
        case .structureKey(let entry): wrapping(root: entry.root, device: entry.device) != nil
        case .alwaysKey(let entry): deviceWrapping[entry.device] != nil
        case .matchKey(let entry): deviceWrapping[entry.device] != nil
        case .dataKey(let entry): dataKeys[entry.handle] != nil
        case .groupName(let entry): groupNames[entry.group] != nil
        case .slot, .recipient, .device, .teamKey, .previousRoot, .grant, .unknownWay, .unknown: true
        }
    }

    private mutating func remember(_ entry: KeybagEntry, isRecord: Bool = false) {
        entryCount += 1
        if !isOpen(entry) { waiting.append((entry, isRecord)) }
        greatestEpoch = max(greatestEpoch, entry.epoch)
        if case .groupName(let entry) = entry { knownGroups.insert(entry.group) }
        if let own = entry.uniqueness { uniqueness.insert(own) }
        if let (identity, commitment) = entry.commitment { commitments[identity] = commitment }
    }

    private mutating func open(_ entry: KeybagEntry) throws {
        switch entry {
        case .structureKey(let entry):
            guard let wrapping = wrapping(root: entry.root, device: entry.device) else { return }
            _ = try entry.opened(under: wrapping)
        case .previousRoot(let entry): try open(entry)
        case .alwaysKey(let entry): try open(entry)
        case .matchKey(let entry): try open(entry)
        case .dataKey(let entry): try open(entry)
        case .groupName(let entry): try open(entry)
        case .teamKey(let entry): try open(entry)
        case .device(let entry): try open(entry)
        case .slot, .recipient, .grant, .unknownWay, .unknown: break
        }
    }

    /// Lets a device that is here take part from now on; the keybag's own were opened before.
    private mutating func open(_ entry: DeviceEntry) throws {
        guard roots.devices[entry.id] == nil, let (root, commitment) = roots.candidates[entry.id] else { return }
        guard areEqual(commitment.span, entry.commitment.span) else { throw Fault(.commitmentDiffers) }
        roots.devices[entry.id] = root
        deviceWrapping[entry.id] = try WrappingKey(root, cipher: cipher)
    }

    private mutating func open(_ entry: PreviousRootEntry) throws {
        guard let userWrapping else { return }
        userRoots[entry.epoch] = try entry.opened(under: userWrapping)
    }

    private mutating func open(_ entry: AlwaysKeyEntry) throws {
        if let key = try derivedClassKey(entry.name), !entry.holds(key, vault: cipher.vault) {
            throw Fault(.commitmentDiffers)
        }
        guard let wrapping = deviceWrapping[entry.device] else { return }
        alwaysKey = (try entry.opened(under: wrapping), entry.epoch)
    }

    private mutating func open(_ entry: MatchKeyEntry) throws {
        if let key = try derivedMatchKey(of: entry.group), !entry.holds(key, vault: cipher.vault) {
            throw Fault(.commitmentDiffers)
        }
        guard let wrapping = deviceWrapping[entry.device] else { return }
        matchKeys[entry.group] = try entry.opened(under: wrapping)
    }

    private mutating func open(_ entry: DataKeyEntry) throws {
        if let granted = grant?.dataKey(entry.handle) {
            guard granted.purpose == entry.purpose, entry.holds(granted.key, vault: cipher.vault) else {
                throw Fault(.disagrees)
            }
            if !roots.isGrantLocked || !entry.protection.isReleasedWhenLocked { dataKeys[entry.handle] = granted.key }
        } else if let known = try classKey(entry.className) {
            do {
                dataKeys[entry.handle] = try entry.opened(under: known.wrapping)
            } catch {
                // A key that another process left may be anything, and then it is as if it were not there.
                if known.isProven { throw error }
            }
        }
        // Only now: an entry that fails to open does not count, and records that name it have no key.
        dataKeyEntries[entry.handle] = entry
    }

    private mutating func open(_ entry: GroupNameEntry) throws {
        guard let matchKey = try matchKey(of: entry) else { return }
        let name = try entry.name(matchKey: matchKey, vault: cipher.vault)
        if let grant, grant.group(entry.group)?.name != name { throw Fault(.disagrees) }
        if let (root, isProven) = try groupRoot() {
            let isAuthentic = entry.isAuthentic(name: name, groupRoot: root, vault: cipher.vault)
            guard isAuthentic || !isProven else { throw Fault(.notAuthentic) }
            hasProvenGroupRoot = isAuthentic
        }
        guard !groupNames.contains(where: { $0.value == name && $0.key.group != entry.group.group }) else {
            throw Fault(.duplicate)
        }
        matchKeys[entry.group] = matchKey
        groupNames[entry.group] = name
    }

    private func open(_ entry: TeamKeyEntry) throws {
        guard let userWrapping else { return }
        let seed = try entry.opened(under: userWrapping)
        guard seed.signingPublicKey == entry.publicKey else { throw Fault(.disagrees) }
    }

    // MARK: - Keys of groups and classes

    /// The match key of a group with this name, or nil if it is not available.
    private mutating func matchKey(of entry: GroupNameEntry) throws -> Key? {
        if let known = matchKeys[entry.group] { return known }
        if let grant { return grant.group(entry.group)?.matchKey }
        if let derived = try derivedMatchKey(of: entry.group) { return derived }
        // A key that another process left counts if it opens the name.
        let held = [
            roots.held?.matchKeys[entry.group], try groupRoot()?.root.matchKey(of: entry.group, vault: cipher.vault),
        ]
        return try held.compactMap(\.self).first { key in
            do {
                _ = try entry.name(matchKey: key, vault: cipher.vault)
                return true
            } catch is Fault {
                return false
            }
        }
    }

    /// The match key of a group, from the user root of its epoch.
    package func derivedMatchKey(of group: GroupEpoch) throws(CipherError) -> Key? {
        guard let (epoch, root) = userRoots.filter({ $0.key <= group.epoch }).max(by: { $0.key < $1.key }) else {
            return nil
        }
        let groupRoot = try GroupRoot(userRoot: root, epoch: epoch, vault: cipher.vault)
        return try groupRoot.matchKey(of: group, vault: cipher.vault)
    }

    /// The group root of the epoch of the user root, or nil if it is locked, and whether it is that of the vault.
    ///
    /// Another process may have left any key.
    mutating func groupRoot() throws(CipherError) -> (root: GroupRoot, isProven: Bool)? {
        guard let (key, _, isProven) = try classKey(GroupRoot.className(epoch: rootEpoch)) else { return nil }
        return (try GroupRoot(classKey: key), isProven)
    }

    /// A class key, or nil if it is locked.
    ///
    /// It is proven unless another process left it and nothing shows yet that it
    /// is that of the vault.
    mutating func classKey(
        _ name: ClassKeyName
    ) throws(CipherError) -> (key: Key, wrapping: WrappingKey, isProven: Bool)? {
        let isProven =
            (roots.held?.isOwn ?? true) || roots.held?.classKeys[name] == nil
            || hasProvenGroupRoot && name == GroupRoot.className(epoch: rootEpoch)
        if let known = classKeys[name] { return (known.key, known.wrapping, isProven || opensDataKey(name)) }
        guard let key = try derivedClassKey(name) ?? roots.held?.classKeys[name] else { return nil }
        let wrapping = try WrappingKey(key, cipher: cipher)
        classKeys[name] = ClassKey(key: key, wrapping: wrapping)
        return (key, wrapping, isProven)
    }

    private func opensDataKey(_ name: ClassKeyName) -> Bool {
        dataKeyEntries.values.contains { $0.className == name && dataKeys[$0.handle] != nil }
    }

    private func derivedClassKey(_ name: ClassKeyName) throws(CipherError) -> Key? {
        if name.protection == .always, let alwaysKey, alwaysKey.epoch == name.epoch { return alwaysKey.key }
        return try name.key(user: userRoots[name.epoch], device: roots.devices[name.owner], cipher: cipher)
    }

    func wrapping(root: Root, device: DeviceID) -> WrappingKey? {
        switch root {
        case .user: userWrapping
        case .device: deviceWrapping[device]
        }
    }
}
