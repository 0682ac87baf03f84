internal import Coffer
internal import CofferBasics
internal import VaultFiles
internal import VaultSync

/// An error of the command, for people and for scripts.
///
/// It contains no secrets.
package struct CommandError: Error, Equatable {
    let code: ExitCode
    /// What happened.
    let message: String
    /// What to do next, one line each.
    var hints: [String] = []
    /// The items that match, if the name is ambiguous.
    var candidates: [FoundItem] = []
    /// Whether changes that this machine has seen are missing from the vault.
    var isAboutRollback = false
    /// The signal that stopped the command, if one did.
    var signal: Int32?

    init(_ code: ExitCode, _ message: String, hints: [String] = []) {
        self.code = code
        self.message = message
        self.hints = hints
    }

    package static func == (one: CommandError, other: CommandError) -> Bool { one.json == other.json }

    /// The error as JSON.
    var json: JSON {
        var members: [(key: String, value: JSON)] = [
            ("code", .integer(Int64(code.rawValue))), ("name", .string("\(code)")), ("message", .string(message)),
        ]
        if !hints.isEmpty { members.append(("hints", .array(hints.map { .string($0) }))) }
        if !candidates.isEmpty { members.append(("candidates", .array(candidates.map(\.json)))) }
        return ["error": .object(members)]
    }

    /// An error in the command line.
    static func usage(_ message: String, hints: [String] = []) -> CommandError {
        CommandError(.usage, message, hints: hints)
    }
}

extension CommandError {
    /// The same error with another name for a file in its message.
    func naming(_ name: String, insteadOf path: String) -> CommandError {
        saying(message.replacing(text: path.printable, with: name.printable))
    }

    /// The same error, with the place in a file that it is about.
    func at(_ place: String) -> CommandError { saying("\(place): \(message)") }

    private func saying(_ message: String) -> CommandError {
        var error = CommandError(code, message, hints: hints)
        (error.candidates, error.isAboutRollback, error.signal) = (candidates, isAboutRollback, signal)
        return error
    }

    /// The error for a command that a signal stopped, with what that means for the vault.
    static func stopped(_ outcome: String, by signal: Int32) -> CommandError {
        var error = CommandError(.failure, "stopped; \(outcome)")
        error.signal = signal
        return error
    }

    /// The error for a word that is not one of `names`.
    static func unknown(_ kind: String, _ word: String, among names: [String]) -> CommandError {
        let near = word.nearest(in: names).map { ["did you mean `\($0)`?"] } ?? []
        let values = "valid values: \(names.joined(separator: ", "))"
        return .usage("unknown \(kind) \(word.printable)", hints: near + [values])
    }

    /// Wraps an error that any part of the command has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as KeychainError: self.init(error)
        case let error as VaultError: self.init(error)
        case let error as EntitlementsError: self.init(error)
        case let error as FileError: self.init(error)
        case let error as SyncFailure: self.init(ExitCode(error.refusal.reason), error.refusal.text)
        default: self.init(.failure, "\(error)")
        }
    }

    init(_ problem: VaultError) {
        self.init(ExitCode(problem), problem.description, hints: problem.cause.map(\.advice) ?? [])
        isAboutRollback = problem.kind == .rolledBack
        if problem.kind == .weakSecret { hints = ["`coffer init`, `passwd` and `key add` accept it with --allow-weak"] }
    }

    init(_ error: KeychainError) {
        switch error {
        case .vault(let problem): self.init(problem)
        case .noPassphrase:
            self.init(ExitCode(error), error.description, hints: ["set a passphrase with `coffer passwd`"])
        case .unresolvedConflict: self.init(ExitCode(error), error.description, hints: [Self.conflictAdvice])
        default: self.init(ExitCode(error), error.description)
        }
    }

    /// What to do about versions of an item that lost.
    static let conflictAdvice =
        "`coffer conflicts` shows the versions, and `coffer conflicts NAME USER --keep N` keeps one"

    init(_ error: EntitlementsError) {
        self.init(.malformedEntitlements, error.description)
    }

    init(_ error: FileError) {
        self.init(ExitCode(error), error.description)
    }
}

extension ExitCode {
    // No `default` below: the compiler requires a code for each new case.
    init(_ error: KeychainError) {
        self =
            switch error {
            case .invalid, .unsupportedCondition, .noPassphrase, .revisionDiffers, .cannotEncode: .failure
            case .noSuchAttribute: .noSuchAttribute
            case .noSuchClass: .noSuchClass
            case .duplicateItem: .duplicate
            case .ambiguousReference, .unresolvedConflict: .ambiguous
            case .itemNotFound, .noSuchRevision: .notFound
            case .locked, .authenticationRequired: .locked
            case .authenticationFailed: .wrongSecret
            case .userCanceled: .failure
            case .notEntitled: .missingEntitlement
            case .entitlements: .malformedEntitlements
            case .cannotDecode: .undecodable
            case .vault(let problem): ExitCode(problem)
            }
    }

    init(_ problem: VaultError) {
        if let cause = problem.cause, let code = ExitCode(cause) {
            self = code
            return
        }
        self =
            switch problem.kind {
            case .noVault: .noVault
            case .fileExists: .alreadyExists
            case .notAVault: .notAVault
            case .wrongSecret, .grantExpired: .wrongSecret
            case .secretNeeded: .locked
            case .deviceKeyNeeded: .deviceKeyNeeded
            case .secretUnavailable, .newerVersion, .mustBeReopened, .fileReplaced, .unavailable: .unavailable
            case .notARecoveryCode, .weakSecret, .cancelled: .failure
            case .readOnly: .readOnly
            case .diskFull: .diskFull
            case .inputOutput: .inputOutput
            case .busy: .busy
            case .rolledBack: .rolledBack
            case .tooLarge: .tooLarge
            case .damaged, .damagedItem: .damaged
            case .outOfMemory: .outOfMemory
            }
    }

    /// A more precise code than the kind of a problem gives, if its cause has one.
    private init?(_ cause: VaultError.Cause) {
        switch cause {
        case .file(let error): self.init(error)
        case .noSpace: self = .diskFull
        case .writableByOthers: self = .permissions
        case .damagedEnd: self = .damaged
        case .inconsistent: self = .inconsistent
        case .otherHistory: self = .rolledBack
        case .unreadableMemory(let error):
            // The unreadable file is not the vault itself.
            let code = ExitCode(error)
            self = code == .notAVault || code == .noVault ? .inputOutput : code
        case .olderCopy, .damagedItems, .damagedKeys, .lastSlot: return nil
        }
    }

    init(_ error: FileError) {
        self =
            switch error.reason {
            case .notFound where error.operation == .open: .noVault
            case .alreadyExists: .alreadyExists
            case .permissionDenied, .foreignOwner: .permissions
            case .readOnlyFileSystem: .readOnly
            case .diskFull, .quotaExceeded: .diskFull
            case .fileTooLarge: .tooLarge
            case .busy: .busy
            case .notARegularFile, .isDirectory: .notAVault
            case .notFound, .inputOutput, .staleHandle, .tooManySymbolicLinks, .danglingLink, .tooManyOpenFiles,
                .notADirectory, .onOtherFileSystem, .nameTooLong, .invalidName, .interrupted, .notSupported,
                .unknownContent, .other:
                .inputOutput
            }
    }
}
