import TestSupport
import Testing

@Suite("Manual time") struct ManualTimeTests {
    @Test func `time stands still unless it is advanced`() {
        let time = ManualTime(wallMicroseconds: 10, monotonicNanoseconds: 20)
        #expect(time.wallMicroseconds() == 10)
        #expect(time.monotonicNanoseconds() == 20)
        time.advance(nanoseconds: 3_000)
        #expect(time.wallMicroseconds() == 13)
        #expect(time.monotonicNanoseconds() == 3_020)
    }

    @Test func `sleep returns at once and advances the time`() {
        let time = ManualTime(wallMicroseconds: 0, monotonicNanoseconds: 0)
        for _ in 0..<4 { time.sleep(nanoseconds: 500) }
        #expect(time.wallMicroseconds() == 2, "halves of a microsecond add up")
        #expect(time.monotonicNanoseconds() == 2_000)
        #expect(time.sleeps == [500, 500, 500, 500])
    }

    @Test func `the wall clock can be set back, the monotonic clock cannot`() {
        let time = ManualTime(wallMicroseconds: 100, monotonicNanoseconds: 200)
        time.setWall(microseconds: 50)
        #expect(time.wallMicroseconds() == 50)
        #expect(time.monotonicNanoseconds() == 200)
    }
}
