import Coffer
import CofferCLI
import TestSupport
import Testing

@Suite("Timestamps", .temporaryDirectory) struct TimestampTests {
    // 2,000 random seconds in the years 1001 to 9998, and some ends of months and leap days.
    private static let seconds: [Int64] = {
        var generator = SeededGenerator(seed: 7)
        let random = (0..<2000).map { _ in Int64.random(in: -30_578_688_000...253_339_228_799, using: &generator) }
        return random + [
            0, -1, 1, 951_782_399, 951_782_400, 951_868_799, 951_868_800, 1_709_164_800, 1_709_251_199, 1_709_251_200,
            -2_203_891_200, -2_203_891_201, 4_107_542_399, 4_107_542_400, -11_676_096_000,
        ]
    }()

    @Test(.enabled(if: PythonOracle.isExpected))
    func `dates match Python`() throws {
        let expected = try LibraryOracle.texts("date", Self.seconds.map { String($0) })
        for (seconds, expected) in zip(Self.seconds, expected) {
            let date = KeychainDate(secondsSince1970: Double(seconds))
            #expect(Timestamp.utc(date) == "\(expected).000Z", "second \(seconds)")
            let local = Timestamp.local(KeychainDate(secondsSince1970: Double(seconds - 7200))) { _ in 7200 }
            #expect(local == expected.replacing("T", with: " "), "second \(seconds)")
        }
    }

    @Test(arguments: [
        (-62_135_596_800.0, "0001-01-01T00:00:00.000Z"), (-62_135_596_801, "0000-12-31T23:59:59.000Z"),
        (-62_167_219_200, "0000-01-01T00:00:00.000Z"), (-62_167_219_201, "-0001-12-31T23:59:59.000Z"),
        (253_402_300_800, "10000-01-01T00:00:00.000Z"), (0.9996, "1970-01-01T00:00:00.999Z"),
        (-0.25, "1969-12-31T23:59:59.750Z"),
    ])
    func `dates beyond the range of Python are formatted too`(seconds: Double, text: String) {
        #expect(Timestamp.utc(KeychainDate(secondsSince1970: seconds)) == text)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0x1p62])
    func `an invalid date does not trap`(seconds: Double) {
        let date = KeychainDate(secondsSince1970: seconds)
        #expect(!Timestamp.utc(date).isEmpty)
        #expect(!Timestamp.local(date) { _ in 3600 }.isEmpty)
    }
}

@Suite("Times that people type", .temporaryDirectory) struct PastTimeTests {
    private let now = 1_767_225_600.0

    private func seconds(_ text: String, ahead: Int = 3600) -> Double? {
        PastTimeParser.seconds(text, now: now, secondsFromUTC: { _ in ahead })
    }

    @Test(.enabled(if: PythonOracle.isExpected))
    func `dates with time zones match Python`() throws {
        var generator = SeededGenerator(seed: 11)
        let texts = (0..<500).map { _ in
            func digits(_ range: ClosedRange<Int>, _ count: Int = 2) -> String {
                let text = String(Int.random(in: range, using: &generator))
                return String(repeating: "0", count: count - text.count) + text
            }
            let day = "\(digits(1000...9999, 4))-\(digits(1...12))-\(digits(1...28))"
            let sign = Bool.random(using: &generator) ? "+" : "-"
            return
                "\(day)T\(digits(0...23)):\(digits(0...59)):\(digits(0...59))\(sign)\(digits(0...14)):\(digits(0...59))"
        }
        for (text, expected) in zip(texts, try LibraryOracle.texts("seconds", texts)) {
            #expect(seconds(text) == Double(expected), "\(text)")
        }
    }

    @Test(arguments: [
        ("2026-01-01", 1_767_222_000.0), ("2026-01-01T00:30", 1_767_223_800), ("2026-01-01 00:30:15", 1_767_223_815),
        ("2026-01-01T00:30:15.5Z", 1_767_227_415.5), ("2024-02-29", 1_709_161_200), ("@1767225600", 1_767_225_600),
        ("@-1", -1), ("now", 1_767_225_600), ("yesterday", 1_767_139_200), ("2h ago", 1_767_218_400),
        ("2h", 1_767_218_400), ("15m", 1_767_224_700), ("15 minutes ago", 1_767_224_700), ("90s", 1_767_225_510),
        ("3 days ago", 1_766_966_400), (" 1w ", 1_766_620_800), ("2026-01-01T01:00+0100", 1_767_225_600),
        ("2026-01-01 01:00 +01", 1_767_225_600),
    ])
    func `a time has many forms`(text: String, expected: Double) {
        #expect(seconds(text) == expected)
    }

    @Test(arguments: [
        "", "@", "@x", "@1e9", "@99999999999999999999", "2026", "2026-1-1", "2026-13-01", "2026-00-01", "2026-02-29",
        "2026-01-32", "2026-01-01T", "2026-01-01T24:00", "2026-01-01T00:60", "2026-01-01T00:00:60",
        "2026-01-01T00:00:00.", "2026-01-01T00:00X", "2026-01-01T00:00+24:00", "2026-01-01T00:00+01:60", "ago", "h",
        "2x ago", "2h ago ago", "-2h", "99999999999h", "٢h", "2026-01-01T00:00:00Z extra", "tomorrow",
    ])
    func `an invalid time is refused`(text: String) {
        #expect(seconds(text) == nil)
    }

    @Test func `local time uses the offset of that day`() {
        // Local time is an hour ahead of UTC from 1,000,000 on.
        let ahead = { (seconds: Int64) in seconds < 1_000_000 ? 0 : 3600 }
        #expect(PastTimeParser.seconds("1970-01-01T01:00", now: now, secondsFromUTC: ahead) == 3600.0)
        #expect(PastTimeParser.seconds("1970-02-01T01:00", now: now, secondsFromUTC: ahead) == 2_678_400.0)
    }
}
