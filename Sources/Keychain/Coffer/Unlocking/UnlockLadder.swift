internal import VaultFiles
internal import VaultStore

/// The sources of the secrets that open a vault, in the order in which they are tried.
///
/// If the program gives a secret, only that and the key file are used. Otherwise, if the variable `COFFER_GRANT_FILE`
/// names a credential file, or there is a credential `coffer.grant`, only that is used: a program that was granted some
/// groups gets no more. Otherwise, these sources are tried: the device key, the key file, the variables `COFFER_PASSPHRASE_FILE` and `COFFER_PASSPHRASE_COMMAND`, the credential
/// `coffer.passphrase`, the variable `COFFER_PASSPHRASE`, the kernel keyring, and the prompt. Commands and prompts are
/// used only if the program enables them. By itself, the device key opens only a vault without a passphrase or key
/// file; if no source unlocks another vault, the device key opens it locked.
///
/// A variable or credential that is set but gives no passphrase, or a wrong one, ends the search, so that a vault is
/// not opened with less than was intended.
///
/// ```swift
/// let vault = try Vault.open(at: path, with: UnlockLadder(passphrase: passphrase))
/// ```
public struct UnlockLadder: Sendable {
    /// A secret that a program gives, or where to read it.
    public enum Secret: Sendable {
        /// A passphrase.
        case passphrase(Passphrase)
        /// A file with the passphrase; one newline at its end is dropped.
        case passphraseFile(String)
        /// A descriptor from which the passphrase is read; one newline at its end is dropped.
        case passphraseDescriptor(Int32)
        /// A recovery code.
        case recoveryCode(RecoveryCode)
        /// The credential of a grant or of a recipient.
        case grant(GrantCredential)
    }

    /// A closure that asks the user for the passphrase of the vault at a path, and returns nil if the user declines.
    ///
    /// While the answer is wrong it is called again, with the number of the attempt, up to three times in total.
    public typealias Prompt = @Sendable (_ path: String, _ attempt: Int) -> Passphrase?

    /// The secret that the program gives, if any.
    public var secret: Secret?
    /// The path of a key file to use, if any.
    public var keyFile: String?
    /// Whether the command in `COFFER_PASSPHRASE_COMMAND` may be run.
    public var runsCommands = false
    /// Whether to use keys that another process has left in the kernel keyring.
    public var usesKernelKeyring = true
    /// The prompt to show as the last source, if any.
    public var prompt: Prompt?
    let environment: ProgramEnvironment

    /// Creates a ladder in which the program gives no secret, and no prompts or commands are enabled.
    public init() {
        environment = ProgramEnvironment()
    }

    /// Creates a ladder that opens a vault with this passphrase alone: text from a variable, or bytes.
    public init(passphrase: borrowing some SecretSource & ~Copyable & ~Escapable) {
        self.init()
        secret = .passphrase(Passphrase(passphrase))
    }

    /// Creates a ladder for an environment other than that of this process.
    package init(environment: ProgramEnvironment) {
        self.environment = environment
    }
}

extension UnlockLadder {
    /// Whether the ladder uses nothing but the credential of a grant or a recipient.
    package func usesCredential(_ options: VaultOptions) -> Bool {
        switch secret {
        case .grant: true
        case nil: environment.grantPath(options.environment?.files ?? LinuxFileSystem()) != nil
        default: false
        }
    }
}
