/// What an anchor says about a vault that opened: section 11.
package enum AnchorVerdict: Equatable, Sendable {
    /// The vault is where the anchor left it, or further.
    case fine
    /// The vault is older than it was.
    case rollback
    /// The vault has another history than the one that the anchor saw.
    case forked
    /// A transaction that was acknowledged is missing, at a tail that is not clean.
    case lostCommit
}

extension AnchorVerdict: CustomStringConvertible {
    /// What is the matter, in one sentence.
    package var description: String {
        switch self {
        case .fine: "the vault is at least as new as when it was last used here"
        case .rollback: "the vault is older than when it was last used here"
        case .forked: "the vault has another history than the one that was seen here"
        case .lostCommit: "the end of the vault is damaged, and changes that were saved here are missing"
        }
    }
}

/// How far a vault has come, as its file says after it was verified.
package struct VaultPosition: Equatable, Sendable {
    package let generation: UInt64
    /// The sequence number of the last transaction in the snapshot.
    package let baseSequence: UInt64
    /// The chain value that the generation before had at the base sequence number.
    package let previousChain: [UInt8]
    /// The sequence number of the last frame that verifies, or of the base if there is none.
    package let lastSequence: UInt64
    /// Whether nothing but zeros follows that frame.
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
    /// What the anchor says about a vault that opened and has come to `position`.
    ///
    /// `chain` gives the chain value behind a transaction of the vault's generation, from its base to its last, and nil
    /// for any other.
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

    /// Whether a vault of a later generation can have grown out of what the anchor saw.
    private func isContinued(byLaterGenerationAt position: VaultPosition) -> Bool {
        guard position.lastSequence >= sequence else { return false }
        // Only the very next generation tells a chain value of the one of the anchor, and only that at its base.
        let tellsChain = position.generation - generation == 1 && position.baseSequence == sequence
        return !tellsChain || position.previousChain == chain
    }
}
