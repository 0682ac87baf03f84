internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat

extension VaultStore {
    /// Whether items can be read that are protected while the vault is locked.
    ///
    /// That takes the user root, or keys that another process of the user has opened.
    package var isUnlocked: Bool {
        state.withLock { $0.generation?.opening.keyring.isUnlocked ?? false }
    }

    /// The keys that open what can be read here, for other processes of the user; nil while the vault is locked.
    ///
    /// They read and write items of the groups and protections that there are. They make no new ones, and cannot change
    /// who opens the vault: no root is among them.
    package func heldKeys() throws(StoreError) -> HeldKeys? {
        try read { vault in vault.keyring.isUnlocked ? vault.opening.heldKeys : nil }
    }

    /// Lets the keys go that must not be at hand while the vault is locked, and all that was read with them.
    ///
    /// What is left tells which items there are, opens those that may be read while it is locked, and deletes.
    package func lock() {
        state.withLock { $0.generation?.lock() }
    }

    /// Opens the vault anew, with what `roots` finds; if that fails, it stays as it is.
    package func unlock(
        roots: (VaultPrelude) throws(VaultFormatError) -> Keyring.Roots
    ) throws(StoreError) {
        try checkProcess()
        try state.withLock { state throws(StoreError) in
            if case .unreadable(let failure, after: _) = state.access { throw failure }
            try reopen(&state, roots: roots)
            try checkRollback(state)
        }
    }
}
