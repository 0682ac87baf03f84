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
        _ body: (inout Transaction) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let savepoint = transaction.savepoint()
        do throws(KeychainError) {
            return try body(&transaction)
        } catch {
            transaction.rollBack(to: savepoint)
            throw error
        }
    }

    /// Runs `body`, which makes several changes, and undoes all of them if it throws.
    package mutating func undoingIfItFails<Result>(
        _ body: (inout KeychainTransaction) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let savepoint = transaction.savepoint()
        do throws(KeychainError) {
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
        return try changeLargely(progress) { (transaction, authentication) throws(KeychainError) in
            var lent = KeychainTransaction(self, transaction, authentication, calls)
            let result: Result
            do throws(KeychainError) {
                result = try body(&lent)
            } catch {
                transaction = lent.finished()
                throw error
            }
            transaction = lent.finished()
            return result
        }
    }

    /// Lends `body` a transaction, whose operations are announced to `calls`.
    package func changeItems<Result: Sendable>(
        creatingVault createsVault: Bool = false,
        _ calls: CallAnnouncer = .silent,
        _ body: (inout KeychainTransaction) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try change(creatingVault: createsVault) { (transaction, authentication) throws(KeychainError) in
            var lent = KeychainTransaction(self, transaction, authentication, calls)
            let result: Result
            do throws(KeychainError) {
                result = try body(&lent)
            } catch {
                transaction = lent.finished()
                throw error
            }
            transaction = lent.finished()
            return result
        }
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
        var failure: (any Error)?
        do throws(KeychainError) {
            return try transaction { (transaction) throws(KeychainError) in
                do {
                    failure = nil
                    return try body(&transaction)
                } catch {
                    failure = error
                    // Any other error will do: it only abandons the transaction.
                    throw error as? KeychainError ?? .itemNotFound
                }
            }
        } catch {
            throw failure ?? error
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
        let authentication = authentication
        return try atomically { (transaction) throws(KeychainError) in
            try authentication.adopting(call) { () throws(KeychainError) in
                try addition.answer(in: &transaction, authentication)
            }
        }
    }

    /// Returns what a query asks for.
    package mutating func find(
        _ query: ItemQuery,
        authenticating call: CallAuthentication? = nil
    ) throws(KeychainError) -> ItemAnswer {
        let authentication = authentication
        return try authentication.adopting(call) { () throws(KeychainError) in
            query.answer(try query.found(in: &transaction.vault, authentication))
        }
    }

    /// Changes all items that match an update, or none.
    package mutating func update(
        _ update: ItemUpdate,
        authenticating call: CallAuthentication? = nil
    ) throws(KeychainError) {
        let (keychain, authentication) = (keychain, authentication)
        try atomically { (transaction) throws(KeychainError) in
            try authentication.adopting(call) { () throws(KeychainError) in
                try keychain.apply(update, &transaction, authentication)
            }
        }
    }

    /// Deletes all items that match a deletion.
    package mutating func delete(_ deletion: ItemDeletion) throws(KeychainError) {
        let keychain = keychain
        try atomically { (transaction) throws(KeychainError) in try keychain.delete(deletion, &transaction) }
    }
}
