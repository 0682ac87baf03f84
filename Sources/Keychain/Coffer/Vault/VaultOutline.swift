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
            case .unknown(let type): .unknown(number: Int(type))
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

/// The parts of a vault file, in order and without gaps, as far as they can be told without a key.
///
/// None of it is authenticated.
package struct VaultMap: Sendable {
    /// A part of the file.
    package struct Part: Sendable {
        package enum Kind: String, CaseIterable, Sendable {
            case header, keybag, directory, sections, frame, reserve, unknown
        }

        package let kind: Kind
        /// The bytes of the file.
        package let range: Range<Int>
        /// The number of the change in a frame.
        package let change: UInt64?
        package let isDamaged: Bool

        package init(_ kind: Kind, _ range: Range<Int>, change: UInt64? = nil, isDamaged: Bool = false) {
            self.kind = kind
            self.range = range
            self.change = change
            self.isDamaged = isDamaged
        }
    }

    package let parts: [Part]
    /// What else can be read without a key; nil if the header is damaged.
    package let outline: VaultOutline?
    /// The damage that can be seen without a key, except for that in the log.
    package let damage: [VaultOutline.Damage]

    /// The size of the file.
    package var byteCount: Int { parts.last?.range.upperBound ?? 0 }

    package init(_ parts: [Part], outline: VaultOutline? = nil, damage: [VaultOutline.Damage] = []) {
        self.parts = parts
        self.outline = outline
        self.damage = damage
    }

    init(_ found: VaultParts, path: String) {
        self.init(
            found.parts.map { Part($0) },
            outline: found.inspection.map { VaultOutline($0, path: path) },
            damage: found.damage.map { VaultOutline.Damage($0, path: path) }
        )
    }
}

extension VaultMap.Part {
    fileprivate init(_ part: VaultPart) {
        let kind: Kind
        var change: UInt64?
        switch part.kind {
        case .header: kind = .header
        case .keybag: kind = .keybag
        case .directory: kind = .directory
        case .sections: kind = .sections
        case .frame(let sequence): (kind, change) = (.frame, sequence)
        case .reserve: kind = .reserve
        case .unknown: kind = .unknown
        }
        self.init(kind, part.range, change: change, isDamaged: part.isDamaged)
    }
}
