internal import CofferBasics

/// How a call of a keychain authenticates the user.
package struct CallAuthentication: Sendable {
    /// What the user has presented; nil for nothing.
    package var context: AuthenticationContext?
    /// The reason for prompts; nil for that of the context.
    package var reason: String?
    /// Whether the user may be asked.
    package var mayAsk = true
    /// Counts the items that demand the user, which are then left out of a search; nil to ask for them.
    package var skippedItems: SkippedItems?

    package init(context: AuthenticationContext? = nil) {
        self.context = context
    }
}

/// The number of items that a search left out because their access control demands the user.
package final class SkippedItems: Sendable {
    private let number = Guarded(0)

    package init() {}

    package var count: Int { number.withLock { $0 } }

    func increment() { number.withLock { $0 += 1 } }
}
