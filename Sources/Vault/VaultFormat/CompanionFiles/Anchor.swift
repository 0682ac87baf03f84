internal import CofferBasics
package import VaultCrypto

/// Section 11: the position of a vault when it was last used here, remembered outside of the vault.
///
/// An older copy of a vault file is genuine in every byte; only a machine that remembers the newer one can detect it.
package struct Anchor: Equatable, Sendable {
    package static let chainByteCount = 32

    package let vault: VaultID
    package let generation: UInt64
    /// The sequence number of the last transaction.
    package let sequence: UInt64
    /// The chain value after that transaction.
    package let chain: [UInt8]
    /// The epoch of the structure key.
    package let structureKeyEpoch: UInt32
    /// Who wrote last here, if anybody did.
    package let lastWriter: LastWriter?

    /// A writer, and the file that it wrote.
    package struct LastWriter: Equatable, Sendable {
        package let id: WriterID
        package let device: UInt64
        package let inode: UInt64
        /// The id of the machine's start, since files and this record may both be set back while it is off.
        package let machineStart: [UInt8]

        static let startByteCount = 16

        package init(id: WriterID, device: UInt64, inode: UInt64, machineStart: [UInt8]) {
            precondition(machineStart.count == Self.startByteCount, "the id of a start has 16 bytes")
            self.id = id
            self.device = device
            self.inode = inode
            self.machineStart = machineStart
        }
    }

    package init(
        vault: VaultID,
        generation: UInt64,
        sequence: UInt64,
        chain: [UInt8],
        structureKeyEpoch: UInt32,
        lastWriter: LastWriter? = nil
    ) {
        precondition(chain.count == Self.chainByteCount, "a chain value has 32 bytes")
        self.vault = vault
        self.generation = generation
        self.sequence = sequence
        self.chain = chain
        self.structureKeyEpoch = structureKeyEpoch
        self.lastWriter = lastWriter
    }
}

extension Anchor {
    /// Whether this position is older than that of `other`, by the numbers that section 11 compares.
    package func precedes(_ other: Anchor) -> Bool {
        generation < other.generation || structureKeyEpoch < other.structureKeyEpoch
            || generation == other.generation && sequence < other.sequence
    }

    /// Whether both remember the same position.
    package func hasPosition(of other: Anchor) -> Bool {
        generation == other.generation && sequence == other.sequence && chain == other.chain
    }
}

/// The anchor file of section 11: two slots; each update overwrites the one that is not current.
///
/// If a write is interrupted, the previous anchor is still in the other slot.
package struct AnchorFile: Equatable, Sendable {
    package static let byteCount = 2 * AnchorSlot.byteCount

    private var slots: [AnchorSlot?]

    /// An empty file, before the first update.
    package init() {
        slots = [nil, nil]
    }

    /// Reads the valid slots of a file for `vault`.
    ///
    /// A slot that is damaged, belongs to another vault or lies beyond the end of a short file does not exist; bytes
    /// after the second slot are ignored.
    package init(parsing bytes: Span<UInt8>, vault: VaultID) {
        self.init()
        for number in slots.indices {
            let range = Self.range(ofSlot: number)
            guard range.upperBound <= bytes.count else { return }
            slots[number] = AnchorSlot(parsing: bytes.extracting(range), vault: vault)
        }
    }

    /// Whether a file may be overwritten: it is an anchor file, valid or damaged, or it is empty or all zero.
    ///
    /// `bytes` are the bytes of the file, up to one more than an anchor file has.
    package static func mayReplace(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= byteCount else { return false }
        let starts = [0, 1].map(range).filter { $0.upperBound <= bytes.count }
        // A power failure during a write may leave zeros.
        return starts.contains { AnchorSlot.hasMagic(bytes.extracting($0)) }
            || bytes.indices.allSatisfy { bytes[$0] == 0 }
    }

    /// The current anchor: that of the slot with the greater count, or of the first if the counts are equal.
    package var anchor: Anchor? {
        currentSlot.flatMap { slots[$0]?.anchor }
    }

    /// The write that remembers `anchor`; it is synced after the vault.
    package func update(to anchor: Anchor) -> AnchorUpdate {
        let count = currentSlot.flatMap { slots[$0]?.count } ?? 0
        // A forged file may have the greatest count. The second slot cannot have a greater one then, but the first is
        // current if both have the same.
        let isLast = count == .max
        let slot = AnchorSlot(count: isLast ? count : count + 1, anchor: anchor)
        let number = currentSlot == 0 && !isLast ? 1 : 0
        var file = self
        file.slots[number] = slot
        return AnchorUpdate(
            offset: Self.range(ofSlot: number).lowerBound,
            bytes: slot.encoded(),
            file: file
        )
    }

    /// The number of the current slot, or nil if none exists.
    private var currentSlot: Int? {
        switch (slots[0], slots[1]) {
        case (nil, nil): nil
        case (_, nil): 0
        case (nil, _): 1
        case (let first?, let second?): first.count < second.count ? 1 : 0
        }
    }

    private static func range(ofSlot number: Int) -> Range<Int> {
        number * AnchorSlot.byteCount..<(number + 1) * AnchorSlot.byteCount
    }
}

