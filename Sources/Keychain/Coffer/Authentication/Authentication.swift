internal import CofferBasics
internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

/// Checks, for one call of a keychain, the access control of the items that it is about.
///
/// A check that lacks something throws, and notes what it lacks. When the vault is no longer in use, the call asks the
/// user for that and starts again.
final class Authentication {
    /// How often a call starts again.
    private static let roundLimit = 20

    private let keychain: Keychain
    private var call: CallAuthentication
    // Most calls need neither.
    private lazy var ownContext = AuthenticationContext()
    private lazy var host = AuthenticationHost.current
    private var demand: (AuthenticationDemand, CallAuthentication)?
    private var roundCount = 0
    private var wrongAnswerCount = 0

    init(_ keychain: Keychain) {
        self.keychain = keychain
        call = keychain.authentication
    }

    /// Runs `body`, one of several calls, which authenticates the user in its own way.
    func adopting<Result>(_ other: CallAuthentication?, _ body: () throws -> Result) throws -> Result {
        let former = call
        defer { call = former }
        if let other { call = other }
        return try body()
    }

    private var context: AuthenticationContext { call.context ?? ownContext }

    // MARK: - Checking

    /// Whether an item may be used; false if it is to be left out.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of the item.
    ///   - usesPrivateKey: Whether the private key in the item is used, rather than found or described.
    ///   - sealed: The data of the item, if it has an application password.
    /// - Returns: Whether the item may be used.
    /// - Throws: An error if something is lacking.
    func allows(
        _ attributes: ItemAttributes,
        usesPrivateKey: Bool = true,
        _ sealed: borrowing SealedSecret?
    ) throws -> Bool {
        guard let control = attributes.accessControl, control.flags != 0 else { return true }
        do {
            if usesPrivateKey || !attributes.isPrivateKeyForUse { try checkUser(control) }
            try checkPassword(of: sealed)
            return true
        } catch {
            guard let skippedItems = call.skippedItems, demand != nil else { throw error }
            demand = nil
            skippedItems.increment()
            return false
        }
    }

    private func checkUser(_ control: AccessControlEntry) throws(KeychainError) {
        try checkUser(AccessControl.Conditions(rawValue: control.flags), enrolled: control.enrolled)
    }

    /// Throws unless the user has presented what the access control demands.
    func check(_ control: AccessControl) throws(KeychainError) {
        try checkUser(control.conditions ?? [], enrolled: control.enrolled)
    }

    private func checkUser(_ conditions: AccessControl.Conditions, enrolled: [UInt8]?) throws(KeychainError) {
        guard let ways = context.missingWays(for: conditions, enrolled: enrolled, by: host) else {
            throw .authenticationFailed
        }
        if !ways.isEmpty { throw lacking(.user(ways)) }
    }

    private func checkPassword(of sealed: borrowing SealedSecret?) throws {
        guard let (stretching, isRight) = try sealed.password(from: context), isRight != true else { return }
        if isRight == false {
            context.forgetKey(stretching)
            wrongAnswerCount += 1
            guard context.applicationPassword == nil, wrongAnswerCount < AuthenticationContext.attemptCount else {
                throw KeychainError.authenticationFailed
            }
        }
        throw lacking(.password(stretching))
    }

    private func lacking(_ demand: AuthenticationDemand) -> KeychainError {
        self.demand = (demand, call)
        return .authenticationRequired
    }

    // MARK: - Application passwords

    /// Returns the data of an item that may be used, without its application password; nil if it has none.
    func secret(of item: StoredItem, in vault: inout OpenGeneration) throws -> Secret? {
        try opened(vault.secret(of: item), of: item.name)
    }

    /// Returns the data of a past revision that may be used, without its application password; nil if it has none.
    func secret(of past: PastRevision, in vault: inout OpenGeneration) throws -> Secret? {
        try opened(vault.secret(of: past), of: past.name)
    }

    private func opened(_ secret: consuming Secret?, of name: ItemName) throws -> Secret? {
        do {
            let stretching = try secret.stretching
            return try secret.opened(withIfNeeded: stretching.flatMap(context.passwordKey))
        } catch {
            throw StoreError.invalidItem(name, error.reason)
        }
    }

