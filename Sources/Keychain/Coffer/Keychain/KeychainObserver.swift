/// An observer of the operations on a keychain, through which tests of programs see them.
package protocol KeychainObserver: Sendable {
    /// Called before an operation; if it throws, its error is thrown and the operation is not done.
    ///
    /// It runs on the thread of the caller. For a call within a transaction it runs while other users of the vault
    /// wait, and it must not use the vault then.
    func willCall(_ call: ObservedCall) throws(KeychainError)
}

/// The kind of operation on a keychain, as tests of programs see it.
///
/// ```swift
/// let isReading = operation == .find || operation == .readSecret
/// ```
public enum KeychainOperation: Equatable, Sendable {
    /// Adds an item: `SecItemAdd`, `add`.
    case add
    /// Finds items: `SecItemCopyMatching`, `find`, `item`, `items`, `identities`.
    case find
    /// Counts items: `count`.
    case count
    /// Changes items: `SecItemUpdate`, `update`, `setSecret`, `removeSecret`.
    case update
    /// Adds an item, or changes the existing one: `save`, `store`.
    case save
    /// Deletes items: `SecItemDelete`, `delete`, `deleteAll`.
    case delete
    /// Reads the secret of an item: `withSecret`, `secret`, `secretText`, `load`.
    case readSecret
    /// Reads past revisions: `history`, `items(at:)`, `deletedItems`, `historyStart`.
    case readHistory
    /// Restores past revisions: `restore`, `undo`.
    case restore
    /// Begins a transaction; the operations in it follow.
    case transaction
}

/// An operation on a keychain, without the secrets that were passed to it.
package struct ObservedCall: Equatable, Sendable {
    /// The kind of operation.
    package let operation: KeychainOperation
    /// The request, by Apple's names.
    package let request: [String: ItemValue]
    /// The changes, by Apple's names, if the caller gave them that way.
    package let changes: [String: ItemValue]
    /// Whether the caller passed a secret.
    package let carriesSecret: Bool
    /// Whether the operation is part of a transaction.
    package let isInTransaction: Bool

    /// Creates the call that a caller made, dropping the secret.
    init(
        _ operation: KeychainOperation,
        _ request: [String: ItemValue],
        changes: [String: ItemValue],
        carriesSecret: Bool,
        isInTransaction: Bool
    ) {
        self.operation = operation
        self.request = request.withoutSecret
        self.changes = changes.withoutSecret
        self.carriesSecret = carriesSecret || request.carriesSecret || changes.carriesSecret
        self.isInTransaction = isInTransaction
    }
}

/// Announces operations to an observer, if there is one.
package struct CallAnnouncer: Sendable {
    let observer: (any KeychainObserver)?
    var isInTransaction = false

    /// Announces nothing; used for parts of an operation that was announced.
    package static let silent = CallAnnouncer(observer: nil)

    /// Announces an operation; the request is built only if there is an observer.
    package func announce(
        _ operation: KeychainOperation,
        changes: [String: ItemValue] = [:],
        carriesSecret: Bool = false,
        _ request: () -> [String: ItemValue]
    ) throws(KeychainError) {
        guard let observer else { return }
        let call = ObservedCall(
            operation,
            request(),
            changes: changes,
            carriesSecret: carriesSecret,
            isInTransaction: isInTransaction
        )
        try observer.willCall(call)
    }
}

extension [String: ItemValue] {
    fileprivate var carriesSecret: Bool { self[Query.dataKey] != nil }

    fileprivate var withoutSecret: [String: ItemValue] { filter { $0.key != Query.dataKey } }
}
