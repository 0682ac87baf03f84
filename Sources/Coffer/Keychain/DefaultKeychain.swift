internal import CofferBasics
internal import VaultFiles
internal import VaultStore

/// The keychain of programs that open no vault themselves: what calls of `SecItem` use.
///
/// The vault is opened when it is first needed, and made when something is first stored; to read or delete makes nothing.
/// Nobody is asked for anything, and no command is run, unless the ladder says so. If no source of the ladder opens it
/// yet, it is tried again later, at most once a second. A process that was forked opens the vault for itself. While it is
/// opened, and while the ladder asks somebody for a passphrase, other calls wait: who is asked must not use the keychain.
///
/// ```swift
/// let keychain = DefaultKeychain(groups: AccessGroups(application: "com.example.mail"))
/// try keychain.withKeychain { keychain throws(KeychainError) in
///     _ = try keychain.save(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
/// }
/// ```
public final class DefaultKeychain: Sendable {
    /// Who hears what the keychain has to say.
    public typealias NoticeListener = @Sendable (KeychainNotice) -> Void

    /// Where the keychain comes from.
    private enum Source: Sendable {
        case given(Keychain)
        case place(DefaultVault)
    }

    private let source: Source

    /// Where the vault is, and what opens it; nil for a keychain that was given.
    package var places: VaultPlaces? {
        if case .place(let vault) = source { vault.options.places } else { nil }
    }

    /// A keychain that the program has opened.
    public init(_ keychain: Keychain) {
        source = .given(keychain)
    }

    /// The keychain in the vault of ``VaultOptions/places``.
    ///
    /// - Parameters:
    ///   - options: How the vault is used, and where it is.
    ///   - ladder: Where to look for what opens the vault, or shall open a new one.
    ///   - groups: The access groups of the program; nil for those that it has declared, see
    ///     ``AccessGroups/ofThisProgram(_:)``.
    ///   - notices: Who hears what the keychain has to say.
    public convenience init(
        options: VaultOptions = VaultOptions(),
        ladder: UnlockLadder = UnlockLadder(),
        groups: AccessGroups? = nil,
        notices: @escaping NoticeListener = { KeychainNotice.print($0) }
    ) {
        self.init(options: options, ladder: ladder, notices: notices) { () throws(EntitlementsError) in
            if let groups { groups } else { try .ofThisProgram() }
        }
    }

    /// The keychain of a program in surroundings that are not those of this process.
    package init(
        options: VaultOptions,
        ladder: UnlockLadder,
        notices: @escaping NoticeListener,
        groups: @escaping @Sendable () throws(EntitlementsError) -> AccessGroups
    ) {
        source = .place(DefaultVault(options: options, ladder: ladder, notices: notices, groups: groups))
    }

    /// The keychain as it is now; nil if there is no vault yet.
    ///
    /// - Throws: Why it cannot be opened.
    public func opened() throws(KeychainError) -> Keychain? {
        switch source {
        case .given(let keychain): keychain
        case .place(let vault): try vault.keychain()
        }
    }
}

// MARK: - Typed use

extension DefaultKeychain {
    /// Lends the keychain to `body`, which stores something: the vault is made if there is none.
    ///
    /// - Parameter body: What is done; it may be called a second time, if the vault had to be opened or unlocked again.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, and why there is no keychain.
    public func withKeychain<Result>(
        _ body: (Keychain) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try use(makingVault: true, checking: { _ in }, do: body)
    }

    /// Lends the keychain to `body`, which finds or deletes something.
    ///
    /// - Parameter body: What is done; it may be called a second time, if the vault had to be opened or unlocked again.
    /// - Returns: What `body` returns; nil if there is no vault yet.
    /// - Throws: What `body` throws, and why there is no keychain.
    public func withKeychainIfAny<Result>(
        _ body: (Keychain) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result? {
        var wasCalled = false
        do throws(KeychainError) {
            return try use(makingVault: false, checking: { _ in }) { keychain throws(KeychainError) in
                wasCalled = true
                return try body(keychain)
            }
        } catch {
            guard !wasCalled, error == .itemNotFound else { throw error }
            return nil
        }
    }
}

extension DefaultKeychain {
    /// Does what needs a vault.
    ///
    /// If there is none, one is made for what stores something, and nothing is found by all else; a request that makes no
    /// sense, which `check` finds, makes none.
    package func use<Result>(
        makingVault makesVault: Bool,
        checking check: (AccessGroups) throws(KeychainError) -> Void,
        do operation: (Keychain) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        switch source {
        case .given(let keychain): try operation(keychain)
        case .place(let vault):
            try vault.use(operation) { () throws(KeychainError) in
                try check(try vault.groups())
                guard makesVault else { throw .itemNotFound }
                return try vault.make()
            }
        }
    }
}