/// One write to an anchor file.
package struct AnchorUpdate: Equatable, Sendable {
    /// The offset in the file at which ``bytes`` are written.
    package let offset: Int
    package let bytes: [UInt8]
    /// The file after the write; if the write fails, keep the previous value.
    package let file: AnchorFile
}

/// One of the two slots of an anchor file, 512 bytes, section 11.
struct AnchorSlot: Equatable, Sendable {
    static let byteCount = 512
    private static let magic = Array("COFANCH1".utf8)
    private static let reservedByteCount = 352
    private static let checksumByteCount = 32

    /// One more than the count in the other slot at the time of writing.
    let count: UInt64
    let anchor: Anchor

    init(count: UInt64, anchor: Anchor) {
        self.count = count
        self.anchor = anchor
    }

    /// Whether `bytes` begin with the magic of a slot.
    static func hasMagic(_ bytes: Span<UInt8>) -> Bool {
        magic.indices.allSatisfy { bytes[$0] == magic[$0] }
    }

    /// The slot in `bytes`, or nil if they are not a valid slot of `vault`.
    init?(parsing bytes: Span<UInt8>, vault: VaultID) {
        guard bytes.count == Self.byteCount else { return nil }
        count = bytes.littleEndian(at: 8)
        anchor = Anchor(
            vault: Identifier(bytes.extracting(16..<32)),
            generation: bytes.littleEndian(at: 32),
            sequence: bytes.littleEndian(at: 40),
            chain: [UInt8](copying: bytes.extracting(48..<80)),
            structureKeyEpoch: bytes.littleEndian(at: 80),
            lastWriter: Anchor.LastWriter(parsing: bytes.extracting(88..<128))
        )
        guard anchor.vault == vault else { return nil }
        // A slot has exactly one encoding, so this checks magic, reserved bytes and checksum at once.
        let expected = encoded()
        for index in bytes.indices where bytes[index] != expected[index] { return nil }
    }

    /// The 512 bytes of the slot.
    func encoded() -> [UInt8] {
        var bytes = Self.magic
        bytes.reserveCapacity(Self.byteCount)
        bytes.append(littleEndian: count)
        bytes += anchor.vault.bytes
        bytes.append(littleEndian: anchor.generation)
        bytes.append(littleEndian: anchor.sequence)
        bytes += anchor.chain
        bytes.append(littleEndian: anchor.structureKeyEpoch)
        bytes.append(littleEndian: UInt32(0))
        bytes += anchor.lastWriter?.bytes ?? [UInt8](repeating: 0, count: Anchor.LastWriter.byteCount)
        bytes.append(contentsOf: repeatElement(0, count: Self.reservedByteCount))
        return bytes + Label.anchor.hash(Self.checksumByteCount, bytes)
    }
}

