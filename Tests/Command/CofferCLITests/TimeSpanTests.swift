import CofferCLI
import Testing

@Suite("Time spans") struct TimeSpanTests {
    // A number and one unit: seconds, minutes, hours or days of 24 hours.
    @Test(arguments: [
        ("90s", Int64(90), "90 seconds"), ("15m", 900, "15 minutes"), ("8h", 28_800, "8 hours"),
        ("1d", 86_400, "1 day"),
        ("60s", 60, "1 minute"), ("1440m", 86_400, "1 day"), ("366d", 31_622_400, "366 days"),
        ("007m", 420, "7 minutes"),
    ])
    func `a number and a unit are a time span`(word: String, seconds: Int64, text: String) {
        #expect(TimeSpan(word)?.seconds == seconds)
        #expect(TimeSpan(word)?.description == text)
    }

    @Test(arguments: [
        "", "m", "15", "0m", "-1m", "+1m", "1.5h", "15 m", "15M", "15min", "1h30m", "367d", "99999999999999999999d",
        "9223372036854775807d", "\u{661}m", "15m\u{301}",
    ])
    func `anything else is invalid`(word: String) {
        #expect(TimeSpan(word) == nil)
    }
}
