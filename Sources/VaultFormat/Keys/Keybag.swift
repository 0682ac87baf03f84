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

    /// The epoch of the user root.
    var rootEpoch: UInt32 { rootEpochs.first ?? 0 }

    /// The epochs of slots and always keys, which must agree.
    private var rootEpochs: [UInt32] {
        entries.compactMap { entry in
            switch entry {
            case .slot(let slot): slot.epoch
            case .recipient(let slot): slot.epoch
            case .alwaysKey(let entry): entry.epoch
            default: nil
            }
        }
    }

    /// Whether the vault has grants, so that replacements of its file must be signed.
    package var hasGrants: Bool { entries.contains { if case .grant = $0 { true } else { false } } }

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
        do throws(LocatedFault) {
            try self.init(parsing: bytes)
        } catch {
            throw VaultFormatError(error, in: .keybag, at: fileOffset)
        }
    }

    private init(parsing bytes: [UInt8]) throws(LocatedFault) {
        var reader = ByteReader(bytes)
        let count = try reader.readCount()
        guard count <= Limits.keybagEntryCount else {
            throw LocatedFault(.limitExceeded(.keybagEntries, value: UInt64(count)), at: 0)
        }
        try reader.readZeros(4)
        entries = []
        for _ in 0..<count { entries.append(try KeybagEntry(from: &reader)) }
        guard reader.remainingByteCount < Padding.unit else { throw LocatedFault(.badLength, at: reader.offset) }
        try reader.readPadding()
        try translating(LocatedFault.atStart, checkConsistency())
    }

    /// Checks the rules between entries.
    private func checkConsistency() throws(Fault) {
        try Limit.slots.check(slots.count + recipients.count, atMost: Limits.slotCount)
        let passphraseSlotCount = slots.count { $0.kind.needsPassphrase }
        try Limit.argon2Slots.check(passphraseSlotCount, atMost: Limits.argon2SlotCount)
        let uniqueness = entries.compactMap(\.uniqueness)
        guard Set(uniqueness).count == uniqueness.count else { throw .duplicate }
        try checkSlots(passphraseSlotCount: passphraseSlotCount)
        try checkKeys()
    }

    private func checkSlots(passphraseSlotCount: Int) throws(Fault) {
        guard passphraseSlotCount == 0 || !slots.contains(where: { $0.kind == .deviceUnlock }) else { throw .disagrees }
        guard Set(rootEpochs).count <= 1 else { throw .disagrees }
        guard passphraseSlotCount > 0 || !entries.contains(where: \.needsPassphraseSlot) else { throw .disagrees }
    }

    private func checkKeys() throws(Fault) {
        var commitments: [[UInt8]: [UInt8]] = [:]
        for (identity, commitment) in entries.compactMap(\.commitment) {
            guard commitments.updateValue(commitment, forKey: identity) ?? commitment == commitment else {
                throw .disagrees
            }
        }
        let structureEpochs = Set(
            entries.compactMap { if case .structureKey(let entry) = $0 { entry.epoch } else { nil } }
        )
        guard let epoch = structureEpochs.first else { throw .missing }
        guard structureEpochs == [epoch] else { throw .disagrees }
        let groups = Set(entries.compactMap { if case .groupName(let entry) = $0 { entry.group } else { nil } })
        guard groups.isSuperset(of: entries.compactMap(\.neededGroup)) else { throw .missing }
    }
}
