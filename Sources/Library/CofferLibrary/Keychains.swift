// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CCoffer
internal import Coffer
internal import CofferBasics

/// The items that a program may use, or those in a transaction.
final class KeychainHandle: Handle {
    /// The memory of a transaction while it is lent.
    typealias Lent = UnsafeMutablePointer<KeychainTransaction>

    private let keychain: Keychain
    /// Whether this is lent to a transaction, so that C code does not own it.
    var isTransaction: Bool { wasUnlocked != nil }
    /// Whether the vault was unlocked when the transaction began; nil if this is none.
    private let wasUnlocked: Bool?
    private let lent: Guarded<UInt?>

    init(_ keychain: Keychain) {
        self.keychain = keychain
        wasUnlocked = nil
        lent = Guarded(nil)
    }

    private init(_ keychain: Keychain, _ transaction: Lent, wasUnlocked: Bool) {
        self.keychain = keychain
        self.wasUnlocked = wasUnlocked
        lent = Guarded(UInt(bitPattern: transaction))
    }

    /// Whether the vault is unlocked; in a transaction, whether it was when that began.
    var isUnlocked: Bool { wasUnlocked ?? (!Callback.isRunning && keychain.isUnlocked) }

    /// Locks the vault, unless a callback asks for it.
    func lock() { if !Callback.isRunning { keychain.lock() } }

    /// Does something with the keychain, or in the transaction.
    func use<Result>(
        _ outside: (Keychain) throws -> Result,
        inside: (inout KeychainTransaction) throws -> Result
    ) throws -> Result {
        guard isTransaction else { return try outside(outsideOfTransactions()) }
        return try lent.withLock { address in
            guard let transaction = unsafe address.flatMap({ unsafe Lent(bitPattern: $0) }) else {
                throw InvalidArgument("the transaction has ended")
            }
            return unsafe try inside(&transaction.pointee)
        }
    }

    /// Changes something in the transaction, or in one of its own.
    func change<Result: Sendable>(_ body: (inout KeychainTransaction) throws -> Result) throws -> Result {
        try use {
            try $0.changeItems(body)
        } inside: {
            try body(&$0)
        }
    }

    /// The keychain itself, for what a transaction cannot do.
    func outsideOfTransactions() throws(InvalidArgument) -> Keychain {
        guard !isTransaction else { throw InvalidArgument("this function cannot be used in a transaction") }
        try Callback.checkNone()
        return keychain
    }

    /// Lends `body` a handle for changes that are made together, until it returns.
    func transaction(_ body: (KeychainHandle) -> Bool) throws {
        let keychain = try outsideOfTransactions()
        let wasUnlocked = keychain.isUnlocked
        try keychain.transaction { (transaction) throws in
            try unsafe withUnsafeMutablePointer(to: &transaction) { pointer in
                let inside = unsafe KeychainHandle(keychain, pointer, wasUnlocked: wasUnlocked)
                defer { inside.lent.withLock { $0 = nil } }
                guard Callback.run({ body(inside) }) else { throw Cancelled() }
            }
        }
    }
}

/// Runs the body of a function about an item or a query, which returns a status; neither handle may be NULL.
func attempt<Other: Handle>(
    on keychain: OpaquePointer?,
    _ other: OpaquePointer?,
    _ error: HandleResult?,
    _ body: (KeychainHandle, Other) throws -> Void
) -> coffer_status {
    unsafe attempt(error) {
        try body(unsafe .required(keychain, "keychain"), unsafe .required(other, "item or query"))
    }
}

/// Runs the body of such a function that also returns a handle through a pointer.
func attempt<Other: Handle>(
    on keychain: OpaquePointer?,
    _ other: OpaquePointer?,
    returning result: HandleResult?,
    isNeeded: Bool = true,
    _ error: HandleResult?,
    _ body: (KeychainHandle, Other) throws -> (any Handle)?
) -> coffer_status {
    unsafe attempt(returning: result, isNeeded: isNeeded, error) {
        try body(unsafe .required(keychain, "keychain"), unsafe .required(other, "item or query"))
    }
}

extension AccessGroups {
    /// The groups of a program; those of "coffer" for NULL.
    init(_ identity: UnsafePointer<coffer_identity>?) throws(InvalidArgument) {
        let identity = unsafe identity?.pointee ?? coffer_identity()
        let application = unsafe try identity.application.text("application")
        let groups = unsafe try texts(identity.groups, identity.group_count, "groups")
        self =
            groups.isEmpty ? .init(application: application.isEmpty ? "coffer" : application) : .init(declared: groups)
    }
}

