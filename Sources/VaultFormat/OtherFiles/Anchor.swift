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
