internal import CofferBasics
internal import VaultCrypto
package import VaultFiles
internal import VaultFormat
package import VaultStore

/// An error of a vault, or of the machine that it is on.
///
/// The description says what happened, to which file, and what to do next.
///
/// ```swift
/// do {
///     _ = try Vault.open(at: path)
/// } catch {
///     if error.kind == .noVault { print(error) }  // … could not be opened: not found; …
/// }
/// ```
public struct VaultError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of an error, to which a program can react.
    public enum Kind: Equatable, Sendable {
        /// There is no vault at the path (`errSecNotAvailable`, -25291).
        case noVault
        /// A file already exists at the path (`errSecNotAvailable`, -25291).
        case fileExists
        /// The file is not a vault, or is empty (`errSecNotAvailable`, -25291).
        case notAVault
        /// The vault was created by a newer version (`errSecNotAvailable`, -25291).
        case newerVersion
        /// The passphrase, key file or recovery code is wrong (`errSecAuthFailed`, -25293).
        case wrongSecret
        /// The grant that opens the vault has expired (`errSecAuthFailed`, -25293).
        case grantExpired
        /// The vault needs a passphrase, key file or recovery code that was not given (`errSecInteractionNotAllowed`,
        /// -25308).
        case secretNeeded
        /// The vault opens with the key of one of these devices, which is not here (`errSecNotAvailable`, -25291).
        case deviceKeyNeeded([String])
        /// The source of a secret does not provide one (`errSecNotAvailable`, -25291).
        case secretUnavailable
        /// A new passphrase or key file has almost no entropy (`errSecNotAvailable`, -25291); see
        /// ``VaultProtection/allowsWeakSecrets``.
        case weakSecret
        /// A text is not a valid recovery code (`errSecParam`, -50).
        case notARecoveryCode
        /// The vault cannot be written (`errSecReadOnly`, -25292).
        case readOnly
        /// The disk is full (`errSecNotAvailable`, -25291).
        case diskFull
        /// The system reports a disk error (`errSecIO`, -36).
        case inputOutput
        /// Waiting for another program's write timed out (`errSecNotAvailable`, -25291).
        case busy
        /// Changes that this machine has seen are missing from the vault: it is older, has another history, or its end
        /// is damaged (`errSecNotAvailable`, -25291).
        case rolledBack
        /// The vault was changed elsewhere and must be reopened (`errSecNotAvailable`, -25291).
        case mustBeReopened
        /// The file was replaced by another program (`errSecNotAvailable`, -25291).
        case fileReplaced
        /// The data to store is too large for a vault (`errSecDataTooLarge`, -25302).
        case tooLarge
        /// The vault is damaged (`errSecNotAvailable`, -25291).
        case damaged
        /// An item, or the index of items, is damaged; the rest of the vault can be used (`errSecDecode`, -26275).
        case damagedItem
        /// There is not enough memory (`errSecAllocate`, -108).
        case outOfMemory
        /// The operation was canceled (`errSecUserCanceled`, -128).
        case cancelled
        /// The vault cannot be used for another reason (`errSecNotAvailable`, -25291).
        case unavailable
    }

    /// The kind of error, to which a program can react.
    public let kind: Kind
    /// What happened, and what to do next.
    public let description: String
    /// What was tried to open the vault, if opening or unlocking failed.
    public internal(set) var unlocking: UnlockReport?
    /// Details beyond the kind, if there are any.
    package private(set) var cause: Cause?

    package init(kind: Kind, description: String) {
        self.kind = kind
        self.description = description
    }
}

extension KeychainError {
    /// Creates the error of a keychain for an error of the store.
    init(_ error: StoreError) {
        switch error {
        case .duplicate: self = .duplicateItem
        case .contested: self = .unresolvedConflict
        case .noSuchItem: self = .itemNotFound
        case .locked, .keys(.locked): self = .locked
        case .keys(.passphraseNeeded): self = .noPassphrase
        case .revisionDiffers: self = .revisionDiffers
        // The vault is open, so only some of its contents are damaged.
        case .vault(.snapshotFailure, _):
            self = .vault(VaultError(kind: .damagedItem, description: error.description))
        default: self = .vault(VaultError.ofStore(error))
        }
    }
}

extension VaultError {
    /// The error of a vault for an error of the store.
    package static func ofStore(_ error: StoreError) -> VaultError {
        var problem = VaultError(kind: Kind(error), description: error.description)
        problem.cause = Cause(error)
        return problem
    }

    /// The error for an operation that the system refused.
    static func ofFile(_ error: FileError) -> VaultError { .ofStore(.file(error)) }

    /// The error for a key that could not be created or used.
    static func ofCipher(_ error: CipherError) -> VaultError {
        let kind: Kind = if case .outOfMemory = error { .outOfMemory } else { .unavailable }
        return VaultError(kind: kind, description: "\(error)")
    }

    init(recoveryCode error: RecoveryCodeError) {
        switch error {
        case .cipher(let error): self = .ofCipher(error)
        default: self.init(kind: .notARecoveryCode, description: "\(error); check the code and type it again")
        }
    }

