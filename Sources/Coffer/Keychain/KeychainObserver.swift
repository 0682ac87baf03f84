/// Who is told of the operations on a keychain before they are done: the seam at which tests of programs look on.
package protocol KeychainObserver: Sendable {
    /// An operation is about to be done; what this throws is thrown instead.
    ///
    /// It is told on the thread of the caller. Of a call within a transaction it is told while the vault is locked for all
    /// others, and must not use it then.
    func willCall(_ call: ObservedCall) throws(KeychainError)
}

/// What a call of a keychain does, as tests of programs see it.
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
    /// Adds an item, or changes the one that is there: `save`, `store`.
    case save
    /// Deletes items: `SecItemDelete`, `delete`, `deleteAll`.
    case delete
    /// Reads the secret of an item: `withSecret`, `secret`, `secretText`, `load`.
    case readSecret
    /// Reads what was: `history`, `items(at:)`, `deletedItems`, `historyStart`.
    case readHistory
    /// Brings back what was: `restore`, `undo`.
    case restore
    /// Begins a transaction; what is done in it follows.
    case transaction
}

/// An operation on a keychain, without the secrets that it was given.
package struct ObservedCall: Equatable, Sendable {
    /// What is to be done.
    package let operation: KeychainOperation
    /// What it is about, by Apple's names.
    package let request: [String: ItemValue]
    /// What shall change, where the caller has said it by Apple's names.
    package let changes: [String: ItemValue]
    /// Whether the caller gives a secret.
    package let carriesSecret: Bool
    /// Whether the operation is a part of a transaction.
    package let isInTransaction: Bool

    /// An operation as its caller asked for it, of which the secret is left out here already.
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

/// Tells an observer, if there is one, of operations.
package struct CallAnnouncer: Sendable {
    let observer: (any KeychainObserver)?
    var isInTransaction = false

    /// Tells nobody: of what is a part of an operation that was announced.
    static let silent = CallAnnouncer(observer: nil)

    /// Tells of an operation; nobody makes its request where nobody listens.
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