@c @implementation public func coffer_keychain_open(
    _ options: OpaquePointer?,
    _ identity: UnsafePointer<coffer_identity>?,
    _ keychain: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: keychain, error) {
        let state = unsafe OptionsHandle.state(options)
        let groups = unsafe try AccessGroups(identity)
        return KeychainHandle(Keychain(options: state.options, ladder: state.ladder, groups: groups) { _ in })
    }
}

@c @implementation public func coffer_vault_keychain(
    _ vault: OpaquePointer?,
    _ identity: UnsafePointer<coffer_identity>?,
    _ keychain: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: keychain, error) {
        let vault = unsafe try VaultHandle.opened(vault)
        return KeychainHandle(vault.keychain(for: unsafe try AccessGroups(identity)))
    }
}

@c @implementation public func coffer_keychain_is_unlocked(_ keychain: OpaquePointer?) -> Bool {
    ForkGate.passing { unsafe KeychainHandle.at(keychain)?.isUnlocked ?? false }
}

@c @implementation public func coffer_keychain_lock(_ keychain: OpaquePointer?) {
    ForkGate.passing { unsafe KeychainHandle.at(keychain)?.lock() }
}

@c @implementation public func coffer_keychain_free(_ keychain: OpaquePointer?) {
    guard unsafe KeychainHandle.at(keychain)?.isTransaction != true else { return }
    unsafe KeychainHandle.free(keychain)
}

@c @implementation public func coffer_keychain_transaction(
    _ keychain: OpaquePointer?,
    _ transaction: coffer_transaction?,
    _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        guard let transaction = unsafe transaction else { throw InvalidArgument("`transaction` is NULL") }
        unsafe try KeychainHandle.required(keychain, "keychain").transaction { inside in
            unsafe transaction(context, inside.lent)
        }
    }
}

extension coffer_demand {
    fileprivate init(_ request: AuthenticationHost.Prompt.Request) {
        self =
            switch request {
            case .user: COFFER_DEMAND_PASSPHRASE
            case .applicationPassword: COFFER_DEMAND_PASSWORD
            case .newApplicationPassword: COFFER_DEMAND_NEW_PASSWORD
            }
    }
}

@c @implementation public func coffer_set_host(
    _ host: coffer_host?,
    _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    // A number, since a pointer would not be Sendable.
    let context = UInt(bitPattern: context)
    return unsafe attempt(error) {
        guard let host = unsafe host else { return AuthenticationHost.install(nil) }
        AuthenticationHost.install(
            AuthenticationHost { prompt in
                let reason = StoredBytes(prompt.localizedReason.utf8)
                let answer = unsafe SecretHandle.taken(
                    Callback.run {
                        unsafe host(
                            UnsafeMutableRawPointer(bitPattern: context),
                            coffer_demand(prompt.request),
                            reason.bytes,
                            Int32(clamping: prompt.wrongAnswerCount)
                        )
                    }
                )
                return answer.map { .password($0) } ?? .failure(.userCancel)
            }
        )
    }
}

extension KeychainHandle {
    /// The keychain behind a handle; the user's own one for NULL.
    fileprivate static func orUsers(_ keychain: OpaquePointer?) throws(InvalidArgument) -> KeychainHandle {
        if let handle = unsafe at(keychain) { return handle }
        return KeychainHandle(Keychain(groups: try unsafe AccessGroups(nil)) { _ in })
    }
}

@c @implementation public func coffer_password_get(
    _ keychain: OpaquePointer?,
    _ service: UnsafePointer<CChar>?,
    _ account: UnsafePointer<CChar>?,
    _ password: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: password, error) {
        let (service, account) = unsafe (try name(service), try name(account))
        let found = unsafe try KeychainHandle.orUsers(keychain).secret(where: .password(service, account))
        guard let found else { throw KeychainError.itemNotFound }
        return found
    }
}

@c @implementation public func coffer_password_set(
    _ keychain: OpaquePointer?,
    _ service: UnsafePointer<CChar>?,
    _ account: UnsafePointer<CChar>?,
    _ password: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        let (service, account) = unsafe (try name(service), try name(account))
        guard let password = unsafe password else { throw InvalidArgument("`password` is NULL") }
        try unsafe coffer_string(password).withSpan { bytes in
            try unsafe KeychainHandle.orUsers(keychain).use {
                try $0.passwords(service: service).set(bytes, for: account)
            } inside: {
                try $0.setPassword(bytes, service, account)
            }
        }
    }
}
