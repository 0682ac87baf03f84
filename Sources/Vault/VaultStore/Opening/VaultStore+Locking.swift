internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat

extension VaultStore {
    /// Whether items that are protected while the vault is locked can be read.
    ///
    /// This requires the user root, or keys that another process of the user has opened.
    package var isUnlocked: Bool {
        state.withLock { $0.generation.opening.keyring.isUnlocked }
    }

    /// Returns the keys that open what can be read here, for other processes of the user; nil while the vault is
    /// locked, and for the holder of a grant.
    ///
    /// They read and write items of the existing groups and protection classes. They cannot make new keys, or change
    /// what opens the vault, because no root is among them.
    package func heldKeys() throws -> HeldKeys? {
        try read { vault in
            vault.keyring.isUnlocked && vault.keyring.roots.credential == nil ? vault.opening.heldKeys : nil
        }
    }

    /// Releases the keys that must not be available while the vault is locked, and everything that was read with them.
    ///
    /// The remaining keys show which items exist, open those that may be read while the vault is locked, and allow
    /// deleting.
    package func lock() {
        // The thread of a compaction does not exist in a forked process, which would wait for it forever.
        guard process.isSameProcess else { return state.withLock { $0.generation.lock() } }
        background.stopped(environment.time) { state.withLock { $0.generation.lock() } }
    }

    /// Opens the vault again with the roots that `roots` returns; if that fails, it stays as it is.
    package func unlock(
        roots: (VaultPrelude) throws -> Keyring.Roots
    ) throws {
        try serve {
            try state.withLock { state in
                if case .unreadable(let failure, after: _) = state.file.access { throw failure }
                try reopen(&state, roots: roots)
                try checkRollback(state)
            }
        }
    }
}
