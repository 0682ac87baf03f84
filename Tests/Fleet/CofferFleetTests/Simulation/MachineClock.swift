import Dispatch
import VaultFiles

/// The clocks of a machine in virtual time; its wall clock may be wrong.
struct MachineClock: TimeSource {
    private static let start: Int64 = 1_700_000_000_000_000

    private let time: VirtualTime
    private let turn: DispatchSemaphore
    private let errorMicroseconds: Int64

    init(_ time: VirtualTime, _ turn: DispatchSemaphore, errorMicroseconds: Int64) {
        (self.time, self.turn, self.errorMicroseconds) = (time, turn, errorMicroseconds)
    }

    func wallMicroseconds() -> Int64 { Self.start + Int64(time.now / 1000) + errorMicroseconds }

    func monotonicNanoseconds() -> UInt64 { time.now }

    func sleep(nanoseconds: UInt64) { time.sleep(nanoseconds: nanoseconds, turn) }
}
