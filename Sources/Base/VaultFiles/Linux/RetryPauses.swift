/// Pauses between attempts to get what another holder has, short ones first, up to a deadline.
package struct RetryPauses {
    private static let shortest: UInt64 = 50_000
    private static let longest: UInt64 = 5_000_000

    private let time: any TimeSource
    private let deadline: UInt64
    private var next = Self.shortest

    /// Starts now, and lasts at most `nanoseconds`.
    package init(_ time: any TimeSource, nanoseconds: UInt64) {
        self.time = time
        let (deadline, overflow) = time.monotonicNanoseconds().addingReportingOverflow(nanoseconds)
        self.deadline = overflow ? .max : deadline
    }

    /// Makes pauses short again, to wait for something else; the deadline stays.
    package mutating func begin() { next = Self.shortest }

    /// Pauses, unless the deadline has passed.
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
