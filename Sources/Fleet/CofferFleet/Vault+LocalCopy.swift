public import Coffer
internal import CofferBasics
internal import VaultStore

// A copy beside the file of the fleet, for changes without the network.
extension Vault {
    /// The path of the local copy of this vault, which can be changed without the network.
    ///
    /// Any program can open and write it, even one without `CofferFleet`. It is merged with the vault of the fleet in both
    /// directions.
    public var localCopyPath: String { "\(path).local" }

    /// Makes the local copy, unless it exists.
    ///
    /// - Throws: ``VaultError`` if it cannot be written.
    public func makeLocalCopy() throws(VaultError) {
        do throws(VaultError) {
            try copy(to: localCopyPath)
        } catch {
            guard error.kind == .fileExists else { throw error }
            return
        }
        _ = try openedLocalCopy()
    }

    /// Catches up with the fleet, and merges the local copy and this vault, so that both have the same items.
    ///
    /// - Parameter ladder: The secrets that open both if the keys of one were changed.
    /// - Returns: What that changed in the local copy; nil if there is none. ``MergeSummary/keptPath`` is where its former
    ///   file was kept, if some of its changes were left out.
    /// - Throws: ``VaultError`` if the fleet is unreachable; the local changes then stay in the copy.
    @discardableResult
    public func mergeLocalCopy(with ladder: UnlockLadder = UnlockLadder()) throws(VaultError) -> MergeSummary? {
        // With the keys that both have, before this one may get others.
        let known = try openedLocalCopy()
        try follow(with: ladder)
        return try mergeLocalCopy(known, ladder)
    }

    /// Merges the local copy, which may have been opened before, and this vault.
    func mergeLocalCopy(_ known: Vault?, _ ladder: UnlockLadder) throws(VaultError) -> MergeSummary? {
        guard let copy = if let known { known } else { try unlockedLocalCopy(ladder) } else { return nil }
        return MergeSummary(
            try VaultError.converting {
                _ = try store.merge(copy.store)
                return try copy.store.merge(store)
            }
        )
    }

    /// The local copy, opened with the keys of this vault; nil if it does not exist or has other keys.
    func openedLocalCopy() throws(VaultError) -> Vault? {
        do throws(VaultError) {
            let copy = try openedCopy(at: localCopyPath, mayWrite: true, memory: options.locations.anchors)
            // It was just copied.
            if copy?.isShared == true { try copy?.endSharing() }
            return copy
        } catch {
            guard error.kind == .noVault else { throw error }
            return nil
        }
    }

    private func unlockedLocalCopy(_ ladder: UnlockLadder) throws(VaultError) -> Vault? {
        do throws(VaultError) {
            let options = options.forCopies(mayWrite: true, memory: options.locations.anchors)
            return try Vault.open(at: localCopyPath, with: ladder, options: options)
        } catch {
            guard error.kind == .wrongSecret else {
                guard error.kind == .noVault else { throw error }
                return nil
            }
            throw VaultError(
                kind: .wrongSecret,
                description: """
                    \(localCopyPath.printable) still has the old keys; merge it with `coffer sync --copy-passphrase-file \
                    OLD \(localCopyPath.printable)`
                    """
            )
        }
    }
}
