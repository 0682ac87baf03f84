internal import CofferBasics
internal import VaultCrypto

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
