internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
package import VaultStore

/// The items of a vault that a program may use, with the behavior of Apple's keychain.
///
/// All operations can be called from any thread. They block until they are done, and changes are durable when a call
/// returns; in asynchronous code, make calls in ``perform(_:)``. ``passwords(service:)`` is the shortest way to get and
/// set a password.
///
/// ```swift
/// let keychain = vault.keychain(for: AccessGroups(application: "com.example.mail"))
/// let login = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
/// let text = try keychain.secretText(of: login.reference)
/// try keychain.delete(login.reference)
/// ```
public final class Keychain: Sendable {
    /// The maximum number of bytes in the secret of an item.
    package static let secretByteCountLimit = Limits.secretByteCount

    /// A closure that receives the notices of a keychain.
    public typealias NoticeListener = @Sendable (KeychainNotice) -> Void

    /// Where the items are.
    private enum Source: Sendable {
        case open(VaultStore, AccessGroups)
        case openedWhenNeeded(DefaultVault)
    }

    private let source: Source
    /// Announces operations to the observer before they are done.
    package let calls: CallAnnouncer
    /// How calls authenticate the user.
    let authentication: CallAuthentication
    /// The cost of a new application password.
    let passwordCost: PassphraseCost
    /// Whether searches without a group are about each group: see ``showingEachGroup``.
    private let showsEachGroup: Bool

    /// Creates a keychain on an open vault.
    package init(
        _ store: VaultStore,
        groups: AccessGroups,
        observer: KeychainObserver? = nil,
        passwordCost: PassphraseCost = .standard
    ) {
        source = .open(store, groups.limited(to: store.grantedGroups))
        calls = CallAnnouncer(observer: observer)
        authentication = CallAuthentication()
        self.passwordCost = passwordCost
        showsEachGroup = false
    }

    /// Creates a keychain with the items of another one, whose calls authenticate the user or search in another way.
    init(_ keychain: Keychain, authentication: CallAuthentication? = nil, showsEachGroup: Bool? = nil) {
        source = keychain.source
        calls = keychain.calls
        self.authentication = authentication ?? keychain.authentication
        passwordCost = keychain.passwordCost
        self.showsEachGroup = showsEachGroup ?? keychain.showsEachGroup
    }

    /// Creates a keychain whose vault is opened on first use, and created when something is first stored.
    ///
    /// Adding or saving an item creates the vault, and so does a transaction; no other call does. The user is not asked
    /// for a passphrase and no command is run unless the ladder allows it. If no source of the ladder opens the vault,
    /// the ladder is tried again later, at most once a second. A forked process opens the vault for itself. While the
    /// vault is being opened, and while the ladder asks for a passphrase, other calls wait, so the code that asks must
    /// not use the keychain. If the vault has to be opened or unlocked again, the body of a transaction may be called
    /// twice.
    ///
    /// ```swift
    /// let keychain = Keychain(groups: AccessGroups(application: "com.example.mail"))
    /// try keychain.save(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
    /// ```
    ///
    /// - Parameters:
    ///   - options: The options for using the vault, including its location.
    ///   - ladder: The sources of the secrets that open the vault, or protect a new one.
    ///   - groups: The access groups of the program; nil for those that it has declared, see
    ///     ``AccessGroups/ofThisProgram(_:)``.
    ///   - notices: A closure that receives the notices of the keychain; nil for ``KeychainNotice/print(_:)``.
    public convenience init(
        options: VaultOptions = VaultOptions(),
        ladder: UnlockLadder = UnlockLadder(),
        groups: AccessGroups? = nil,
        notices: NoticeListener? = nil
    ) {
        self.init(options: options, ladder: ladder, notices: notices) {
            if let groups { groups } else { try .ofThisProgram() }
        }
    }

    /// Creates the keychain of a program in an environment other than that of this process.
    package init(
        options: VaultOptions,
        ladder: UnlockLadder,
        notices: NoticeListener?,
        groups: @escaping @Sendable () throws -> AccessGroups
    ) {
        source = .openedWhenNeeded(DefaultVault(options: options, ladder: ladder, notices: notices, groups: groups))
        calls = .silent
        authentication = CallAuthentication()
        passwordCost = options.passphraseCost
        showsEachGroup = false
    }

