internal import VaultCrypto
package import VaultFiles
package import VaultFormat

/// The reason why an operation of the store failed.
///
/// No case carries a secret or an attribute of an item.
package enum StoreError: Error, Equatable, Sendable {
    /// The vault, or a part of it, cannot be used.
    case vault(VaultFormatError, path: String)
    /// A file operation failed.
    case file(FileError)
    /// Another process held the writer's lock for longer than the timeout.
    case busy(path: String, holder: Int32?)
    /// The vault cannot be written.
    case readOnly(ReadOnlyReason, path: String)
    /// The anchor of this machine shows that changes are missing from the vault.
    case rolledBack(ReadOnlyReason, path: String)
    /// The process forked after it opened the vault; the child must open it again.
    case usedAfterFork(path: String)
    /// The keys of the vault were changed elsewhere; it must be opened again.
    case keysChanged(path: String)
    /// Another item of the group has the same primary key.
    case duplicate(ItemName)
    /// The item cannot get another primary key or group, since an item that lost against it would take its place.
    case contested(ItemName)
    /// The item does not exist.
    case noSuchItem(ItemName)
    /// The transaction with this number is unknown, or the history no longer reaches back to it.
    case noSuchChange(UInt64)
    /// The item has changed since the caller read it, and now has this revision.
    case revisionDiffers(ItemName, current: UInt64)
    /// The item exists, but the keys that open it are not available.
    case locked(ItemName)
    /// The vault's data for this item is invalid.
    case invalidItem(ItemName, Fault.Reason)
    /// The data to write exceeds what a vault may hold.
    case refused(Fault.Reason)
    /// Keys that a new item needs cannot be made.
    case keys(KeyMakingError)
    /// The ways to open the vault cannot be changed as requested.
    case keyChange(KeyChangeObstacle, path: String)
    /// Another copy of the vault cannot be merged into it.
    case merge(MergeObstacle, path: String)
    /// The caller abandoned the transaction.
    case abandoned
    /// A sync failed, so the change may or may not be durable; it was taken back where possible.
    case syncFailed(FileError)
    /// The file cannot be replaced.
    case compactionUnavailable(CompactionObstacle, path: String)
    /// Another process replaced the file meanwhile; its version is left unchanged.
    case replacedMeanwhile(path: String)
    /// The log that the vault shares with other machines cannot be used.
    case shared(SharedLogError, path: String)
    /// The caller canceled the operation.
    case cancelled
}

/// Why a vault is read-only.
package enum ReadOnlyReason: Equatable, Sendable {
    /// It was opened only for reading.
    case asked
    /// The system denied write access, or the file system is read-only.
    case denied(FileError)
    /// Other users can write the file too.
    case writableByOthers
    /// A newer version uses the file in a way that this version would break.
    case unsupportedFeatures(UInt32)
    /// Its log is shared with other machines, and nothing says how to reach that.
    case shared
    /// The end of the file is damaged, and may contain acknowledged changes.
    case damagedTail(byteCount: Int)
    /// An earlier change was altered, removed, repeated or moved.
    case inconsistent(offset: Int, sequence: UInt64)
    /// The anchor of this machine contradicts the file.
    case anchor(AnchorVerdict)
    /// This machine has a later file of the vault at another location, and never wrote this one.
    case olderCopy(OlderCopy)
    /// The anchor of this machine cannot be read.
    case anchorUnreadable(FileError)
    /// A sync failed, and the change could not be taken back.
    case syncFailed(FileError)
}

extension ReadOnlyReason {
    /// Whether an anchor says that the file is older than it was, or has another history.
    var isAboutHistory: Bool {
        switch self {
        case .anchor, .olderCopy: true
        default: false
        }
    }
}

/// Why a vault cannot be compacted.
package enum CompactionObstacle: Equatable, Sendable {
    /// The vault was opened from a descriptor, so its directory is unknown.
    case noDirectory
    /// The system refused to replace the file.
    case file(FileError)
    /// There is not enough space for a second file.
    case noSpace(neededByteCount: Int, availableByteCount: Int)
}

/// Why a copy cannot be merged.
package enum MergeObstacle: Equatable, Sendable {
    /// It is not a copy, but another vault.
    case otherVault
    /// The keys of one of the copies were changed, and a device that is not here has items under the former ones.
    case deviceNeeded
    /// The keys of the other copy count, and were made without knowing that a machine or recipient was removed here.
    case removalUnknown
    /// One of the copies has changed since it was looked at.
    case changed
}

extension Error {
    /// Whether a part of the snapshot is damaged.
    var isAboutSnapshot: Bool {
        if case StoreError.vault(.snapshotFailure, _)? = self as? StoreError { true } else { false }
    }
}

extension StoreError {
    /// Returns what a call of another module throws for an error inside this one, about the vault at `path`.
    ///
    /// What the caller's own closure has thrown stays as it is.
    @inline(never) static func outside(_ error: any Error, path: String) -> any Error {
        switch error {
        case let error as VaultFormatError: StoreError(error, path: path)
        case let error as Unavailability: StoreError(.unavailable(error), path: path)
        case let error as CipherError: StoreError(.unavailable(.cipher(error)), path: path)
        case let error as FileError: StoreError.file(error)
        case let error as KeyMakingError: StoreError.keys(error)
        case KeyChangeObstacle.fault(let reason): StoreError.refused(reason)
        case let error as KeyChangeObstacle: StoreError.keyChange(error, path: path)
        case let error as GrantError: StoreError.keyChange(.grant(error), path: path)
        case let error as SharedLogError: StoreError.shared(error, path: path)
        case let error as CompressionError: StoreError.refused(.compression(error))
        case let fault as Fault: StoreError.refused(fault.reason)
        default: error
        }
    }
}

extension ItemName {
    /// Returns what `body` makes of the item's part of the vault; what is wrong with that makes the item invalid.
    package func opening<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let fault as Fault { throw StoreError.invalidItem(self, fault.reason) }
    }
}

extension StoreError {
    /// The error for a failure of the format in the vault at `path`.
    init(_ error: VaultFormatError, path: String) {
        self =
            switch error {
            case .unavailable(.file(let code, _)): .file(FileError(.read, path, reason: .init(number: code)))
            default: .vault(error, path: path)
            }
    }
}
