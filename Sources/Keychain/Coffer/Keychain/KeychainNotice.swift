internal import CofferBasics
internal import VaultFiles

/// A one-line message from the default keychain to the person who runs the program.
///
/// Each kind of notice is given at most once, except for failed calls. By default, notices go to standard error; a
/// program can redirect them.
///
/// ```swift
/// Keychain.default = Keychain(notices: { notice in print(notice) })
/// ```
public struct KeychainNotice: Equatable, Sendable, CustomStringConvertible {
    /// The subject of a notice.
    public enum Kind: Hashable, Sendable {
        /// A vault was created, because something was stored and there was none.
        case vaultCreated
        /// The vault cannot be opened, or cannot be used as requested.
        case unavailable
        /// Changes that this machine has seen are missing from the vault, or it is an older copy of one that this machine
        /// has at another place. `COFFER_QUIET` does not silence this.
        case rolledBack
        /// The vault is open but locked.
        case locked
        /// Something needs attention, although everything works.
        case warning
        /// A call with Apple's names failed; the notice says which one, its status and why, without any value. On
        /// standard error it appears only if `COFFER_LOG` is set.
        case callFailed
    }

    /// The subject of the notice.
    public let kind: Kind
    /// What happened, and what to do.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Writes the notice to standard error.
    ///
    /// It does not if `COFFER_QUIET` is set and the notice is not about a rollback, or if `COFFER_LOG` is not set and it
    /// is about a failed call.
    public static func print(_ notice: KeychainNotice) {
        let isWanted =
            switch notice.kind {
            case .rolledBack: true
            case .callFailed: explainsCalls
            default: !isSet("COFFER_QUIET")
            }
        guard isWanted else { return }
        StandardError.write(line: "coffer: \(notice.oneLine.escapingInvisible)")
    }

    /// Whether failed calls are explained on standard error.
    static var explainsCalls: Bool { isSet("COFFER_LOG") }

    private static func isSet(_ variable: String) -> Bool { !(ProgramEnvironment()[variable]?.isEmpty ?? true) }

    /// The description in one line.
    private var oneLine: String {
        let lines = description.split(separator: "\n")
        return lines.dropFirst().reduce(String(lines.first ?? "")) { $0 + ($0.hasSuffix(":") ? " " : "; ") + $1 }
    }
}

/// A closure that is called before each operation on a keychain, through which tests of programs see them.
///
/// If it throws, its error is thrown and the operation is not done. It runs on the thread of the caller. For a call
/// within a transaction it runs while other users of the vault wait, and it must not use the vault then.
package typealias KeychainObserver = @Sendable (ObservedCall) throws(KeychainError) -> Void

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
    let observer: KeychainObserver?
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
        try observer(call)
    }
}

extension [String: ItemValue] {
    fileprivate var carriesSecret: Bool { self[Query.dataKey] != nil }

    fileprivate var withoutSecret: [String: ItemValue] { filter { $0.key != Query.dataKey } }
}
