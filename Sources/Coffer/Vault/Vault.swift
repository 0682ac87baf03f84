internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
package import VaultStore

/// An open vault: one encrypted file with the items of all programs that use it.
///
/// Programs get at their items through a ``Keychain``. All operations may be called from any thread, and none from a
/// process that was forked after the vault was opened.
///
/// ```swift
/// let protection = VaultProtection(passphrase: Passphrase("a long passphrase"))
/// let vault = try Vault.create(at: path, protection: protection)
/// let keychain = vault.keychain(for: AccessGroups(application: "com.example.mail"))
/// try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
/// vault.lock()
/// ```
public final class Vault: Sendable {
    package let store: VaultStore
    /// The path of the file.
    public let path: String
    /// How the vault is used.
    public let options: VaultOptions
    private let report: Guarded<UnlockReport>

    init(_ store: VaultStore, at path: String, options: VaultOptions, report: UnlockReport) {
        self.store = store
        self.path = path
        self.options = options
        self.report = Guarded(report)
    }

    /// Opens the vault at `path`.
    ///
    /// If no passphrase is given or found, and the vault knows this machine, it is opened locked: items that can be read
    /// while it is locked can be read, and ``unlock(with:)`` opens the others.
    ///
    /// - Parameters:
    ///   - path: Where the vault is.
    ///   - ladder: Where to look for what opens it.
    ///   - options: How it is used.
    /// - Returns: The vault.
    /// - Throws: Why it could not be opened; what was tried is in ``VaultError/unlocking``. A vault from which changes
    ///   are missing that this machine has seen is ``VaultError/Kind/rolledBack``, unless the options accept that.
    public static func open(
        at path: String,
        with ladder: UnlockLadder = UnlockLadder(),
        options: VaultOptions = VaultOptions()
    ) throws(VaultError) -> Vault {
        let environment = try options.storeEnvironment()
        var attempt = try UnlockAttempt(ladder, path: path, environment, options, acceptsLocked: true)
        let store = try attempt.run { roots throws(StoreError) in
            try VaultStore.open(at: path, environment: environment, options: options.store, roots: roots)
        }
        attempt.settle(store)
        if let failure = store.anchorFailure {
            attempt.report.warnings.append("\(StoreError.readOnly(.anchorUnreadable(failure), path: path))")
        }
        let vault = Vault(store, at: path, options: options, report: attempt.report)
        if let warning = try vault.notePlace() { vault.warn(warning) }
        return vault
    }

    /// The keychain of a program that may use these groups.
    public func keychain(for groups: AccessGroups) -> Keychain {
        Keychain(store, groups: groups)
    }

    /// Adds a warning.
    func warn(_ warning: String) { report.withLock { $0.warnings.append(warning) } }

    // MARK: - Locking

    /// What was tried when the vault was opened, or unlocked since.
    public var unlocking: UnlockReport { report.withLock { $0 } }

    /// Whether items can be read that are protected while the vault is locked.
    public var isUnlocked: Bool { store.isUnlocked }

    /// Locks the vault: the keys of items that are protected while it is locked leave the memory, with all that was read
    /// with them.
    ///
    /// Attributes and keys that the vault has in memory are overwritten. That does not reach values that the program was
    /// given, nor texts of up to 15 bytes, which the language keeps inside other values and on the stack. Keys that
    /// ``leaveUnlocked(for:atMost:)`` has left for other processes stay where they are.
    public func lock() { store.lock() }

    /// Unlocks the vault, and stays as it is if nothing opens it.
    ///
    /// - Parameter ladder: Where to look for what opens it.
    /// - Throws: Why it could not be unlocked; what was tried is in ``VaultError/unlocking``.
    public func unlock(with ladder: UnlockLadder = UnlockLadder()) throws(VaultError) {
        var attempt = try UnlockAttempt(ladder, path: path, store.environment, options, acceptsLocked: false)
        try attempt.runBeside { roots throws(StoreError) in try store.unlock(roots: roots) }
        attempt.settle(store)
        let report = attempt.report
        self.report.withLock { $0 = report }
    }
}

