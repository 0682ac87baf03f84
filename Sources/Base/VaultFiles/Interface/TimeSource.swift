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
