/// Where to look for what opens a vault, in the order in which it is done.
///
/// What the program gives comes first, and then nothing else is tried. If it gives nothing, there are the variables
/// `COFFER_PASSPHRASE_FILE` and `COFFER_PASSPHRASE_COMMAND`, the credential `coffer.passphrase`, the variable
/// `COFFER_PASSPHRASE`, the kernel keyring, and the prompt. Commands and prompts are for programs that ask for them. Beside
/// all of this stands the device key, which opens a vault without a passphrase, and of any other what can be read while it
/// is locked.
///
/// A passphrase that is there and wrong ends the search: nothing is opened with less than somebody meant to give.
///
/// ```swift
/// var ladder = UnlockLadder()
/// ladder.given = .passphrase(Passphrase("correct horse battery staple"))
/// let vault = try Vault.open(at: path, with: ladder)
/// ```
public struct UnlockLadder: Sendable {
    /// What a program gives.
    public enum Given: Sendable {
        /// A passphrase.
        case passphrase(Passphrase)
        /// A file whose content is the passphrase, but for one newline at its end.
        case passphraseFile(String)
        /// A descriptor from which the passphrase is read, but for one newline at its end.
        case passphraseDescriptor(Int32)
        /// A recovery code.
        case recoveryCode(RecoveryCode)
    }

    /// Asks somebody for the passphrase of the vault at a path; nil if nobody wants to tell.
    ///
    /// It is asked again, with a greater number, while the answer is wrong, up to three times.
    public typealias Prompt = @Sendable (_ path: String, _ attempt: Int) -> Passphrase?

    /// What the program gives, if anything.
    public var given: Given?
    /// A key file that takes part in opening, if there is one.
    public var keyFile: String?
    /// Whether the command in `COFFER_PASSPHRASE_COMMAND` may be run.
    public var runsCommands = false
    /// Whether keys that another process has left with the kernel are used.
    public var usesKernelKeyring = true
    /// Whom to ask at last.
    public var prompt: Prompt?
    let environment: ProgramEnvironment

    /// The ladder of a program that gives nothing, asks nobody, and runs no commands.
    public init() {
        environment = ProgramEnvironment()
    }

    /// The ladder in surroundings that are not those of this process.
    package init(environment: ProgramEnvironment) {
        self.environment = environment
    }
}
