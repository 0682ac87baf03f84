package import VaultCrypto
package import VaultFiles
package import VaultFormat
package import VaultStore

/// Options for using a vault.
///
/// ```swift
/// var options = VaultOptions()
/// options.lockTimeout = .seconds(1)
/// let vault = try Vault.open(at: path, options: options)
/// ```
public struct VaultOptions: Sendable {
    /// Whether the vault may be written.
    public var mayWrite = true
    /// How long a change waits while other programs write.
    public var lockTimeout: Duration = .seconds(5)
    /// The numbers of the user groups that may write the file in addition to its owner.
    ///
    /// By default, those in the variable `COFFER_WRITER_GROUPS`, separated by commas.
    public var writerGroupIDs = ProgramEnvironment().writerGroupIDs
    /// Whether a damaged end of the file may be cut off, although it may contain changes that were saved.
    public var discardsDamagedTail = false
    /// Whether to read a vault from which changes are missing that this machine has seen.
    ///
    /// Such a vault is older than it was here, has another history, or its end is damaged. If this is false, it cannot
    /// be opened, and an open one throws ``VaultError/Kind/rolledBack``. If this is true, it can be read but not
    /// written, and the file is not changed.
    public var acceptsRollback = false
    /// Whether the file is compacted when that is due, on a thread of its own.
    public var compactsWhenDue = true
    /// Whether the index of a long log is written in the background, after changes.
    package var indexesInBackground = true
    /// The locations of the vault and of the files that belong to it.
    public var locations: VaultLocations
    /// The cost of a new passphrase.
    public var passphraseCost = PassphraseCost.standard
    /// The files, clocks and ciphers to use instead of those of the machine.
    package var environment: StoreEnvironment?
    /// Whether each place that is written is remembered, beside the vault.
    package var anchorsLocations = true
    /// Returns the log that the vault shares with other machines; nil for a vault of this machine.
    package var sharedLog: (@Sendable (VaultID) -> any SharedLog)?
    /// The keyring in which unlocked keys are left for other processes.
    package var keyring = KernelKeyring()

    /// Creates the default options.
    public init() {
        locations = .standard
    }

    /// Creates the default options, with other locations.
    public init(locations: VaultLocations) {
        self.locations = locations
    }

    /// Returns the files of the machine, the user of this process, and how much memory a passphrase may take.
    package func machine() throws(VaultError) -> (files: any FileSystem, user: UInt32, memoryByteCount: Int?) {
        let environment = try storeEnvironment()
        return (environment.files, environment.user, environment.memory.byteCount)
    }

    var store: StoreOptions {
        var options = StoreOptions()
        options.mayWrite = mayWrite
        options.lockTimeout = lockTimeout
        options.anchorDirectory = locations.anchors
        options.anchorsLocations = anchorsLocations
        options.writerGroupIDs = writerGroupIDs
        options.discardsDamagedTail = discardsDamagedTail
        options.acceptsRollback = acceptsRollback
        options.sharedLog = sharedLog
        options.dueCompaction = compactsWhenDue ? .inBackground : .never
        options.dueIndexing = indexesInBackground ? .inBackground : .never
        return options
    }
}

/// How much work it is to try a passphrase, for the program and for an attacker.
///
/// Argon2id makes several passes over a block of memory, which a program needs briefly when it opens the vault.
///
/// ```swift
/// var options = VaultOptions()
/// options.passphraseCost = try PassphraseCost(memoryMiB: 64, passes: 8)
/// ```
public struct PassphraseCost: Equatable, Sendable {
    let parameters: Argon2Parameters
    let limits: Argon2Limits

    /// The default cost: 3 passes over 256 MiB, or more passes over less if less than 512 MiB is available.
    public static let standard = PassphraseCost(.standard, .writer)

    /// Creates a cost.
    ///
    /// - Parameters:
    ///   - memoryMiB: The amount of memory, from 64 to 1,024 MiB.
    ///   - passes: The number of passes, from 2 to 16; passes times memory must not exceed 4 GiB.
    /// - Throws: ``VaultError`` if a number is out of range.
    public init(memoryMiB: Int, passes: Int) throws(VaultError) {
        let limits = Argon2Limits.writer
        guard (64...1024).contains(memoryMiB), limits.operations.contains(passes), memoryMiB * passes <= 4096 else {
            throw VaultError(
                kind: .unavailable,
                description: """
                    invalid passphrase cost: \(memoryMiB) MiB and \(passes) passes; use 64 to 1024 MiB and 2 to 16 \
                    passes, with at most 4096 MiB in total
                    """
            )
        }
        self.init(Argon2Parameters(operations: passes, memoryKiB: memoryMiB << 10), limits)
    }

    /// Creates a cost that is suitable for tests.
    package init(_ parameters: Argon2Parameters, _ limits: Argon2Limits) {
        self.parameters = parameters
        self.limits = limits
    }

    /// The parameters for a machine with this much memory left.
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