extension Vault {
    /// Leaves the keys of the unlocked vault with the kernel, so that other processes of the same user can open it
    /// unlocked for a while: any of them can read the keys.
    ///
    /// They read and write items with them, and cannot change who opens the vault, nor use a group or protection for the
    /// first time.
    ///
    /// They are taken back when the keys of the vault are changed, or its file is deleted.
    ///
    /// - Parameters:
    ///   - lifetime: For how long.
    ///   - limit: The longest time that is accepted; raise it to leave them for longer than a day.
    /// - Throws: That the vault is locked, that the time is longer than the limit, or why the kernel does not take them.
    public func leaveUnlocked(
        for lifetime: Duration,
        atMost limit: Duration = Vault.usualUnlockLimit
    ) throws(VaultError) {
        guard lifetime <= limit else {
            throw VaultError(
                kind: .unavailable,
                description: """
                    keys may stay with the kernel for \(limit.components.seconds) seconds, not for \
                    \(lifetime.components.seconds); use a shorter time, or raise the limit
                    """
            )
        }
        let keys = try translating(VaultError.ofStore, store.heldKeys())
        guard let keys else {
            throw VaultError(kind: .secretNeeded, description: "\(path.printable) is locked; unlock it first")
        }
        guard case .unavailable(let failure) = keyCache.save(keys, of: try id(), for: max(lifetime, .seconds(1))) else {
            return
        }
        throw VaultError(.kernelKeyring, failure)
    }

    /// How long keys stay with the kernel at most, unless a program says otherwise: 24 hours.
    public static let usualUnlockLimit = Duration.seconds(86_400)

    /// Takes back what ``leaveUnlocked(for:atMost:)`` of any process has left with the kernel.
    ///
    /// - Returns: Whether there was something.
    /// - Throws: Why the kernel does not give it back.
    @discardableResult
    public func forgetUnlocked() throws(VaultError) -> Bool {
        switch keyCache.forget(try id()) {
        case .forgotten: true
        case .absent: false
        case .unavailable(let failure): throw VaultError(.kernelKeyring, failure)
        }
    }

    private var keyCache: KeyCache { KeyCache(keyring: options.keyring) }

    func id() throws(VaultError) -> VaultID {
        try translating(VaultError.ofStore, store.read { vault in vault.vault })
    }
}

extension VaultError {
    init(_ source: UnlockSource, _ failure: KeyringFailure) {
        self.init(kind: .unavailable, description: "\(source): \(failure)")
    }
}

extension Vault {
    /// A function that overwrites bytes with random ones of the operating system.
    package static func randomSource() throws(VaultError) -> (inout MutableSpan<UInt8>) -> Void {
        let random = try translating(VaultError.ofCipher, SystemRandom())
        return { random.fill(&$0) }
    }
}

extension VaultOptions {
    /// Files, clocks and ciphers.
    package func storeEnvironment() throws(VaultError) -> StoreEnvironment {
        if let environment { return environment }
        return StoreEnvironment(random: try translating(VaultError.ofCipher, SystemRandom()))
    }
}

extension UnlockAttempt {
    /// An attempt with the device key of this machine, if it has one.
    init(
        _ ladder: UnlockLadder,
        path: String,
        _ environment: StoreEnvironment,
        _ options: VaultOptions,
        acceptsLocked: Bool
    ) throws(VaultError) {
        var warnings: [String] = []
        let key = try DeviceKey.found(at: options.places, environment: environment, warnings: &warnings)
        self.init(
            ladder,
            path: path,
            environment: environment,
            deviceKey: key,
            keyCache: KeyCache(keyring: options.keyring),
            warnings: warnings,
            acceptsLocked: acceptsLocked
        )
    }

    /// Gives this machine what it lacks because keys were changed elsewhere, if the vault is unlocked.
    ///
    /// Without that its items are still found where they are; so what goes wrong is told, and tried again the next time.
    mutating func settle(_ store: VaultStore) {
        do throws(StoreError) {
            guard store.readOnlyReason == nil, try store.needsSettling else { return }
            try store.settleDevices()
        } catch {
            report.warnings.append("the items of this machine could not be moved to the new keys: \(error)")
        }
    }

    /// Runs what opens a store with the roots that are found.
    mutating func run<Result>(
        _ open: ((VaultPrelude) throws(VaultFormatError) -> Roots) throws(StoreError) -> Result
    ) throws(VaultError) -> Result {
        var problem: VaultError?
        do throws(StoreError) {
            return try open { prelude throws(VaultFormatError) in
                do throws(VaultError) {
                    return try roots(for: prelude)
                } catch {
                    problem = error
                    throw .noMatch
                }
            }
        } catch {
            throw problem ?? VaultError.ofStore(error)
        }
    }
}
