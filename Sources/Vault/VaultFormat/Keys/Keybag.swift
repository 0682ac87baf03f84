internal import CofferBasics

/// Section 3: the slots, devices, groups and wrapped keys of a vault.
package struct Keybag: Equatable, Sendable {
    package var entries: [KeybagEntry]

    package init(entries: [KeybagEntry] = []) {
        self.entries = entries
    }

    /// All slots except those for recipients.
    package var slots: [Slot] {
        entries.compactMap { if case .slot(let slot) = $0 { slot } else { nil } }
    }

    package var devices: [DeviceEntry] {
        entries.compactMap { if case .device(let device) = $0 { device } else { nil } }
    }

    package var dataKeys: [DataKeyEntry] {
        entries.compactMap { if case .dataKey(let entry) = $0 { entry } else { nil } }
    }

    /// The public half of the team key.
    package var teamKey: [UInt8]? {
        entries.lazy.compactMap { if case .teamKey(let entry) = $0 { entry.publicKey } else { nil } }.first
    }

    /// The slots for recipients.
    package var recipients: [RecipientSlot] {
        entries.compactMap { if case .recipient(let slot) = $0 { slot } else { nil } }
    }

    /// The slots and grants of unknown kinds.
    package var unknownWays: [UnknownWay] {
        entries.compactMap { if case .unknownWay(let way) = $0 { way } else { nil } }
    }

    /// The epoch of the user root.
    var rootEpoch: UInt32 { rootEpochs.first ?? 0 }

    /// The epoch of the structure key, which all its entries have.
    package var structureEpoch: UInt32 {
        for case .structureKey(let entry) in entries { return entry.epoch }
        return 0
    }

    /// What the vault says about its structure key, which is the same in all copies with that key.
    package var structureCommitment: [UInt8] {
        for case .structureKey(let entry) in entries { return entry.wrap.commitment }
        return []
    }

    /// The epochs of slots and always keys, which must agree.
    private var rootEpochs: [UInt32] {
        entries.compactMap { entry in
            switch entry {
            case .slot(let slot): slot.epoch
            case .recipient(let slot): slot.epoch
            case .alwaysKey(let entry): entry.epoch
            case .unknownWay(let way): way.epoch
            default: nil
            }
        }
    }

    /// Whether the vault has grants, so that replacements of its file must be signed.
    package var hasGrants: Bool {
        hasUnknownGrants || entries.contains { if case .grant = $0 { true } else { false } }
    }

    /// Whether it is unknown of which groups others have keys.
    package var hasUnknownGrants: Bool { unknownWays.contains { $0.kind == .grant } }

    /// Whether a passphrase opens the vault, alone or with a key file.
    package var hasPassphraseSlot: Bool { slots.contains(where: \.kind.needsPassphrase) }

    /// Whether a slot opens at `device`: with its device key, or with a secret that is not a device key.
    package func canOpen(at device: DeviceID) -> Bool {
        !recipients.isEmpty || slots.contains { $0.kind != .deviceUnlock || $0.device == device }
    }

    /// Throws if a reader would refuse the keybag.
    package func check() throws(Fault) {
        try Limit.keybagEntries.check(entries.count, atMost: Limits.keybagEntryCount)
        try Limit.keybag.check(encoded.count, atMost: Limits.keybagByteCount)
        try Self.checkSlotCounts(entries.map(\.type))
        try checkConsistency()
    }

    /// The padded bytes of the keybag.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt32(entries.count))
        bytes.append(littleEndian: UInt32(0))
        for entry in entries { bytes += entry.encoded }
        let byteCount = Padding.roundedUp(bytes.count, to: Padding.unit)
        bytes.append(contentsOf: repeatElement(0, count: byteCount - bytes.count))
        return bytes
    }
}

extension Keybag {
    /// Reads a keybag at `fileOffset` whose hash has been checked.
    package init(parsing bytes: [UInt8], fileOffset: Int) throws(VaultFormatError) {
        do throws(Fault) {
            try self.init(parsing: bytes)
        } catch {
            throw VaultFormatError(error, in: .keybag, at: fileOffset)
        }
    }

