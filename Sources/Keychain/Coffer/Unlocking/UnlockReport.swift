internal import CofferBasics

/// A source of a secret that may open a vault.
///
/// ```swift
/// let failed = vault.unlocking.steps.filter { if case .failed = $0.outcome { true } else { false } }
/// for step in failed { print(step.source) }
/// ```
public enum UnlockSource: Hashable, Sendable {
    /// The key of this machine, in a file.
    case deviceKey(path: String)
    /// A passphrase that the program gives.
    case passphrase
    /// A passphrase file that the program names.
    case passphraseFile(path: String)
    /// A descriptor of the program from which the passphrase is read.
    case passphraseDescriptor(Int32)
    /// A key file that the program names.
    case keyFile(path: String)
    /// A recovery code that the program gives.
    case recoveryCode
    /// The credential of a grant or of a recipient that the program gives.
    case grant
    /// The credential file that `COFFER_GRANT_FILE` names, or the credential `coffer.grant` of a service.
    case grantFile(path: String)
    /// The file that `COFFER_PASSPHRASE_FILE` names.
    case fileVariable
    /// The command that `COFFER_PASSPHRASE_COMMAND` names.
    case commandVariable
    /// The credential `coffer.passphrase` of a service.
    case credential
    /// The variable `COFFER_PASSPHRASE` itself.
    case passphraseVariable
    /// The keys that another process has left in the kernel keyring for a while.
    case kernelKeyring
    /// The user, who is asked.
    case prompt
}

/// The sources that were tried to open a vault, in order, and the outcome of each.
///
/// ```swift
/// print(vault.unlocking)
/// // device key /home/kim/.local/state/coffer/device.key: opened the vault, which stays locked
/// // COFFER_PASSPHRASE_FILE: skipped, not set
/// // …
/// ```
public struct UnlockReport: Equatable, Sendable {
    /// The outcome for one source.
    public enum Outcome: Equatable, Sendable {
        /// The source opened the vault.
        case opened
        /// The source opened the vault locked.
        case openedLocked
        /// The source provided something that helped to open the vault.
        case contributed
        /// The source was not tried.
        case skipped(Reason)
        /// The source provided nothing, or nothing that opens the vault.
        case failed(VaultError)
        /// Another source had already opened the vault.
        case notReached
    }

    /// The reason why a source was not tried.
    public enum Reason: Equatable, Sendable {
        /// There is no secret: the variable is not set, or the file is missing.
        case notSet
        /// The program has not enabled the source.
        case notAllowed
        /// The vault cannot be opened with such a secret.
        case opensNothing
        /// The machine does not have such a source.
        case unavailable(String)
    }

    /// A source and its outcome.
    public struct Step: Equatable, Sendable {
        /// The source.
        public let source: UnlockSource
        /// The outcome.
        public let outcome: Outcome
    }

    /// The sources and their outcomes, in order.
    public internal(set) var steps: [Step] = []
    /// Until when the kernel keyring holds the keys that opened the vault; nil if another source opened it.
    public internal(set) var unlockedUntil: KeychainDate?
    /// Warnings, each with advice.
    public internal(set) var warnings: [String] = []

    mutating func note(_ source: UnlockSource, _ outcome: Outcome) {
        steps.append(Step(source: source, outcome: outcome))
    }
}

extension UnlockSource {
    /// Whether the source provides a passphrase.
    var isPassphrase: Bool {
        switch self {
        case .deviceKey, .keyFile, .recoveryCode, .grant, .grantFile, .kernelKeyring: false
        case .passphrase, .passphraseFile, .passphraseDescriptor, .fileVariable, .commandVariable, .credential,
            .passphraseVariable, .prompt:
            true
        }
    }
}

extension UnlockSource: CustomStringConvertible {
    /// The name of the source, for people.
    public var description: String {
        switch self {
        case .deviceKey(let path): "device key \(path.printable)"
        case .passphrase: "given passphrase"
        case .passphraseFile(let path): "passphrase file \(path.printable)"
        case .passphraseDescriptor(let number): "passphrase from descriptor \(number)"
        case .keyFile(let path): "key file \(path.printable)"
        case .recoveryCode: "given recovery code"
        case .grant: "given credential"
        case .grantFile(let path): "credential \(path.printable)"
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
    /// The steps, one per line.
    public var description: String {
        steps.map { "\($0.source): \($0.outcome)" }.joined(separator: "\n")
    }
}

extension UnlockReport.Outcome: CustomStringConvertible {
    /// The outcome in words, to follow the name of the source.
    public var description: String {
        switch self {
        case .opened: "opened the vault"
        case .openedLocked: "opened the vault, which stays locked"
        case .contributed: "was used"
        case .skipped(.notSet): "skipped, not set"
        case .skipped(.notAllowed): "skipped, not enabled by the program"
        case .skipped(.opensNothing): "skipped, the vault cannot be opened with it"
        case .skipped(.unavailable(let reason)): "skipped, \(reason)"
        case .failed(let problem): "failed, \(problem)"
        case .notReached: "not needed"
        }
    }
}
