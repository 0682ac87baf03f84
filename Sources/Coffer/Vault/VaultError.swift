internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
package import VaultStore

/// What is wrong with a vault, or with the machine that it is on.
///
/// The description says what happened, to which file, and what to do next.
///
/// ```swift
/// do {
///     _ = try Vault.open(at: path)
/// } catch {
///     if error.kind == .noVault { print(error) }  // … could not be opened: it does not exist, or vanished; …
/// }
/// ```
public struct VaultError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What a program can do something about.
    public enum Kind: Equatable, Sendable {
        /// There is no vault at the path (`errSecNotAvailable`, -25291).
        case noVault
        /// There is a file at the path already (`errSecNotAvailable`, -25291).
        case fileExists
        /// The file is no vault, or empty (`errSecNotAvailable`, -25291).
        case notAVault
        /// A newer version made the vault (`errSecNotAvailable`, -25291).
        case newerVersion
        /// The passphrase, key file or recovery code is another one (`errSecAuthFailed`, -25293).
        case wrongSecret
        /// Nobody gave the passphrase, key file or recovery code that opens the vault (`errSecInteractionNotAllowed`,
        /// -25308).
        case secretNeeded
        /// The vault opens with the key of one of these devices, which is not here (`errSecNotAvailable`, -25291).
        case deviceKeyNeeded([String])
        /// The source of a secret does not give one (`errSecNotAvailable`, -25291).
        case noSecret
        /// A new passphrase or key file has next to no entropy (`errSecNotAvailable`, -25291); see
        /// ``VaultProtection/allowsWeakSecrets``.
        case weakSecret
        /// A text is no recovery code at all (`errSecParam`, -50).
        case notARecoveryCode
        /// The vault may not be written (`errSecReadOnly`, -25292).
        case readOnly
        /// The disk is full (`errSecNotAvailable`, -25291).
        case diskFull
        /// The system reports an error of the disk (`errSecIO`, -36).
        case inputOutput
        /// Another program writes, and does not stop (`errSecNotAvailable`, -25291).
        case busy
        /// Changes that this machine has seen are missing from the vault: it is older, has another history, or its end is
        /// damaged (`errSecNotAvailable`, -25291).
        case rolledBack
        /// The vault was changed elsewhere so that it must be opened again (`errSecNotAvailable`, -25291).
        case mustBeReopened
        /// The file was replaced by somebody else (`errSecNotAvailable`, -25291).
        case changedMeanwhile
        /// What was to be stored is larger than a vault takes (`errSecDataTooLarge`, -25302).
        case tooLarge
        /// The vault is damaged (`errSecNotAvailable`, -25291).
        case damaged
        /// An item is damaged, or what tells which items there are; what does not need it can be used (`errSecDecode`,
        /// -26275).
        case damagedItem
        /// The memory was not given (`errSecAllocate`, -108).
        case outOfMemory
        /// Somebody asked to stop (`errSecUserCanceled`, -128).
        case cancelled
        /// Anything else that keeps the vault from being used (`errSecNotAvailable`, -25291).
        case unavailable
    }

    /// What a program can do something about.
    public let kind: Kind
    /// What happened, and what to do next.
    public let description: String
    /// What was tried to open the vault, where that is what failed.
    public internal(set) var unlocking: UnlockReport?
    /// What the kind does not tell, where there is more to tell.
    package private(set) var cause: Cause?

    package init(kind: Kind, description: String) {
        self.kind = kind
        self.description = description
    }
}

extension KeychainError {
    /// What an error of the store means to who uses the keychain.
    init(_ error: StoreError) {
        switch error {
        case .duplicate: self = .duplicateItem
        case .noSuchItem: self = .itemNotFound
        case .locked, .keys(.locked): self = .locked
        case .keys(.passphraseNeeded): self = .noPassphrase
        case .revisionDiffers: self = .revisionDiffers
        // The vault is open: what is damaged is some of what is in it.
        case .vault(.snapshotFailure, _):
            self = .vault(VaultError(kind: .damagedItem, description: error.description))
        default: self = .vault(VaultError.ofStore(error))
        }
    }
}

extension VaultError {
    /// What an error of the store means to whoever uses the vault.
    package static func ofStore(_ error: StoreError) -> VaultError {
        var problem = VaultError(kind: Kind(error), description: error.description)
        problem.cause = Cause(error)
        return problem
    }

    /// What the system refused.
    static func ofFile(_ error: FileError) -> VaultError { .ofStore(.file(error)) }

    /// A key could not be made or used.
    static func ofCipher(_ error: CipherError) -> VaultError {
        let kind: Kind = if case .outOfMemory = error { .outOfMemory } else { .unavailable }
        return VaultError(kind: kind, description: "\(error)")
    }

    init(recoveryCode error: RecoveryCodeError) {
        switch error {
        case .cipher(let error): self = .ofCipher(error)
        default: self.init(kind: .notARecoveryCode, description: "\(error); look at it again, and type it anew")
        }
    }

    /// What is wrong with the device key at `path`.
    init(_ error: KeyFileError, deviceKeyAt path: String) {
        switch error {
        case .cipher(let error): self = .ofCipher(error)
        default:
            self.init(
                kind: .damaged,
                description: """
                    the device key \(path.printable) is damaged, and left as it is: \(error); take it from a backup, or move \
                    it away and open the vault with a passphrase or recovery code
                    """
            )
        }
    }

    /// Somebody asked to stop.
    static let cancelled = VaultError.ofStore(.cancelled)

    /// Nothing tells where something lies.
    static func noPlace(_ what: String) -> VaultError {
        VaultError(
            kind: .unavailable,
            description: "nothing tells where \(what) could be; set HOME, or STATE_DIRECTORY for a service"
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
            case .replacedMeanwhile: .changedMeanwhile
            case .refused(.limitExceeded): .tooLarge
            case .vault(let error, _): Self(error)
            case .invalidItem: .damagedItem
            case .keys(.cipher(.outOfMemory)), .refused(.cipher(.outOfMemory)): .outOfMemory
            case .keyChange(.fault(.limitExceeded), _): .tooLarge
            case .keyChange(.ownerNeeded, _): .secretNeeded
            case .cancelled: .cancelled
            case .duplicate, .noSuchItem, .revisionDiffers, .locked, .refused, .keys, .keyChange, .abandoned,
                .compactionUnavailable:
                .unavailable
            }
    }

    private init(_ error: VaultFormatError) {
        self =
            switch error {
            case .notAVault: .notAVault
            case .unsupported: .newerVersion
            case .noMatch: .wrongSecret
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
