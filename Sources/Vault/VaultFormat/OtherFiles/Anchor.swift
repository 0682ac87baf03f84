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