    /// Returns the keys for changing an item that may be used.
    ///
    /// - Parameters:
    ///   - sealed: The data that the item has, if that has an application password.
    ///   - attributes: The attributes that the item gets; nil if it gets no data.
    /// - Returns: The keys.
    /// - Throws: ``KeychainError`` if a new password is needed.
    func passwords(
        replacing sealed: borrowing SealedSecret?,
        for attributes: ItemAttributes?
    ) throws -> ApplicationPasswords {
        var passwords = ApplicationPasswords()
        if let stretching = try sealed.password(from: context)?.stretching {
            passwords.current = context.passwordKey(stretching)
        }
        if let attributes { passwords.next = try password(for: attributes, former: passwords.current) }
        return passwords
    }

    /// Returns the key for an item that gets data: `former`, or that of a new password; nil if it needs none.
    func password(
        for attributes: ItemAttributes,
        former: ApplicationPasswordKey? = nil
    ) throws(KeychainError) -> ApplicationPasswordKey? {
        guard attributes.accessControl?.hasApplicationPassword ?? false else { return nil }
        guard let key = former ?? context.newPasswordKey else { throw lacking(.newPassword) }
        return key
    }

    // MARK: - Asking

    /// Obtains what the failed call lacks, while nothing is locked, so that the call can start again.
    ///
    /// - Throws: The error of the call if it lacks nothing, or why what it lacks cannot be obtained.
    func resolve(_ error: any Error) throws {
        guard let demand, error as? KeychainError == .authenticationRequired else { throw error }
        self.demand = nil
        try adopting(demand.1) { try meet(demand.0) }
    }

    private func meet(_ demand: AuthenticationDemand) throws(KeychainError) {
        roundCount += 1
        guard roundCount <= Self.roundLimit else { throw .authenticationFailed }
        switch demand {
        case .user(let needed):
            try checkMayAsk(for: demand)
            for ways in needed {
                let failure = waiting { reply in
                    context.evaluate(ways, reason: reason, for: keychain, reply: reply)
                }
                if let failure { throw KeychainError(failure) }
            }
        case .password, .newPassword:
            _ = try context.present(password(for: demand), for: demand, in: keychain)
        }
    }

    /// Throws unless the user may be asked; then the caller can ask, and present the answer to the context.
    private func checkMayAsk(for demand: AuthenticationDemand) throws(KeychainError) {
        guard host != nil, call.mayAsk else {
            context.note(missing: demand)
            throw .authenticationRequired
        }
    }

    private func password(for demand: AuthenticationDemand) throws(KeychainError) -> Passphrase {
        if let password = context.applicationPassword { return password }
        try checkMayAsk(for: demand)
        let isNew = if case .newPassword = demand { true } else { false }
        let wrongAnswerCount = wrongAnswerCount
        let answer = waiting { reply in
            context.askForPassword(isNew: isNew, wrongAnswerCount: wrongAnswerCount, reason: reason, reply: reply)
        }
        switch answer {
        case .password(let password): return password
        case .failure(let failure): throw KeychainError(failure)
        case .success: throw .authenticationFailed
        }
    }

    private var reason: String {
        let reason = call.reason ?? context.reason
        return reason.isEmpty ? "wants to use an item of the keychain" : reason
    }
}

extension ItemAttributes {
    /// Whether this is a private key that the access control protects when it is used.
    var isPrivateKeyForUse: Bool {
        guard itemClass == .key, let control = accessControl else { return false }
        return AccessControl.Conditions(rawValue: control.flags).contains(.privateKeyUsage)
    }
}

extension AuthenticationHost {
    /// The hash of the enrolled biometry that an access control contains; nil if none is enrolled.
    var enrolledHash: [UInt8]? {
        enrolledBiometryState.map { AccessControlEntry.hash(ofEnrolled: $0) }
    }
}

extension KeychainError {
    /// The error of Apple's keychain if authentication fails.
    init(_ failure: AuthenticationFailure) {
        self =
            switch failure {
            case .userCancel: .userCanceled
            case .notInteractive: .authenticationRequired
            default: .authenticationFailed
            }
    }
}
