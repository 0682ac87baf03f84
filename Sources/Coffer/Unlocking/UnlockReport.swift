internal import CofferBasics

/// A place where what opens a vault may come from.
///
/// ```swift
/// let failed = vault.unlocking.steps.filter { if case .failed = $0.outcome { true } else { false } }
/// for step in failed { print(step.source) }
/// ```
public enum UnlockSource: Hashable, Sendable {
    /// The key of this machine, in a file.
    case deviceKey(path: String)
    /// A passphrase that the program has given.
    case passphrase
    /// A file with a passphrase that the program has named.
    case passphraseFile(path: String)
    /// A descriptor that the program has open.
    case passphraseDescriptor(Int32)
    /// A key file that the program has named.
    case keyFile(path: String)
    /// A recovery code that the program has given.
    case recoveryCode
    /// The file that `COFFER_PASSPHRASE_FILE` names.
    case fileVariable
    /// The command that `COFFER_PASSPHRASE_COMMAND` names.
    case commandVariable
    /// The file `coffer.passphrase` among the credentials of a service.
    case credential
    /// The variable `COFFER_PASSPHRASE` itself.
    case passphraseVariable
    /// The keys that another process has left with the kernel for a while.
    case kernelKeyring
    /// Somebody who is asked.
    case prompt
}

/// What was tried to open a vault, in this order, and what came of it.
///
/// ```swift
/// print(vault.unlocking)
/// // device key /home/kim/.local/state/coffer/device.key: opened the vault, which stays locked
/// // COFFER_PASSPHRASE_FILE: skipped, it is not set
/// // …
/// ```
public struct UnlockReport: Equatable, Sendable {
    /// What came of one source.
    public enum Outcome: Equatable, Sendable {
        /// It opened the vault.
        case opened
        /// It opened the vault as far as that can be without a passphrase.
        case openedLocked
        /// It gave something that took part in opening.
        case took
        /// It was not asked.
        case skipped(Reason)
        /// It gave nothing, or nothing that opens the vault.
        case failed(VaultError)
        /// Another had opened the vault before.
        case notReached
    }

    /// Why a source was not asked.
    public enum Reason: Equatable, Sendable {
        /// Its variable is not set, or its file is not there.
        case notSet
        /// The program has not allowed it.
        case notAllowed
        /// Nothing in the vault could be opened with it.
        case opensNothing
        /// The machine has no such thing.
        case unavailable(String)
    }

    /// One source, and what came of it.
    public struct Step: Equatable, Sendable {
        /// The source.
        public let source: UnlockSource
        /// What came of it.
        public let outcome: Outcome
    }

    /// All sources, in the order in which they stand.
    public internal(set) var steps: [Step] = []
    /// Things to look after, each with advice.
    public internal(set) var warnings: [String] = []

    mutating func note(_ source: UnlockSource, _ outcome: Outcome) {
        steps.append(Step(source: source, outcome: outcome))
    }
}

extension UnlockSource {
    /// Whether what comes from it is a passphrase.
    var isPassphrase: Bool {
        switch self {
        case .deviceKey, .keyFile, .recoveryCode, .kernelKeyring: false
        case .passphrase, .passphraseFile, .passphraseDescriptor, .fileVariable, .commandVariable, .credential,
            .passphraseVariable, .prompt:
            true
        }
    }
}

extension UnlockSource: CustomStringConvertible {
    /// What people call the source.
    public var description: String {
        switch self {
        case .deviceKey(let path): "device key \(path.printable)"
        case .passphrase: "given passphrase"
        case .passphraseFile(let path): "passphrase file \(path.printable)"
        case .passphraseDescriptor(let number): "passphrase from descriptor \(number)"
        case .keyFile(let path): "key file \(path.printable)"
        case .recoveryCode: "given recovery code"
        case .fileVariable: "COFFER_PASSPHRASE_FILE"
        case .commandVariable: "COFFER_PASSPHRASE_COMMAND"
        case .credential: "credential coffer.passphrase"
        case .passphraseVariable: "COFFER_PASSPHRASE"
        case .kernelKeyring: "kernel keyring"
        case .prompt: "prompt"
        }
    }
}

extension UnlockReport: CustomStringConvertible {
    /// The steps, one a line.
    public var description: String {
        steps.map { "\($0.source): \($0.outcome)" }.joined(separator: "\n")
    }
}

extension UnlockReport.Outcome: CustomStringConvertible {
    /// What came of a source, to follow its name.
    public var description: String {
        switch self {
        case .opened: "opened the vault"
        case .openedLocked: "opened the vault, which stays locked"
        case .took: "was used"
        case .skipped(.notSet): "skipped, it is not there"
        case .skipped(.notAllowed): "skipped, the program does not use it"
        case .skipped(.opensNothing): "skipped, nothing in the vault opens with it"
        case .skipped(.unavailable(let reason)): "skipped, \(reason)"
        case .failed(let problem): "failed, \(problem)"
        case .notReached: "not needed"
        }
    }
}
