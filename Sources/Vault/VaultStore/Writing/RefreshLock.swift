internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// The lock of whoever refreshes an item, among all threads and processes that use the vault, on all machines that share it.
///
/// It is in a file beside the vault, so that it outlasts a replacement of the vault's file. The system releases it when
/// its holder ends, however that happens. Machines that share the vault have one in the shared log besides.
package final class RefreshLock: Sendable {
    private let vault: VaultStore
    private let file: any OpenFile
    private let offset: FileLockOffset
    /// The name of the lock in a shared log.
    private let name: String
    private let shared = Guarded<(any SharedLock)?>(nil)

    fileprivate init(_ vault: VaultStore, _ file: any OpenFile, _ hash: UInt64) {
        (self.vault, self.file) = (vault, file)
        offset = FileLockOffset(Int(hash >> 2))
        name = "refresh/\(hash)"
    }

    /// Tries to take the lock; whoever has it sees what former holders have written.
    package func tryTake() throws -> Bool {
        try vault.serve {
            guard try file.tryLock(at: offset) else { return false }
            guard let log = vault.sharedLog else { return true }
            do {
                guard let lock = try log.lock(name) else {
                    release()
                    return false
                }
                shared.withLock { $0 = lock }
                try vault.follow(isStrict: true)
            } catch {
                release()
                throw error
            }
            return true
        }
    }

    /// Releases the lock.
    package func release() {
        shared.withLock { $0.take() }?.release()
        // If it fails, the lock is released when the file is closed.
        try? file.unlock(at: offset)
    }

    /// Returns the process that holds the lock, as far as the system knows.
    package var holder: Int32? { file.lockHolder(at: offset) }
}

extension VaultStore {
    /// Opens the lock of whoever refreshes an item.
    package func refreshLock(of item: ItemID) throws -> RefreshLock {
        let file = try openedLockFile()
        let vault = try read { vault in vault.vault }
        // Which item it is shows only to those who know the ids of items.
        let hash = Label.refresh.hash(8, vault.bytes + item.bytes)
        return RefreshLock(self, file, hash.span.littleEndian(at: 0))
    }

    /// Creates the file with the locks if it is missing, for users of the vault who cannot create it themselves.
    package func prepareRefreshing() throws { _ = try openedLockFile() }

    /// Opens the file with the locks, or creates it, and lets the users of the vault use it.
    private func openedLockFile() throws -> any OpenFile {
        try serve {
            if let readOnlyReason { throw StoreError.readOnly(readOnlyReason, path: path) }
            // A vault that was opened by a descriptor cannot be written.
            guard let place = opener.location.place else { throw StoreError.readOnly(.asked, path: path) }
            let vault = state.withLock { $0.file.handle }
            let file = try place.directory.openOrCreate(Self.refreshLockName(of: place.name))
            try copyAccess(of: try vault.status(), to: file)
            return file
        }
    }

    /// Returns the name of the file with these locks, beside the vault with this name.
    package static func refreshLockName(of vault: String) -> String { ".\(vault).refresh" }

    /// Gives the file with the locks the users of the vault, which may have changed, as far as this process can.
    private func copyAccess(of vault: FileStatus, to file: any OpenFile) throws(FileError) {
        let own = try file.status()
        var wanted = vault
        let isRoot = environment.user == 0
        if !isRoot { wanted.owner = own.owner }
        guard isRoot || own.owner == environment.user,
            (own.owner, own.group, own.permissions) != (wanted.owner, wanted.group, wanted.permissions)
        else { return }
        try file.copyAccess(of: wanted)
    }
}
