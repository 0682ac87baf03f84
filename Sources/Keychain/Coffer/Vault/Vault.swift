internal import CofferBasics
package import VaultCrypto
internal import VaultFiles
package import VaultFormat
package import VaultStore

/// An open vault: one encrypted file with the items of all programs that use it.
///
/// Programs access their items through a ``Keychain``. All operations can be called from any thread, but not from a
/// process that was forked after the vault was opened.
///
/// ```swift
/// let protection = VaultProtection(passphrase: passphrase)
/// let vault = try Vault.create(at: path, protection: protection)
/// let keychain = vault.keychain(for: AccessGroups(application: "com.example.mail"))
/// try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
/// vault.lock()
/// ```
public final class Vault: Sendable {
    package let store: VaultStore
    /// The path of the file.
    public let path: String
    /// The options for using the vault.
    public let options: VaultOptions
    private let report: Guarded<UnlockReport>
    /// The declared groups of the keychains of this vault.
    private let declaredGroups = Guarded<Set<[UInt8]>>([])

    init(_ store: VaultStore, at path: String, options: VaultOptions, report: UnlockReport) {
        self.store = store
        self.path = path
        self.options = options
        self.report = Guarded(report)
    }

    deinit {
        // It would keep keys in memory for as long as it takes.
        store.cancelBackgroundCompaction()
    }

    /// Opens the vault at `path`.
    ///
    /// If no passphrase is given or found, and this machine is a device of the vault, the vault is opened locked: items
    /// that are not protected while it is locked can be read, and ``unlock(with:)`` gives access to the others.
    ///
    /// - Parameters:
    ///   - path: The path of the vault.
    ///   - ladder: The sources of the secrets that open the vault.
    ///   - options: The options for using the vault.
    /// - Returns: The vault.
    /// - Throws: ``VaultError`` if the vault cannot be opened; ``VaultError/unlocking`` says what was tried. If changes
    ///   that this machine has seen are missing, the kind is ``VaultError/Kind/rolledBack``, unless the options accept
    ///   that. An older copy at a place that this machine never wrote, while a later file is at another place, opens
    ///   for reading, with a warning.
    public static func open(
        at path: String,
        with ladder: UnlockLadder = UnlockLadder(),
        options: VaultOptions = VaultOptions()
    ) throws(VaultError) -> Vault {
        let environment = try options.storeEnvironment()
        var attempt: UnlockAttempt
        let store: VaultStore
        do {
            attempt = try UnlockAttempt(ladder, path: path, environment, options, acceptsLocked: true)
            store = try attempt.run { roots in
                try VaultStore.open(at: path, environment: environment, options: options.store, roots: roots)
            }
        } catch {
            throw VaultError(error)
        }
        attempt.settle(store)
        if let failure = store.anchorFailure {
            attempt.report.warnings.append("\(StoreError.readOnly(.anchorUnreadable(failure), path: path))")
        }
        if let copy = store.olderCopy {
            attempt.report.warnings.append("\(StoreError.readOnly(.olderCopy(copy), path: path))")
        }
        let vault = Vault(store, at: path, options: options, report: attempt.report)
        if let warning = try vault.notePlace() { vault.warn(warning) }
        return vault
    }

    /// Returns the keychain for a program that may use these groups.
    ///
    /// Declared groups that the vault does not have yet are created when it is unlocked: a program can then use them
    /// for the first time while the vault is locked.
    public func keychain(for groups: AccessGroups) -> Keychain {
        declare(groups)
        return Keychain(store, groups: groups, passwordCost: options.passphraseCost)
    }

    /// Creates the declared groups among `groups`, now or when the vault is unlocked.
    package func declare(_ groups: AccessGroups) {
        let names = groups.declaredNames
        guard !names.isEmpty else { return }
        declaredGroups.withLock { $0.formUnion(names) }
        makeDeclaredGroups()
    }

    /// Creates the declared groups that are missing, if the vault is unlocked and can be written.
    private func makeDeclaredGroups() {
        let names = declaredGroups.withLock { $0.sorted { $0.lexicographicallyPrecedes($1) } }
        do {
            try store.makeGroups(named: names)
        } catch {
            warn("the access groups of the program could not be created: \(error)")
        }
    }

    /// Adds a warning.
    func warn(_ warning: String) { report.withLock { $0.warnings.append(warning) } }

    // MARK: - Locking

    /// What was tried when the vault was opened, or last unlocked.
    public var unlocking: UnlockReport { report.withLock { $0 } }

    /// Whether the vault is unlocked, so that items that are protected while it is locked can be read.
    public var isUnlocked: Bool { store.isUnlocked }

    /// Locks the vault, removing the keys of items that are protected while it is locked from memory.
    ///
    /// These keys, and the attributes that were read with them, are overwritten. This does not reach values that the
    /// program was given, or text of up to 15 bytes, which Swift keeps inside other values and on the stack. Keys that
    /// ``keepUnlocked(for:atMost:)`` has left for other processes stay in the kernel keyring. A vault that was opened with
    /// a grant keeps the credential and its keys in guarded memory, but does not use them for items that are locked.
    public func lock() { store.lock() }

    /// Unlocks the vault; if nothing opens it, it is not changed.
    ///
    /// - Parameter ladder: The sources of the secrets that open the vault.
    /// - Throws: ``VaultError`` if the vault cannot be unlocked; ``VaultError/unlocking`` says what was tried.
    public func unlock(with ladder: UnlockLadder = UnlockLadder()) throws(VaultError) {
        try unlocking(with: ladder) { roots in try store.unlock(roots: roots) }
    }

