package import VaultCrypto

/// Section 11: how far a vault had come when it was last used, remembered outside of it.
///
/// A file that is replaced by an older one of its own is genuine in every byte. Only who remembers the newer one can
/// tell.
package struct Anchor: Equatable, Sendable {
    package static let chainByteCount = 32

    package let vault: VaultID
    package let generation: UInt64
    /// The sequence number of the last transaction.
    package let sequence: UInt64
    /// The chain value behind that transaction.
    package let chain: [UInt8]
    /// The epoch of the structure key.
    package let structureKeyEpoch: UInt32

    package init(
        vault: VaultID,
        generation: UInt64,
        sequence: UInt64,
        chain: [UInt8],
        structureKeyEpoch: UInt32
    ) {
        precondition(chain.count == Self.chainByteCount, "a chain value has 32 bytes")
        self.vault = vault
        self.generation = generation
        self.sequence = sequence
        self.chain = chain
        self.structureKeyEpoch = structureKeyEpoch
    }
}
