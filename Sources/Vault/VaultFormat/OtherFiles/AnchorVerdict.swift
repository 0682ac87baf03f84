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