    /// Creates the error for the device key at `path`.
    init(_ error: KeyFileError, deviceKeyAt path: String) {
        switch error {
        case .cipher(let error): self = .ofCipher(error)
        default:
            self.init(
                kind: .damaged,
                description: """
                    the device key \(path.printable) is damaged and was not changed: \(error); restore it from a \
                    backup, or move it away and open the vault with a passphrase or recovery code
                    """
            )
        }
    }

    /// The error for an operation that was canceled.
    package static let cancelled = VaultError.ofStore(.cancelled)

    /// The error for a file whose location is unknown.
    static func noLocation(_ what: String) -> VaultError {
        VaultError(
            kind: .unavailable,
            description: "the location of \(what) is unknown; set HOME, or STATE_DIRECTORY for a service"
        )
    }
}

extension VaultError.Kind {
    fileprivate init(_ error: StoreError) {
        self =
            switch error {
            case .file(let error), .syncFailed(let error): Self(error)
            case .rolledBack, .readOnly(.anchor, _): .rolledBack
            case .readOnly: .readOnly
            case .busy: .busy
            case .usedAfterFork, .keysChanged: .mustBeReopened
            case .replacedMeanwhile: .fileReplaced
            case .refused(.limitExceeded): .tooLarge
            case .vault(let error, _): Self(error)
            case .invalidItem: .damagedItem
            case .keys(.cipher(.outOfMemory)), .refused(.cipher(.outOfMemory)): .outOfMemory
            case .keyChange(.fault(.limitExceeded), _): .tooLarge
            case .keyChange(.ownerNeeded, _), .keys(.ownerNeeded): .secretNeeded
            case .cancelled: .cancelled
            case .duplicate, .contested, .noSuchItem, .noSuchChange, .revisionDiffers, .locked, .refused, .keys,
                .keyChange, .merge, .abandoned, .compactionUnavailable, .shared:
                .unavailable
            }
    }

    private init(_ error: VaultFormatError) {
        self =
            switch error {
            case .notAVault: .notAVault
            case .unsupported: .newerVersion
            case .noMatch: .wrongSecret
            case .grantExpired: .grantExpired
            case .deviceKeyNeeded(let devices): .deviceKeyNeeded(devices.map(\.description))
            case .notEnoughMemory, .unavailable(.cipher(.outOfMemory)): .outOfMemory
            case .headerFailure, .keybagFailure, .limitExceeded, .snapshotFailure, .unknownTail: .damaged
            case .unavailable(.fileShrank): .inputOutput
            case .unavailable: .unavailable
            }
    }

    private init(_ error: FileError) {
        self =
            switch error.reason {
            case .notFound where error.operation == .open: .noVault
            case .alreadyExists: .fileExists
            case .diskFull, .quotaExceeded: .diskFull
            case .readOnlyFileSystem: .readOnly
            case .inputOutput: .inputOutput
            default: .unavailable
            }
    }
}

extension VaultError {
    /// Details of an error beyond its kind.
    package enum Cause: Equatable, Sendable {
        /// The system refused something.
        case file(FileError)
        /// There is less space than a compaction takes.
        case noSpace
        /// Users other than the owner can write the file.
        case writableByOthers
        /// The end of the file is damaged, and may have held changes that were saved.
        case damagedEnd
        /// Changes contradict each other.
        case inconsistent
        /// The vault is older than it was, or has another history, and so is only read, or refused.
        case otherHistory(isRefused: Bool)
        /// The vault is an older copy of another file of this machine.
        case olderCopy(path: String, laterPath: String)
        /// What this machine remembers of the vault cannot be read.
        case unreadableMemory(FileError)
        /// Stored items are damaged.
        case damagedItems
        /// The keys are damaged.
        case damagedKeys
        /// These devices, which are not here, would lose their items.
        case lastSlot(devices: [String])
    }
}

extension VaultError.Cause {
    init?(_ error: StoreError) {
        switch error {
        case .file(let error), .syncFailed(let error), .compactionUnavailable(.file(let error), _): self = .file(error)
        case .compactionUnavailable(.noSpace, _): self = .noSpace
        case .readOnly(let reason, _): self.init(reason, isRefused: false)
        case .rolledBack(let reason, _): self.init(reason, isRefused: true)
        case .vault(.snapshotFailure, _), .invalidItem: self = .damagedItems
        case .vault(.keybagFailure, _): self = .damagedKeys
        case .keyChange(.lastSlot(let devices), _): self = .lastSlot(devices: devices.map(\.description))
        default: return nil
        }
    }

    private init?(_ reason: ReadOnlyReason, isRefused: Bool) {
        switch reason {
        case .denied(let error), .syncFailed(let error): self = .file(error)
        case .writableByOthers: self = .writableByOthers
        case .damagedTail, .anchor(.lostCommit): self = .damagedEnd
        case .inconsistent: self = .inconsistent
        case .anchor: self = .otherHistory(isRefused: isRefused)
        case .olderCopy(let copy): self = .olderCopy(path: copy.path, laterPath: copy.laterPath)
        case .anchorUnreadable(let error): self = .unreadableMemory(error)
        case .asked, .unsupportedFeatures, .shared: return nil
        }
    }
}
