internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat
internal import VaultStore

/// What can be read of a vault without a key; none of it is authenticated.
package struct VaultOutline: Sendable {
    /// A way to open the vault or a part of it.
    package struct Slot: Sendable {
        package let kind: VaultSlot.Kind
        package let id: String
        package let created: KeychainDate
        /// The cost of deriving a key from the passphrase.
        package let work: (memoryKiB: Int, passes: Int)?
    }

    /// Damage that is visible without a key.
    package struct Damage: Sendable {
        package let description: String
        /// The error for users of the vault.
        package let problem: VaultError
        /// Whether the keys are damaged.
        package let isAboutKeys: Bool
        /// Whether it only means that the end of the file cannot be checked without a key.
        package let isUnknownTail: Bool
    }

    /// The identifier of the vault, in hexadecimal digits.
    package let id: String
    /// The number of the draft of the format.
    package let draft: Int
    /// The only draft that this version reads and writes.
    package static let currentDraft = Header.draft
    package let generation: UInt64
    /// Whether machines share it.
    package let isShared: Bool
    package let fileByteCount: Int
    package let keybagByteCount: Int
    package let snapshotByteCount: Int
    package let slots: [Slot]
    /// The identifiers of the devices of the vault.
    package let devices: [String]
    package let groupCount: Int
    package let grantCount: Int
    package let logByteCount: Int
    package let changeCount: Int
    package let reserveByteCount: Int
    /// The offset of bytes that cannot be identified without a key.
    package let unknownOffset: Int?
    package let damage: [Damage]
    /// The name under which the kernel keeps keys of this vault.
    package let keyringName: String

    init(_ inspection: VaultInspection, path: String) {
        id = inspection.vault.description
        draft = inspection.draft
        generation = inspection.generation
        isShared = inspection.features.isShared
        fileByteCount = inspection.fileByteCount
        keybagByteCount = inspection.keybagByteCount
        snapshotByteCount = inspection.snapshotByteCount
        slots = inspection.slots.map { Slot($0) }
        devices = inspection.devices.map(\.description)
        groupCount = inspection.groupCount
        grantCount = inspection.grantCount
        logByteCount = inspection.log.byteCount
        changeCount = inspection.log.frameCount
        reserveByteCount = inspection.log.reserveByteCount
        unknownOffset = inspection.log.unknownOffset
        damage = inspection.damage.map { Damage($0, path: path) }
        keyringName = KeyCache.description(of: inspection.vault)
    }
}

extension VaultOutline.Slot {
    fileprivate init(_ slot: VaultInspection.SlotSummary) {
        kind =
            switch slot.kind {
            case .slot(let kind): VaultSlot.Kind(kind, slot.device)
            case .recipient: .recipient
            }
        id = slot.id.description
        created = KeychainDate(slot.created)
        work = slot.derivation.map { ($0.memoryKiB, $0.operations) }
    }
}

extension VaultOutline.Damage {
    init(_ error: VaultFormatError, path: String) {
        description = "\(error)"
        problem = .ofStore(.vault(error, path: path))
        isAboutKeys = if case .keybagFailure = error { true } else { false }
        isUnknownTail = if case .unknownTail = error { true } else { false }
    }
}