    /// The groups that the program may use.
    ///
    /// - Throws: ``KeychainError/entitlements(_:)`` if the entitlements of the program are invalid.
    public var groups: AccessGroups {
        get throws(KeychainError) {
            let groups =
                switch source {
                case .open(_, let groups): groups
                case .openedWhenNeeded(let vault): try vault.groups()
                }
            return showsEachGroup ? groups.showingEach : groups
        }
    }

    /// Whether the keychain is open and unlocked, so that items that are protected while it is locked can be read.
    public var isUnlocked: Bool {
        switch source {
        case .open(let store, _): store.isUnlocked
        case .openedWhenNeeded(let vault): vault.isUnlocked
        }
    }

    /// Locks the keychain, removing the keys of items that are protected while it is locked from memory.
    ///
    /// What was already read is not affected. Items with other protections can still be read, and all items can be
    /// deleted.
    public func lock() {
        switch source {
        case .open(let store, _): store.lock()
        case .openedWhenNeeded(let vault): vault.lock()
        }
    }

    /// The current time, in seconds since the start of 2001, as in the dates of items.
    package var now: Double { Double(wallMicroseconds) / 1e6 - 978_307_200 }

    /// The current time, in microseconds since 1970.
    var wallMicroseconds: Int64 {
        let time: any TimeSource =
            switch source {
            case .open(let store, _): store.environment.time
            case .openedWhenNeeded(let vault): vault.time
            }
        return time.wallMicroseconds()
    }

    /// Gives the notice that a call with Apple's names failed, if anyone listens.
    ///
    /// Failed calls of the listener itself are not explained, since that would not end.
    package func explain(_ reason: () -> String) {
        var listener = KeychainNotice.explainsCalls ? KeychainNotice.print : nil
        if case .openedWhenNeeded(let vault) = source { listener = vault.notices ?? listener }
        guard let listener, !Self.isExplaining else { return }
        Self.$isExplaining.withValue(true) { listener(KeychainNotice(.callFailed, reason())) }
    }

    @TaskLocal private static var isExplaining = false

    /// The locations of a vault that is opened when needed, and of its files; nil if the program opened the vault.
    package var locations: VaultLocations? {
        if case .openedWhenNeeded(let vault) = source { vault.options.locations } else { nil }
    }
}

// MARK: - Using the vault

extension Keychain {
    /// Opens the vault, and creates it if none exists, so that later calls do not have to.
    package func openOrCreateVault() throws { _ = try withStore(creatingVault: true) { store in store } }

    /// The open vault, opened now if necessary; nil if it does not exist yet.
    package func openedStore() throws(KeychainError) -> VaultStore? {
        try KeychainError.converting { try withStore(creatingVault: false) { store in store } }
    }

    /// Rewrites the vault without the past of the items that `delete` deletes, if the vault allows that.
    func erase(_ delete: () throws -> [ItemID]) throws(KeychainError) {
        try KeychainError.converting {
            _ = try withStore(creatingVault: false) { store in try store.checkMayBeReplaced() }
            let items = try delete()
            _ = try withStore(creatingVault: false) { store in try store.purge(items) }
        }
    }

    /// Lends `body` the open vault; returns nil if it does not exist and is not to be created.
    private func withStore<Result: ~Copyable>(
        creatingVault createsVault: Bool,
        _ body: (VaultStore) throws -> Result
    ) throws -> Result? {
        switch source {
        case .open(let store, _): try body(store)
        case .openedWhenNeeded(let vault): try vault.use(creatingVault: createsVault, body)
        }
    }

    /// Announces a call that reads, and returns the search for the items that it is about.
    func search(
        _ target: ItemTarget,
        returning returns: Query.Returns,
        announcing operation: KeychainOperation,
        to calls: CallAnnouncer
    ) throws(KeychainError) -> ItemSearch {
        try calls.announce(operation, target)
        var search = try groups.search(target.query(returning: returns), for: .find)
        search.usesPrivateKeys = returns.contains(.data)
        return search
    }

