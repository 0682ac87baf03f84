public import Coffer
internal import CofferBasics
internal import VaultStore

// A copy beside the file of the fleet, for changes that wait for no network.
extension Vault {
    /// The path of the copy of this vault that changes without the fleet.
    ///
    /// Any program that can open a vault can use it, also one that does not know fleets. Its changes come into the fleet
    /// by the rules of merging, and those of the fleet into it.
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

    /// Makes the local copy and this vault equal, after taking in what other machines have written.
    ///
    /// - Parameter ladder: What opens both, if the keys of one were changed.
    /// - Returns: Whether there is a local copy.
    /// - Throws: ``VaultError`` if the fleet cannot be reached: then the changes wait.
    @discardableResult
    public func mergeLocalCopy(with ladder: UnlockLadder = UnlockLadder()) throws(VaultError) -> Bool {
        // With the keys that both have, before this one may get others.
        let known = try openedLocalCopy()
        try follow(with: ladder)
        guard let copy = if let known { known } else { try unlockedLocalCopy(ladder) } else { return false }
        try translating(VaultError.ofStore) { () throws(StoreError) in
            _ = try store.merge(copy.store)
            _ = try copy.store.merge(store)
        }
        return true
    }

    /// The local copy, opened with the keys of this vault; nil if it does not exist or has other keys.
    private func openedLocalCopy() throws(VaultError) -> Vault? {
        do throws(VaultError) {
            let copy = try openedCopy(at: localCopyPath, mayWrite: true, memory: options.places.anchors)
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
            let options = options.forCopies(mayWrite: true, memory: options.places.anchors)
            return try Vault.open(at: localCopyPath, with: ladder, options: options)
        } catch {
            guard error.kind == .wrongSecret else {
                guard error.kind == .noVault else { throw error }
                return nil
            }
            throw VaultError(
                kind: .wrongSecret,
                description: """
                    \(localCopyPath.printable) still has the keys that were changed; make it equal to the vault with what \
                    opened both before
                    """
            )
        }
    }
}
