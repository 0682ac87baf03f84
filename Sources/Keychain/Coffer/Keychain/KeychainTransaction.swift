internal import CofferBasics
internal import VaultStore

/// Several changes to a keychain that are made together or not at all, while no one else writes.
///
/// The transaction sees its own changes at once; others see them when it is done. An operation that fails changes
/// nothing, so you can catch its error and continue with the transaction.
///
/// ```swift
/// try keychain.transaction { transaction in
///     let old = try transaction.item(GenericPassword.self, where: .service("mail"), .account("kim"))
///     if let old { try transaction.delete(old.reference) }
///     try transaction.add(GenericPassword(service: "mail", account: "lee"), secret: "hunter2")
/// }
/// ```
public struct KeychainTransaction: ~Copyable {
    package let keychain: Keychain
    var transaction: Transaction
    /// Announces operations to the observer before they are done.
    package let calls: CallAnnouncer
    let authentication: Authentication

    init(
        _ keychain: Keychain,
        _ transaction: consuming Transaction,
        _ authentication: Authentication,
        _ calls: CallAnnouncer
    ) {
        self.keychain = keychain
        self.transaction = transaction
        self.authentication = authentication
        self.calls = calls
    }

    consuming func finished() -> Transaction { transaction }

    /// Runs `body`, which makes several changes, and undoes all of them if it throws.
    package mutating func undoingIfItFails<Result>(
        authenticating call: CallAuthentication? = nil,
        _ body: (inout KeychainTransaction) throws -> Result
    ) throws(KeychainError) -> Result {
        let (savepoint, authentication) = (transaction.savepoint(), authentication)
        do {
            return try authentication.adopting(call) { try body(&self) }
        } catch {
            transaction.rollBack(to: savepoint)
            throw KeychainError(transaction.vault.failure(error))
        }
    }

    /// Lends `body` the search for a target and the vault as the transaction has changed it.
    mutating func read<Result: ~Copyable>(
        _ operation: KeychainOperation,
        _ target: ItemTarget,
        returning returns: Query.Returns = .attributes,
        _ body: (ItemSearch, inout OpenGeneration, Authentication) throws -> Result
    ) throws(KeychainError) -> Result {
        let search = try keychain.search(target, returning: returns, announcing: operation, to: calls)
        return try read { (vault, authentication) in try body(search, &vault, authentication) }
    }

    /// Lends `body` the vault as the transaction has changed it.
    mutating func read<Result: ~Copyable>(
        _ body: (inout OpenGeneration, Authentication) throws -> Result
    ) throws(KeychainError) -> Result {
        do {
            return try body(&transaction.vault, authentication)
        } catch {
            throw KeychainError(transaction.vault.failure(error))
        }
    }
}

extension Keychain {
    /// Lends `body` a transaction, and makes its changes durable when `body` returns.
    ///
    /// If `body` throws, nothing is changed. If the access control of an item demands the user, the transaction is
    /// abandoned while the user is asked, and `body` is called again. Other writers wait in the meantime, so `body`
    /// should be short. It must not use the keychain, only the transaction. In a function with typed throws, annotate the closure:
    /// `() throws(KeychainError) in`.
    ///
    /// - Parameter body: A closure that makes the changes.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or another ``KeychainError`` if the changes cannot be written.
    public func transaction<Result: Sendable>(
        _ body: (inout KeychainTransaction) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try KeychainError.converting { try transact(announcing: body).result }
    }

    /// Lends `body` a transaction for more changes than a frame can hold: then the file is replaced.
    ///
    /// - Parameters:
    ///   - progress: A closure that is told how far a replacement has come, and returns false to stop it.
    ///   - body: A closure that makes the changes.
    /// - Returns: The result of `body`, and the number of the change, by which ``Vault/undo(change:)`` undoes it.
    /// - Throws: The error of `body`, or another ``KeychainError``; then nothing has changed.
    package func largeTransaction<Result: Sendable>(
        progress: @escaping (VaultProgress) -> Bool = { _ in true },
        _ body: (inout KeychainTransaction) throws -> Result
    ) throws(KeychainError) -> (result: Result, change: UInt64) {
        try KeychainError.converting { try transact(announcing: body, largely: progress) }
    }

