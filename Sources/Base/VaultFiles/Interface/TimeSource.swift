internal import Glibc

/// Clocks and waiting, as a protocol so that tests need not wait.
package protocol TimeSource: Sendable {
    /// Returns the microseconds since 1970 in UTC, from the wall clock.
    func wallMicroseconds() -> Int64

    /// Returns nanoseconds from a clock that is never set.
    func monotonicNanoseconds() -> UInt64

    /// Returns after `nanoseconds`, or earlier if a signal arrives.
    func sleep(nanoseconds: UInt64)
}

/// The clocks of the machine.
package struct MachineTime: TimeSource {
    /// Creates the source.
    package init() {}

    package func wallMicroseconds() -> Int64 {
        let time = Self.time(CLOCK_REALTIME)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    package func monotonicNanoseconds() -> UInt64 {
        let time = Self.time(CLOCK_MONOTONIC)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    package func sleep(nanoseconds: UInt64) {
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        unsafe nanosleep(&time, nil)
    }

    private static func time(_ clock: clockid_t) -> timespec {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return time
    }
}

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
