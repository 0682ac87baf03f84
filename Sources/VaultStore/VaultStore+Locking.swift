package import VaultCrypto
internal import VaultFiles
package import VaultFormat
internal import VaultThreads

extension VaultStore {
    /// Whether the user root is at hand, without which keys that end when the vault is locked cannot be.
    package var isUnlocked: Bool {
        state.withLock { $0.generation?.opening.keyring.isOwner ?? false }
    }

    /// Lets the keys go that must not be at hand while the vault is locked, and all that was read with them.
    ///
    /// What is left tells which items there are, opens those that may be read while it is locked, and deletes.
    package func lock() {
        state.withLock { $0.generation?.lock() }
    }

    /// Opens the vault anew, with what `roots` finds; if that fails, it stays as it is.
    package func unlock(
        roots: (VaultPrelude) throws(VaultFormatError) -> Keyring<SodiumSuite>.Roots
    ) throws(StoreError) {
        try checkProcess()
        try state.withLock { state throws(StoreError) in
            if let failure = state.failure { throw failure }
            try reopen(&state, roots: roots)
        }
    }
}