    /// Runs `open`, which opens the store anew, with the roots that a ladder finds.
    package func unlocking<Result>(
        with ladder: UnlockLadder,
        _ open: ((VaultPrelude) throws -> Keyring.Roots) throws -> Result
    ) throws(VaultError) -> Result {
        try VaultError.converting {
            var attempt = try UnlockAttempt(ladder, path: path, store.environment, options, acceptsLocked: false)
            let result = try attempt.runWithoutLock(open)
            attempt.settle(store)
            let report = attempt.report
            self.report.withLock { $0 = report }
            makeDeclaredGroups()
            return result
        }
    }
}

extension Vault {
    /// Leaves the keys of the unlocked vault in the kernel keyring for a while, for other processes of the same user.
    ///
    /// Any process of the user can read the keys, and open the vault unlocked with them. With these keys it can read
    /// and write items of all protections, but cannot change what opens the vault, or make a group.
    ///
    /// The keys are removed when the keys of the vault are changed, or its file is deleted.
    ///
    /// - Parameters:
    ///   - lifetime: How long to leave the keys.
    ///   - limit: The longest time that is accepted; raise it to leave them for longer than a day.
    /// - Throws: ``VaultError`` if the vault is locked, the time is longer than the limit, or the kernel does not
    ///   accept the keys.
    public func keepUnlocked(
        for lifetime: Duration,
        atMost limit: Duration = Vault.defaultUnlockLimit
    ) throws(VaultError) {
        guard lifetime <= limit else {
            throw VaultError(
                kind: .unavailable,
                description: """
                    the vault cannot be left unlocked for \(lifetime.components.seconds.grouped) seconds: the limit is \
                    \(limit.components.seconds.grouped); use a shorter time, or raise the limit
                    """
            )
        }
        makeClassKeys()
        guard let keys = try VaultError.converting({ try store.heldKeys() }) else {
            throw VaultError(kind: .secretNeeded, description: "\(path.printable) is locked; unlock it first")
        }
        let now = Time(microseconds: store.environment.time.wallMicroseconds())
        let saving = keyCache.save(keys, of: try id(), for: max(lifetime, .seconds(1)), now: now)
        if case .unavailable(let failure) = saving { throw VaultError(.kernelKeyring, failure) }
    }

    /// Makes the group of the command, and in it a key of each class, so that whoever has the vault unlocked can use them.
    package func makeClassKeys() {
        do {
            try store.makeKeys(inGroupNamed: Array("coffer".utf8))
        } catch {
            warn("keys for new items could not be made: \(error)")
        }
    }

    /// The default limit for how long keys stay in the kernel keyring: 24 hours.
    public static let defaultUnlockLimit = Duration.seconds(86_400)

    /// Removes the keys that ``keepUnlocked(for:atMost:)`` in any process has left in the kernel keyring.
    ///
    /// - Returns: Whether there were any keys.
    /// - Throws: ``VaultError`` if the keys cannot be removed.
    @discardableResult
    public func stopKeepingUnlocked() throws(VaultError) -> Bool {
        switch keyCache.forget(try id()) {
        case .forgotten: true
        case .absent: false
        case .unavailable(let failure): throw VaultError(.kernelKeyring, failure)
        }
    }

    private var keyCache: KeyCache { KeyCache(keyring: options.keyring) }

    package func id() throws(VaultError) -> VaultID {
        try read { vault in vault.vault }
    }

    /// Lends `body` the current state of the vault.
    func read<Result>(
        _ body: (inout OpenGeneration) throws -> Result
    ) throws(VaultError) -> Result {
        try VaultError.converting { try store.read(body) }
    }
}

extension VaultError {
    init(_ source: UnlockSource, _ failure: KeyringFailure) {
        self.init(kind: .unavailable, description: "\(source): \(failure)")
    }
}

extension Vault {
    /// Returns a function that overwrites bytes with random ones from the operating system.
    package static func randomSource() throws(VaultError) -> (inout MutableSpan<UInt8>) -> Void {
        let random = try VaultError.converting { try SystemRandom() }
        return { random.fill(&$0) }
    }
}

extension VaultOptions {
    /// Returns the files, clocks and ciphers to use.
    package func storeEnvironment() throws(VaultError) -> StoreEnvironment {
        if let environment { return environment }
        return try VaultError.converting { StoreEnvironment(random: try SystemRandom()) }
    }
}

extension UnlockAttempt {
    /// Creates an attempt with the device key of this machine, if it has one.
    init(
        _ ladder: UnlockLadder,
        path: String,
        _ environment: StoreEnvironment,
        _ options: VaultOptions,
        acceptsLocked: Bool
    ) throws {
        var warnings: [String] = []
        let key = try DeviceKey.found(at: options.locations, environment: environment, warnings: &warnings)
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

    /// Does what the first program has to do that has the vault open with its roots: moves the items of this machine to
    /// keys that were changed elsewhere, and writes down how much of the past is kept.
    ///
    /// If that fails, all items can still be found, so the error is only a warning, and it is tried again next time.
    mutating func settle(_ store: VaultStore) {
        do {
            if store.readOnlyReason == nil, try store.needsSettling { try store.settleDevices() }
        } catch {
            report.warnings.append("the items of this machine could not be moved to the new keys: \(error)")
        }
        // Others hear of a change of a shared vault, so it waits until they are asked for theirs.
        if !store.isShared { report.writeStandardHistory(of: store) }
    }

    /// Runs `open`, which opens a store, with the roots that are found.
    mutating func run<Result>(
        _ open: ((VaultPrelude) throws -> Roots) throws -> Result
    ) throws -> Result {
        try open { prelude in try roots(for: prelude) }
    }
}
