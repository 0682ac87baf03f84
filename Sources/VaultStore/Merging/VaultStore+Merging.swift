internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

extension VaultStore {
    /// Takes over what another copy of the vault has and this one lacks, in one transaction.
    package func merge(_ other: VaultStore) throws(StoreError) -> MergeReport {
        var copy = try other.read { $0 }
        return try transaction { transaction throws(StoreError) in
            try transaction.vault.checkMergeable(copy)
            return try transaction.merge(&copy)
        }
    }

    /// Returns what ``merge(_:)`` would change now.
    package func mergePreview(of other: VaultStore) throws(StoreError) -> MergeReport {
        var copy = try other.read { $0 }
        let vault = try read { vault throws(StoreError) in
            try vault.completeLog()
            return vault
        }
        try vault.checkMergeable(copy)
        let time = Time(microseconds: environment.time.wallMicroseconds())
        var transaction = Transaction(vault, time: time, writer: environment.random.shortIdentifier())
        let report = try transaction.merge(&copy)
        _ = transaction.abandoned()
        return report
    }
}

extension OpenGeneration {
    fileprivate func checkMergeable(_ other: OpenGeneration) throws(StoreError) {
        guard vault == other.vault else { throw .merge(.otherVault, path: other.path) }
        guard prelude.keybag.structureCommitment == other.prelude.keybag.structureCommitment else {
            throw .merge(.keysDiffer, path: other.path)
        }
    }
}
