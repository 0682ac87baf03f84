package import VaultFiles

/// A call that goes wrong.
package struct SimulatedFault: Sendable {
    /// What goes wrong.
    package enum Effect: Equatable, Sendable {
        /// Nothing is done, and an error is thrown.
        case failure(FileError.Reason)
        /// Half of the bytes are written, and an error is thrown. Calls other than writes do nothing.
        case failureHalfway(FileError.Reason)
        /// Half of the bytes are read or written. Other calls are not affected.
        case half
    }

    let effect: Effect
    let operation: FileError.Operation?
    let isSticky: Bool
    /// The number of calls that still succeed.
    private var remainingCount: Int

    /// Makes a fault in the `number`-th call from now on, counted from 1, of `operation` or of all operations.
    ///
    /// If `isSticky`, it affects all later calls too.
    package init(
        _ effect: Effect,
        atCall number: Int = 1,
        of operation: FileError.Operation? = nil,
        isSticky: Bool = false
    ) {
        precondition(number > 0, "calls are counted from 1")
        self.effect = effect
        self.operation = operation
        self.isSticky = isSticky
        remainingCount = number - 1
    }

    /// Counts a call, and returns whether the fault affects it.
    mutating func strikes(_ operation: FileError.Operation) -> Bool {
        guard self.operation == nil || self.operation == operation else { return false }
        guard remainingCount == 0 else {
            remainingCount -= 1
            return false
        }
        return true
    }
}
