internal import VaultStore

/// Several changes to a keychain that happen wholly or not at all, while nobody else writes.
///
/// What was changed is found by the same transaction at once, and by everybody when it is done. An operation that fails
/// has changed nothing; who catches its error can go on with the transaction.
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
    /// Who is told of operations before they are done.
    package let calls: CallAnnouncer

    init(_ keychain: Keychain, _ transaction: consuming Transaction, _ calls: CallAnnouncer) {
        self.keychain = keychain
        self.transaction = transaction
        self.calls = calls
    }

    consuming func finished() -> Transaction { transaction }

    /// Does one thing, of which nothing is left if it fails.
    mutating func wholly<Result>(
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
}

extension Keychain {
    /// Lends `body` a transaction, and makes durable what it has done when it returns.
    ///
    /// If `body` throws, nothing has changed. Meanwhile other writers wait, so it should be short; and it must not use the
    /// keychain, only the transaction. In a function with typed throws the closure says so: `() throws(KeychainError) in`.
    ///
    /// - Parameter body: What is to happen wholly or not at all.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; an error of the keychain if nothing can be written.
    public func transaction<Result: Sendable>(
        _ body: (inout KeychainTransaction) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try calls.announce(.transaction) { [:] }
        return try changeItems(CallAnnouncer(observer: calls.observer, isInTransaction: true), body)
    }

    /// Lends `body` a transaction, whose operations are announced to `calls`.
    func changeItems<Result: Sendable>(
        _ calls: CallAnnouncer = .silent,
        _ body: (inout KeychainTransaction) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try change { (transaction) throws(KeychainError) in
            var lent = KeychainTransaction(self, transaction, calls)
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

    /// Lends `body`, which may throw errors of its own, a transaction, and makes durable what it has done when it returns.
    ///
    /// If `body` throws, nothing has changed, and its error comes out as it is.
    ///
    /// - Parameter body: What is to happen wholly or not at all; it must not use the keychain, only the transaction.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; a ``KeychainError`` if nothing can be written.
    @_disfavoredOverload
    public func transaction<Result: Sendable>(
        _ body: (inout KeychainTransaction) throws -> Result
    ) throws -> Result {
        var failure: (any Error)?
        do throws(KeychainError) {
            return try transaction { (transaction) throws(KeychainError) in
                do {
                    return try body(&transaction)
                } catch {
                    failure = error
                    // Anything that gives the transaction up.
                    throw .itemNotFound
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
    package mutating func add(_ addition: Addition) throws(KeychainError) -> ItemAnswer {
        try wholly { (transaction) throws(KeychainError) in try addition.answer(in: &transaction) }
    }

    /// What a query asks for.
    package mutating func find(_ query: ItemQuery) throws(KeychainError) -> ItemAnswer {
        query.answer(try query.found(in: &transaction.vault))
    }

    /// Changes all items that an update is about, or none.
    package mutating func update(_ update: ItemUpdate) throws(KeychainError) {
        let keychain = keychain
        try wholly { (transaction) throws(KeychainError) in try keychain.apply(update, &transaction) }
    }

    /// Deletes all items that a deletion is about.
    package mutating func delete(_ deletion: ItemDeletion) throws(KeychainError) {
        let keychain = keychain
        try wholly { (transaction) throws(KeychainError) in try keychain.delete(deletion, &transaction) }
    }
}
