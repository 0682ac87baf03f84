internal import VaultCrypto
package import VaultFiles
package import VaultFormat

/// Why the store could not do what it was asked.
///
/// No case carries a secret or an attribute of an item.
package enum StoreError: Error, Equatable, Sendable {
    /// The vault, or a part of it, cannot be used.
    case vault(VaultFormatError, path: String)
    /// The system refused something.
    case file(FileError)
    /// Another process has the writer's lock for longer than one may wait.
    case busy(path: String, holder: Int32?)
    /// The vault cannot be written.
    case readOnly(ReadOnlyReason, path: String)
    /// The anchor of this machine shows that changes are missing from the vault.
    case rolledBack(ReadOnlyReason, path: String)
    /// The process forked after it opened the vault; the child must open it anew.
    case usedAfterFork(path: String)
    /// The keys of the vault were changed elsewhere; it must be opened again.
    case keysChanged(path: String)
    /// Another item of the group has the same primary key.
    case duplicate(ItemName)
    /// There is no such item.
    case noSuchItem(ItemName)
    /// The item is not the one that the caller saw: it has this revision now.
    case revisionDiffers(ItemName, current: UInt64)
    /// The item is there, but what opens it is not.
    case locked(ItemName)
    /// Something in the vault about this item is not valid.
    case invalidItem(ItemName, Fault)
    /// What was to be written is beyond what a vault may hold.
    case refused(Fault)
    /// Keys that a new item needs cannot be made.
    case keys(KeyMakingError)
    /// Those who can open the vault cannot be changed so.
    case keyChange(KeyChangeObstacle, path: String)
    /// The caller gave the transaction up.
    case abandoned
    /// The change may be durable or not: the disk failed to say. It was taken back where that was possible.
    case syncFailed(FileError)
    /// The file cannot be replaced.
    case compactionUnavailable(CompactionObstacle, path: String)
    /// Somebody else replaced the file meanwhile; it is left as it is.
    case replacedMeanwhile(path: String)
    /// Somebody asked to stop.
    case cancelled
}

/// Why a vault is only read.
package enum ReadOnlyReason: Equatable, Sendable {
    /// It was opened for reading.
    case asked
    /// The system gave no right to write, or the file system has none.
    case denied(FileError)
    /// Somebody else could write the file too.
    case writableByOthers
    /// A newer version uses the file in a way that this one would break.
    case unsupportedFeatures(UInt32)
    /// The end of the file is damaged; what was there may have been acknowledged.
    case damagedTail(byteCount: Int)
    /// An earlier change was changed, removed, doubled or moved.
    case inconsistent(offset: Int, sequence: UInt64)
    /// The anchor of this machine contradicts the file.
    case anchor(AnchorVerdict)
    /// The anchor of this machine cannot be read.
    case anchorUnreadable(FileError)
    /// A sync failed, and the change could not be taken back.
    case syncFailed(FileError)
}

/// Why a vault cannot be compacted.
package enum CompactionObstacle: Equatable, Sendable {
    /// The vault was given as an open file, whose directory is not known.
    case noDirectory
    /// The system refuses to replace the file.
    case file(FileError)
    /// There is less space than a second file takes.
    case noSpace(neededByteCount: Int, availableByteCount: Int)
}

extension StoreError {
    /// Whether it says that a part of the snapshot is damaged.
    var isAboutSnapshot: Bool {
        if case .vault(.snapshotFailure, _) = self { true } else { false }
    }

    /// A key could not be made or used.
    static func ofCipher(_ error: CipherError) -> StoreError { .refused(.cipher(error)) }

    /// What a failure of the format means for the vault at `path`.
    init(_ error: VaultFormatError, path: String) {
        self =
            switch error {
            case .unavailable(.file(let code, _)): .file(FileError(.read, path, reason: .init(number: code)))
            default: .vault(error, path: path)
            }
    }
}