    /// Lends `body` the search for a target and the current state of the vault; returns nil if there is no vault yet.
    func read<Result: ~Copyable>(
        _ operation: KeychainOperation,
        _ target: ItemTarget,
        returning returns: Query.Returns = .attributes,
        _ body: (ItemSearch, inout OpenGeneration, Authentication) throws -> Result
    ) throws(KeychainError) -> Result? {
        let search = try search(target, returning: returns, announcing: operation, to: calls)
        return try readIfAny { (vault, authentication) in try body(search, &vault, authentication) }
    }

    /// Lends `body` the current state of the vault, again after the user had to be asked for something.
    ///
    /// - Throws: ``KeychainError/itemNotFound`` if there is no vault yet.
    func read<Result: ~Copyable>(
        _ body: (inout OpenGeneration, Authentication) throws -> Result
    ) throws(KeychainError) -> Result {
        guard let result = try readIfAny(body) else { throw .itemNotFound }
        return result
    }

    /// Lends `body` the current state of the vault; returns nil if there is no vault yet.
    func readIfAny<Result: ~Copyable>(
        _ body: (inout OpenGeneration, Authentication) throws -> Result
    ) throws(KeychainError) -> Result? {
        var result: Result?
        guard try lend(to: { vault, authentication in result = try body(&vault, authentication) }) else { return nil }
        return result
    }

    /// Lends `body` the current state of the vault, and returns whether there is one.
    ///
    /// It is not generic, like the store's, so that it is compiled once.
    private func lend(
        to body: (inout OpenGeneration, Authentication) throws -> Void
    ) throws(KeychainError) -> Bool {
        try KeychainError.converting {
            try authenticated { authentication in
                try withStore(creatingVault: false) { store in
                    try store.lend { vault in try body(&vault, authentication) }
                    return true
                } ?? false
            }
        }
    }

    /// Lends `body` a transaction, and another one after the user had to be asked for something.
    ///
    /// - Parameters:
    ///   - createsVault: Whether to create the vault if there is none.
    ///   - calls: Where the operations of the transaction are announced.
    ///   - progress: A closure for a change that replaces the file if a frame cannot hold it; nil for other changes.
    ///   - body: A closure that makes the changes; if it throws, nothing is changed.
    /// - Returns: The result of `body`, and the number of a large change.
    /// - Throws: The errors of `body` and of the store as they are; ``KeychainError/itemNotFound`` if there is no vault.
    func transact<Result>(
        creatingVault createsVault: Bool,
        _ calls: CallAnnouncer,
        largely progress: ((VaultProgress) -> Bool)? = nil,
        _ body: (inout KeychainTransaction) throws -> Result
    ) throws -> (result: Result, change: UInt64) {
        var result: Result?
        let change = try write(creatingVault: createsVault, largely: progress) { transaction, authentication in
            var lent = KeychainTransaction(self, transaction, authentication, calls)
            do {
                result = try body(&lent)
            } catch {
                transaction = lent.finished()
                throw error
            }
            transaction = lent.finished()
        }
        guard let change, let result else { throw KeychainError.itemNotFound }
        return (result, change)
    }

    /// Lends `body` a transaction, and returns the number of a large change, otherwise 0; nil if there is no vault.
    private func write(
        creatingVault createsVault: Bool,
        largely progress: ((VaultProgress) -> Bool)?,
        _ body: (inout Transaction, Authentication) throws -> Void
    ) throws -> UInt64? {
        try authenticated { authentication in
            try withStore(creatingVault: createsVault) { store in
                guard let progress else {
                    try store.transaction { transaction in try body(&transaction, authentication) }
                    return 0
                }
                return try store.largeTransaction(
                    progress: { progress(VaultProgress($0.byteCount, of: $0.expectedByteCount)) }
                ) { transaction in
                    try body(&transaction, authentication)
                }.change
            }
        }
    }
}

extension OpenGeneration {
    /// The device that a new item with this protection belongs to: the one whose key is available.
    func owner(for protection: ProtectionClass) -> DeviceID {
        protection.isBoundToDevice ? opening.keyring.roots.devices.keys.first ?? .none : .none
    }
}
