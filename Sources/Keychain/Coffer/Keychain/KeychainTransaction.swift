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

    /// Runs `body`, and undoes all its changes if it throws.
    mutating func atomically<Result>(
        _ body: (inout Transaction, Authentication) throws -> Result
    ) throws(KeychainError) -> Result {
        let savepoint = transaction.savepoint()
        do {
            return try body(&transaction, authentication)
        } catch {
            transaction.rollBack(to: savepoint)
            throw KeychainError(transaction.vault.failure(error))
        }
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

    /// Runs `body`, which makes several changes, and undoes all of them if it throws.
    package mutating func undoingIfItFails<Result>(
        _ body: (inout KeychainTransaction) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let savepoint = transaction.savepoint()
        do {
            return try body(&self)
        } catch {
            transaction.rollBack(to: savepoint)
            throw error
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
        try calls.announce(.transaction) { [:] }
        let calls = CallAnnouncer(observer: calls.observer, isInTransaction: true)
        return try changeItems(creatingVault: true, calls, body)
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
        _ body: (inout KeychainTransaction) throws(KeychainError) -> Result
    ) throws(KeychainError) -> (result: Result, change: UInt64) {
        try calls.announce(.transaction) { [:] }
        let calls = CallAnnouncer(observer: calls.observer, isInTransaction: true)
        return try changeLargely(progress) { (transaction, authentication) in
            try lend(&transaction, authentication, calls, to: body)
        }
    }

    /// Lends `body` a transaction, whose operations are announced to `calls`.
    package func changeItems<Result: Sendable>(
        creatingVault createsVault: Bool = false,
        _ calls: CallAnnouncer = .silent,
        _ body: (inout KeychainTransaction) throws -> Result
    ) throws(KeychainError) -> Result {
        try change(creatingVault: createsVault) { (transaction, authentication) in
            try lend(&transaction, authentication, calls, to: body)
        }
    }

    /// Lends `body` a transaction and the bytes of a secret.
    func changeItems<Result: Sendable>(
        creatingVault createsVault: Bool = false,
        with secret: borrowing some SecretSource & ~Copyable & ~Escapable,
        _ body: (inout KeychainTransaction, Span<UInt8>) throws -> Result
    ) throws(KeychainError) -> Result {
        try secret.withSecretBytes { (bytes) throws(KeychainError) in
            try changeItems(creatingVault: createsVault) { (transaction) in try body(&transaction, bytes) }
        }
    }

    private func lend<Result>(
        _ transaction: inout Transaction,
        _ authentication: Authentication,
        _ calls: CallAnnouncer,
        to body: (inout KeychainTransaction) throws -> Result
    ) throws -> Result {
        var lent = KeychainTransaction(self, transaction, authentication, calls)
        let result: Result
        do {
            result = try body(&lent)
        } catch {
            transaction = lent.finished()
            throw error
        }
        transaction = lent.finished()
        return result
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
        try calls.announce(.transaction) { [:] }
        let calls = CallAnnouncer(observer: calls.observer, isInTransaction: true)
        do {
            return try transact(creatingVault: true) { (transaction, authentication) in
                try lend(&transaction, authentication, calls, to: body)
            }.result
        } catch let error as StoreError {
            throw KeychainError(error)
        }
    }
}

// MARK: - Queries

extension KeychainTransaction {
    /// Adds an item.
    package mutating func add(
        _ addition: Addition,
        authenticating call: CallAuthentication? = nil
    ) throws(KeychainError) -> ItemAnswer {
        try atomically { (transaction, authentication) in
            try authentication.adopting(call) { try addition.answer(in: &transaction, authentication) }
        }
    }

    /// Returns what a query asks for.
    package mutating func find(
        _ query: ItemQuery,
        authenticating call: CallAuthentication? = nil
    ) throws(KeychainError) -> ItemAnswer {
        try read { (vault, authentication) in
            try authentication.adopting(call) { query.answer(try query.found(in: &vault, authentication)) }
        }
    }

    /// Changes all items that match an update, or none.
    package mutating func update(
        _ update: ItemUpdate,
        authenticating call: CallAuthentication? = nil
    ) throws(KeychainError) {
        let keychain = keychain
        try atomically { (transaction, authentication) in
            try authentication.adopting(call) { try keychain.apply(update, &transaction, authentication) }
        }
    }

    /// Deletes all items that match a deletion.
    package mutating func delete(_ deletion: ItemDeletion) throws(KeychainError) {
        let keychain = keychain
        try atomically { (transaction, _) in try keychain.delete(deletion, &transaction) }
    }
}
