internal import Glibc

/// The time, and waiting: a seam, so that tests need not wait.
package protocol TimeSource: Sendable {
    /// Microseconds since 1970 began, UTC, as the clock on the wall says.
    func wallMicroseconds() -> Int64

    /// Nanoseconds on a clock that nobody sets.
    func monotonicNanoseconds() -> UInt64

    /// Returns after `nanoseconds`, or somewhat earlier if a signal comes.
    func sleep(nanoseconds: UInt64)
}

/// The clocks of the machine.
package struct MachineTime: TimeSource {
    /// The clocks of the machine.
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
