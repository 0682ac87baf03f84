internal import Coffer
public import CofferLocalAuthentication

extension LAContext {
    /// Asks the user for what an access control demands, unless this context has it already.
    ///
    /// Calls of the keychain that get this context as `kSecUseAuthenticationContext` then need not ask. Adding an item
    /// and creating a key demand nothing except a new application password, which becomes that of the context.
    ///
    /// - Parameters:
    ///   - accessControl: The access control of an item or key.
    ///   - operation: What will be done with it.
    ///   - localizedReason: The reason, for the user.
    ///   - reply: A closure that is called once, always on another thread.
    public func evaluateAccessControl(
        _ accessControl: SecAccessControl,
        operation: LAAccessControlOperation,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let (authentication, control) = (authentication, accessControl.control)
        let isNew = operation == .createItem || operation == .createKey
        Task {
            let failure = await authentication.evaluate(
                control,
                isNew: isNew,
                reason: localizedReason,
                for: .default
            )
            reply(failure == nil, failure.map { LAError($0) })
        }
    }

    /// Asks the user for what an access control demands; returns true on success, and throws an `LAError` otherwise.
    ///
    /// Canceling the task ends the wait with `LAError.appCancel`; `invalidate` withdraws the prompt.
    @discardableResult
    public func evaluateAccessControl(
        _ accessControl: SecAccessControl,
        operation: LAAccessControlOperation,
        localizedReason: String
    ) async throws -> Bool {
        try await Self.outcome {
            evaluateAccessControl(
                accessControl,
                operation: operation,
                localizedReason: localizedReason,
                reply: $0
            )
        }
    }
}
