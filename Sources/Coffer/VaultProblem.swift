internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// What is wrong with a vault, or with the machine that it is on.
///
/// The description says what happened, to which file, and what to do next.
public struct VaultProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// What a program can do something about.
    public enum Kind: Equatable, Sendable {
        /// The vault may not be written (`errSecReadOnly`, -25292).
        case readOnly
        /// The disk is full (`errSecNotAvailable`, -25291).
        case diskFull
        /// The system reports an error of the disk (`errSecIO`, -36).
        case inputOutput
        /// Another program writes, and does not stop.
        case busy
        /// The vault was changed elsewhere so that it must be opened again.
        case mustBeReopened
        /// The file was replaced by somebody else.
        case changedMeanwhile
        /// What was to be stored is larger than a vault takes.
        case tooLarge
        /// The vault, or an item, is damaged (`errSecDecode`, -26275).
        case damaged
        /// The memory was not given (`errSecAllocate`, -108).
        case outOfMemory
        /// Anything else that keeps the vault from being used (`errSecNotAvailable`, -25291).
        case unavailable
    }

    /// What a program can do something about.
    public let kind: Kind
    /// What happened, and what to do next.
    public let description: String
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
        default: self = .vault(VaultProblem(kind: VaultProblem.Kind(error), description: error.description))
        }
    }
}

extension VaultProblem.Kind {
    fileprivate init(_ error: StoreError) {
        self =
            switch error {
            case .file(let error), .syncFailed(let error): Self(error)
            case .readOnly: .readOnly
            case .busy: .busy
            case .usedAfterFork, .keysChanged: .mustBeReopened
            case .replacedMeanwhile: .changedMeanwhile
            case .refused(.limitExceeded): .tooLarge
            case .vault, .invalidItem: .damaged
            case .keys(.cipher(.outOfMemory)): .outOfMemory
            case .duplicate, .noSuchItem, .revisionDiffers, .locked, .refused, .keys, .abandoned,
                .compactionUnavailable,
                .cancelled:
                .unavailable
            }
    }

    private init(_ error: FileError) {
        self =
            switch error.reason {
            case .diskFull, .quotaExceeded: .diskFull
            case .readOnlyFileSystem: .readOnly
            case .inputOutput: .inputOutput
            default: .unavailable
            }
    }
}