extension Anchor.LastWriter {
    static let byteCount = 40

    fileprivate var bytes: [UInt8] {
        var bytes = id.bytes
        bytes.append(littleEndian: device)
        bytes.append(littleEndian: inode)
        return bytes + machineStart
    }

    fileprivate init?(parsing bytes: Span<UInt8>) {
        let id = WriterID(bytes.extracting(..<8))
        guard id != .none else { return nil }
        self.init(
            id: id,
            device: bytes.littleEndian(at: 8),
            inode: bytes.littleEndian(at: 16),
            machineStart: [UInt8](copying: bytes.extracting(24..<40))
        )
    }
}

/// The result of comparing an opened vault with its anchor: section 11.
package enum AnchorVerdict: Equatable, Sendable {
    /// The vault is as the anchor remembers it, or newer.
    case fine
    /// The vault is older than the anchor.
    case rollback
    /// The vault's history differs from the one that the anchor remembers.
    case forked
    /// A transaction that was acknowledged is missing, and the tail is not clean.
    case lostCommit
}

extension AnchorVerdict: CustomStringConvertible {
    /// The verdict, in one sentence.
    package var description: String {
        switch self {
        case .fine: "the vault is at least as new as when it was last used here"
        case .rollback: "the vault is older than when it was last used here"
        case .forked: "the vault's history differs from the one last seen here"
        case .lostCommit: "the end of the vault is damaged, and changes that were saved here are missing"
        }
    }
}

/// The position that the verified file of a vault has reached.
package struct VaultPosition: Equatable, Sendable {
    package let generation: UInt64
    /// The sequence number of the last transaction in the snapshot.
    package let baseSequence: UInt64
    /// The chain value of the previous generation at the base sequence number.
    package let previousChain: [UInt8]
    /// The sequence number of the last frame that verifies, or the base sequence number if none exists.
    package let lastSequence: UInt64
    /// Whether only zeros follow that frame.
    package let isTailClean: Bool
    /// The epoch of the structure key that opened the vault.
    package let structureKeyEpoch: UInt32

    package init(
        generation: UInt64,
        baseSequence: UInt64,
        previousChain: [UInt8],
        lastSequence: UInt64,
        isTailClean: Bool,
        structureKeyEpoch: UInt32
    ) {
        self.generation = generation
        self.baseSequence = baseSequence
        self.previousChain = previousChain
        self.lastSequence = lastSequence
        self.isTailClean = isTailClean
        self.structureKeyEpoch = structureKeyEpoch
    }
}

extension Anchor {
    /// The verdict on an opened vault at `position`.
    ///
    /// `chain` returns the chain value after a transaction of the vault's generation, from its base to its last, and
    /// nil for any other.
    package func verdict(on position: VaultPosition, chain chainValue: (_ sequence: UInt64) -> [UInt8]?)
        -> AnchorVerdict
    {
        guard position.generation >= generation, position.structureKeyEpoch >= structureKeyEpoch else {
            return .rollback
        }
        if position.generation > generation {
            return isContinued(byLaterGenerationAt: position) ? .fine : .forked
        }
        guard position.lastSequence >= sequence else { return position.isTailClean ? .rollback : .lostCommit }
        guard sequence >= position.baseSequence, chainValue(sequence) == chain else { return .forked }
        return .fine
    }

    /// Whether a vault of a later generation can be a continuation of what the anchor remembers.
    private func isContinued(byLaterGenerationAt position: VaultPosition) -> Bool {
        guard position.lastSequence >= sequence else { return false }
        // Only the very next generation holds a chain value of the anchor's generation: the one at its base.
        let tellsChain = position.generation - generation == 1 && position.baseSequence == sequence
        return !tellsChain || position.previousChain == chain
    }
}
