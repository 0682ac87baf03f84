internal import CofferBasics
import VaultFiles

/// A clock that advances only when a test says so, or during a sleep.
package final class ManualTime: TimeSource {
    private struct Clocks {
        var wallMicroseconds: Int64
        var monotonicNanoseconds: UInt64
        /// The nanoseconds that do not fill a microsecond yet.
        var wallNanoseconds: UInt64 = 0
        var sleeps: [UInt64] = []

        mutating func advance(nanoseconds: UInt64) {
            monotonicNanoseconds += nanoseconds
            wallNanoseconds += nanoseconds
            wallMicroseconds += Int64(wallNanoseconds / 1000)
            wallNanoseconds %= 1000
        }
    }

    private let clocks: Guarded<Clocks>

    /// Makes clocks that show these times.
    package init(wallMicroseconds: Int64 = 1_700_000_000_000_000, monotonicNanoseconds: UInt64 = 1_000_000_000) {
        clocks = Guarded(Clocks(wallMicroseconds: wallMicroseconds, monotonicNanoseconds: monotonicNanoseconds))
    }

    /// The requested length of each sleep, in nanoseconds.
    package var sleeps: [UInt64] { clocks.withLock { $0.sleeps } }

    package func wallMicroseconds() -> Int64 { clocks.withLock { $0.wallMicroseconds } }

    package func monotonicNanoseconds() -> UInt64 { clocks.withLock { $0.monotonicNanoseconds } }

    /// Returns at once and advances the time.
    package func sleep(nanoseconds: UInt64) {
        clocks.withLock {
            $0.sleeps.append(nanoseconds)
            $0.advance(nanoseconds: nanoseconds)
        }
    }

    /// Advances both clocks.
    package func advance(nanoseconds: UInt64) {
        clocks.withLock { $0.advance(nanoseconds: nanoseconds) }
    }

    /// Sets the wall clock forward or back, as people do; the monotonic clock is not affected.
    package func setWall(microseconds: Int64) {
        clocks.withLock { $0.wallMicroseconds = microseconds }
    }
}
