package import VaultFiles
package import VaultFormat
package import VaultStore

/// How a vault is used.
///
/// ```swift
/// var options = VaultOptions()
/// options.lockTimeout = .seconds(1)
/// let vault = try Vault.open(at: path, options: options)
/// ```
public struct VaultOptions: Sendable {
    /// Whether the vault may be written.
    public var mayWrite = true
    /// How long a change waits for other programs that write.
    public var lockTimeout: Duration = .seconds(5)
    /// Groups of users that may write the file beside its owner.
    public var allowedGroups: Set<UInt32> = []
    /// Whether a damaged end of the file may be cut off, though it may have held changes that were saved.
    public var discardsDamagedTail = false
    /// Whether a vault is read though this machine has seen changes that are missing from it.
    ///
    /// Such a vault is older than it was here, has another history, or its end is damaged. Without this it does not open,
    /// and one that is open throws ``VaultError/Kind/rolledBack``. With this it is only read, and the file stays as it is.
    public var acceptsRollback = false
    /// Whether the file is compacted when that is due.
    public var compactsWhenDue = true
    /// Where things lie that belong to the vault and are not in it.
    public var places: VaultPlaces
    /// How much work a new passphrase shall be.
    public var passphraseCost = PassphraseCost.standard
    /// How long the log may be before the file is compacted, where that is less than usual.
    package var logByteCountLimit: Int?
    /// Files, clocks and ciphers that are not those of the machine.
    package var environment: StoreEnvironment?
    /// Where unlocked keys are left for other processes.
    package var keyring = KernelKeyring()

    /// The usual ones.
    public init() {
        places = .standard
    }

    /// The usual ones, for a program whose places are others.
    public init(places: VaultPlaces) {
        self.places = places
    }

    /// The files of the machine, the user that this process is, and how much memory a passphrase may take.
    package func machine() throws(VaultError) -> (files: any FileSystem, user: UInt32, memoryByteCount: Int?) {
        let environment = try storeEnvironment()
        return (environment.files, environment.user, environment.memory.byteCount)
    }

    var store: StoreOptions {
        var options = StoreOptions()
        options.mayWrite = mayWrite
        options.lockTimeout = lockTimeout
        options.anchorDirectory = places.anchors
        options.allowedGroups = allowedGroups
        options.discardsDamagedTail = discardsDamagedTail
        options.acceptsRollback = acceptsRollback
        options.compactsWhenDue = compactsWhenDue
        if let logByteCountLimit { options.logByteCountLimit = logByteCountLimit }
        return options
    }
}

/// How much work it is to try a passphrase, for the program as for who guesses.
///
/// Argon2id passes over so much memory so often; a program that opens the vault needs as much for a moment.
///
/// ```swift
/// var options = VaultOptions()
/// options.passphraseCost = try PassphraseCost(memoryMiB: 64, passes: 8)
/// ```
public struct PassphraseCost: Equatable, Sendable {
    let parameters: Argon2Parameters
    let limits: Argon2Limits

    /// The usual work: 256 MiB, three times; less memory where the machine has not twice as much.
    public static let standard = PassphraseCost(.standard, .writer)

    /// Work of another kind.
    ///
    /// - Parameters:
    ///   - memoryMiB: How much memory, from 64 to 1,024 MiB.
    ///   - passes: How often it is passed over, from 2 to 16 times; times the memory 4 GiB at most.
    /// - Throws: That it is too little or too much.
    public init(memoryMiB: Int, passes: Int) throws(VaultError) {
        let limits = Argon2Limits.writer
        guard (64...1024).contains(memoryMiB), limits.operations.contains(passes), memoryMiB * passes <= 4096 else {
            throw VaultError(
                kind: .unavailable,
                description: """
                    \(memoryMiB) MiB passed over \(passes) times is too little or too much work for a passphrase; take 64 to \
                    1024 MiB, 2 to 16 times, together 4096 MiB at most
                    """
            )
        }
        self.init(Argon2Parameters(operations: passes, memoryKiB: memoryMiB << 10), limits)
    }

    /// Work that a test can do.
    package init(_ parameters: Argon2Parameters, _ limits: Argon2Limits) {
        self.parameters = parameters
        self.limits = limits
    }

    /// What is done on a machine with so much memory left.
    package func fitting(availableByteCount: Int?) -> Argon2Parameters {
        var parameters = parameters
        guard self == .standard, let availableByteCount else { return parameters }
        while parameters.memoryKiB << 11 > availableByteCount, parameters.memoryKiB > limits.memoryKiB.lowerBound {
            parameters.memoryKiB /= 2
            parameters.operations = min(parameters.operations * 2, limits.operations.upperBound)
        }
        return parameters
    }
}
