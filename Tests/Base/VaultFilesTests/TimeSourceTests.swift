import Foundation
import Testing
import VaultFiles

@Suite("Time") struct TimeSourceTests {
    private let time = MachineTime()

    @Test func `the wall clock counts microseconds since 1970`() {
        let difference = Double(time.wallMicroseconds()) / 1_000_000 - Date().timeIntervalSince1970
        #expect(abs(difference) < 60)
    }

    @Test func `sleeping takes its time on the monotonic clock`() {
        let begin = time.monotonicNanoseconds()
        time.sleep(nanoseconds: 20_000_000)
        #expect(time.monotonicNanoseconds() - begin >= 20_000_000)
        time.sleep(nanoseconds: 0)
    }
}