    private init(parsing bytes: [UInt8]) throws(Fault) {
        var reader = ByteReader(bytes)
        let count = try reader.readCount()
        try Limit.keybagEntries.check(count, atMost: Limits.keybagEntryCount)
        try reader.readZeros(4)
        var unparsed: [KeybagEntry.Unparsed] = []
        for _ in 0..<count { unparsed.append(try KeybagEntry.Unparsed(from: &reader)) }
        guard reader.remainingByteCount < Padding.unit else { throw Fault(.badLength, at: reader.offset) }
        try reader.readPadding()
        // First: who made entries that this version does not know may have broken other rules with them.
        for entry in unparsed { try entry.checkSupported() }
        try Self.checkSlotCounts(unparsed.map(\.type))
        entries = []
        for entry in unparsed { entries.append(try KeybagEntry(parsing: entry)) }
        try checkConsistency()
    }

    /// Checks the number of slots among entries of these types.
    private static func checkSlotCounts(_ types: [UInt16]) throws(Fault) {
        try Limit.slots.check(types.count(where: KeybagEntry.slotTypes.contains), atMost: Limits.slotCount)
        try Limit.argon2Slots.check(
            types.count { Slot.Kind(rawValue: $0)?.needsPassphrase == true },
            atMost: Limits.argon2SlotCount
        )
    }

    /// Checks the rules between entries.
    private func checkConsistency() throws(Fault) {
        let uniqueness = entries.compactMap(\.uniqueness)
        guard Set(uniqueness).count == uniqueness.count else { throw Fault(.duplicate) }
        try checkSlots()
        try checkKeys()
        try checkDevices()
    }

    private func checkSlots() throws(Fault) {
        guard !hasPassphraseSlot || !slots.contains(where: { $0.kind == .deviceUnlock }) else {
            throw Fault(.disagrees)
        }
        let epochs = Set(rootEpochs)
        guard epochs.count <= 1 else { throw Fault(.disagrees) }
        for case .previousRoot(let entry) in entries {
            guard epochs.allSatisfy({ entry.epoch < $0 }) else { throw Fault(.disagrees) }
        }
        guard hasPassphraseSlot || !entries.contains(where: \.needsPassphraseSlot) else { throw Fault(.disagrees) }
    }

    /// Checks that the user root opens the structure key, and that each device that does has the always key too.
    private func checkDevices() throws(Fault) {
        let opening = entries.compactMap { if case .structureKey(let entry) = $0 { entry } else { nil } }
        guard opening.contains(where: { $0.root == .user }) else { throw Fault(.missing) }
        guard devicesWithAlwaysKey.isSuperset(of: opening.filter { $0.root == .device }.map(\.device)) else {
            throw Fault(.missing)
        }
    }

    private var devicesWithAlwaysKey: Set<DeviceID> {
        Set(entries.compactMap { if case .alwaysKey(let entry) = $0 { entry.device } else { nil } })
    }

    /// Removes structure keys of devices that have no always key, which readers refuse.
    package mutating func removeIncompleteDevices() {
        let complete = devicesWithAlwaysKey
        entries.removeAll {
            if case .structureKey(let entry) = $0 {
                entry.root == .device && !complete.contains(entry.device)
            } else {
                false
            }
        }
    }

    private func checkKeys() throws(Fault) {
        var commitments: [[UInt8]: [UInt8]] = [:]
        for (identity, commitment) in entries.compactMap(\.commitment) {
            guard commitments.updateValue(commitment, forKey: identity) ?? commitment == commitment else {
                throw Fault(.disagrees)
            }
        }
        let structureEpochs = Set(
            entries.compactMap { if case .structureKey(let entry) = $0 { entry.epoch } else { nil } }
        )
        guard let epoch = structureEpochs.first else { throw Fault(.missing) }
        guard structureEpochs == [epoch] else { throw Fault(.disagrees) }
        let groups = Set(entries.compactMap { if case .groupName(let entry) = $0 { entry.group } else { nil } })
        guard groups.isSuperset(of: entries.compactMap(\.neededGroup)) else { throw Fault(.missing) }
    }
}
