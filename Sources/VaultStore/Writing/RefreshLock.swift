internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// The lock of whoever refreshes an item, among all threads and processes that use the vault.
///
/// It is in a file beside the vault, so that it outlasts a replacement of the vault's file. The system releases it when
/// its holder ends, however that happens.
package final class RefreshLock: Sendable {
    private let file: any OpenFile
    private let offset: FileLockOffset

    fileprivate init(_ file: any OpenFile, _ offset: FileLockOffset) {
        self.file = file
        self.offset = offset
    }

    /// Tries to take the lock.
    package func tryTake() throws(StoreError) -> Bool { try translating(StoreError.file, file.tryLock(at: offset)) }

    /// Releases the lock.
    package func release() {
        // If it fails, the lock is released when the file is closed.
        try? file.unlock(at: offset)
    }

    /// Returns the process that holds the lock, as far as the system knows.
    package var holder: Int32? { file.lockHolder(at: offset) }
}

extension VaultStore {
    /// Opens the lock of whoever refreshes an item.
    package func refreshLock(of item: ItemID) throws(StoreError) -> RefreshLock {
        try checkProcess()
        if let readOnlyReason { throw .readOnly(readOnlyReason, path: path) }
        let (vault, status) = try (read { vault in vault.vault }, vaultStatus())
        // A vault that was opened by a descriptor cannot be written.
        guard let place = opener.location.place else { throw .readOnly(.asked, path: path) }
        // Which item it is shows only to those who know the ids of items.
        let hash = Label.refresh.hash(8, vault.bytes + item.bytes)
        let offset = FileLockOffset(Int(hash.span.littleEndian(at: 0, as: UInt64.self) >> 2))
        return try translating(StoreError.file) { () throws(FileError) in
            RefreshLock(
                try Self.lockFile(Self.refreshLockName(of: place.name), in: place.directory, like: status),
                offset
            )
        }
    }

    /// Returns the name of the file with these locks, beside the vault with this name.
    package static func refreshLockName(of vault: String) -> String { ".\(vault).refresh" }

    private func vaultStatus() throws(StoreError) -> FileStatus {
        let file = state.withLock { $0.file }
        return try translating(StoreError.file, file.status())
    }

    /// Opens the file with the locks, or creates it for the same users as the vault.
    private static func lockFile(
        _ name: String,
        in directory: any OpenDirectory,
        like vault: FileStatus
    ) throws(FileError) -> any OpenFile {
        while true {
            do throws(FileError) {
                return try directory.open(name, for: .writing)
            } catch {
                guard error.reason == .notFound else { throw error }
            }
            do throws(FileError) {
                let file = try directory.create(name)
                var access = vault
                // Only root can give a file away.
                access.owner = try file.status().owner
                try file.copyAccess(of: access)
                return file
            } catch {
                // Another process created it first.
                guard error.reason == .alreadyExists else { throw error }
            }
        }
    }
}