    /// Lends `body` a transaction for one operation, which is not announced.
    package func changeItems<Result: Sendable>(
        creatingVault createsVault: Bool = false,
        _ body: (inout KeychainTransaction) throws -> Result
    ) throws(KeychainError) -> Result {
        try KeychainError.converting { try transact(creatingVault: createsVault, .silent, body).result }
    }

    /// Lends `body`, which may throw any error, a transaction, and makes its changes durable when `body` returns.
    ///
    /// If `body` throws, nothing is changed, and its error is thrown.
    ///
    /// - Parameter body: A closure that makes the changes; it must not use the keychain, only the transaction.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or a ``KeychainError`` if the changes cannot be written.
    @_disfavoredOverload
    public func transaction<Result: Sendable>(
        _ body: (inout KeychainTransaction) throws -> Result
    ) throws -> Result {
        do {
            return try transact(announcing: body).result
        } catch let error as StoreError {
            throw KeychainError(error)
        }
    }

    private func transact<Result: Sendable>(
        announcing body: (inout KeychainTransaction) throws -> Result,
        largely progress: ((VaultProgress) -> Bool)? = nil
    ) throws -> (result: Result, change: UInt64) {
        try calls.announce(.transaction) { [:] }
        let calls = CallAnnouncer(observer: calls.observer, isInTransaction: true)
        return try transact(creatingVault: true, calls, largely: progress, body)
    }
}

// MARK: - Queries

extension KeychainTransaction {
    /// Adds an item, and returns it with its data if the addition asks for something.
    package mutating func add(
        _ addition: Addition,
        authenticating call: CallAuthentication? = nil
    ) throws(KeychainError) -> ItemContent {
        try undoingIfItFails(authenticating: call) { try $0.insert(addition) }
    }

    /// Returns what a query finds.
    package mutating func find(
        _ query: ItemQuery,
        authenticating call: CallAuthentication? = nil
    ) throws(KeychainError) -> [QueryMatch] {
        let found = try read { (vault, authentication) in
            try authentication.adopting(call) { try query.matches(in: &vault, authentication) }
        }
        guard !found.isEmpty else { throw .itemNotFound }
        return found
    }

    /// Changes all items that match an update, or none.
    package mutating func update(
        _ update: ItemUpdate,
        authenticating call: CallAuthentication? = nil
    ) throws(KeychainError) {
        try undoingIfItFails(authenticating: call) { try $0.apply(update) }
    }

    /// Deletes all items that match a query, or none.
    package mutating func delete(_ query: ItemQuery) throws(KeychainError) {
        try undoingIfItFails { try $0.deleteMatches(of: query) }
    }
}

// The same outside of a transaction.
extension Keychain {
    /// Adds an item, and returns it with its data if the addition asks for something.
    package func add(_ addition: Addition) throws(KeychainError) -> ItemContent {
        try changeItems(creatingVault: true) { try $0.insert(addition) }
    }

    /// Returns what a query finds.
    package func find(_ query: ItemQuery) throws(KeychainError) -> [QueryMatch] {
        let found = try readIfAny { (vault, authentication) in try query.matches(in: &vault, authentication) }
        // Only now: an error that passes the store takes as long as the search.
        guard let found, !found.isEmpty else { throw .itemNotFound }
        return found
    }

    /// Changes all items that match an update, or none.
    package func update(_ update: ItemUpdate) throws(KeychainError) { try changeItems { try $0.apply(update) } }

    /// Deletes all items that match a query, or none.
    package func delete(_ query: ItemQuery) throws(KeychainError) {
        try changeItems { try $0.deleteMatches(of: query) }
    }
}
