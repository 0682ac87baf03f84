/// Pauses between tries to get what somebody else has, short ones first, up to a deadline.
package struct RetryPauses {
    private static let shortest: UInt64 = 50_000
    private static let longest: UInt64 = 5_000_000

    private let time: any TimeSource
    private let deadline: UInt64
    private var next = Self.shortest

    /// Pauses from now on, for so long at most.
    package init(_ time: any TimeSource, nanoseconds: UInt64) {
        self.time = time
        let (deadline, overflow) = time.monotonicNanoseconds().addingReportingOverflow(nanoseconds)
        self.deadline = overflow ? .max : deadline
    }

    /// Makes pauses short again, for something else that somebody has; the deadline stays.
    package mutating func begin() { next = Self.shortest }

    /// Pauses, unless the time is over.
    ///
    /// - Returns: Whether to try again.
    package mutating func pause() -> Bool {
        let now = time.monotonicNanoseconds()
        guard now < deadline else { return false }
        time.sleep(nanoseconds: min(next, deadline - now))
        next = min(2 * next, Self.longest)
        return true
    }
}
