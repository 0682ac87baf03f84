import CofferBasics
import Glibc
import Testing

@Suite("Calendar dates") struct CalendarDateTests {
    /// The date that the C library has for `seconds`.
    private func expected(_ seconds: Int) -> CalendarDate {
        var (seconds, parts) = (seconds, tm())
        gmtime_r(&seconds, &parts)
        return CalendarDate(
            year: Int(parts.tm_year) + 1900,
            month: Int(parts.tm_mon) + 1,
            day: Int(parts.tm_mday),
            hour: Int(parts.tm_hour),
            minute: Int(parts.tm_min),
            second: Int(parts.tm_sec)
        )
    }

    // 400 years from 1600 on have each day that a calendar can have; the primes reach years before 0 and after 9999.
    @Test func `dates are those of the C library, both ways`() {
        let days = stride(from: -11_676_096_000, to: 946_684_800, by: 86_400)
        let others = stride(from: -100_000_000_007, to: 300_000_000_000, by: 7_777_777)
        for seconds in Array(days) + Array(others) {
            let date = CalendarDate(secondsSince1970: seconds)
            guard date == expected(seconds), date.exists, date.secondsSince1970 == seconds else {
                Issue.record("\(seconds): \(date)")
                return
            }
        }
    }

    @Test(arguments: [
        (2000, 2, 29, true), (1900, 2, 29, false), (2023, 2, 29, false), (2024, 2, 29, true), (2024, 4, 31, false),
        (2024, 12, 31, true), (2024, 12, 32, false), (2024, 0, 1, false), (2024, 13, 1, false), (2024, 1, 0, false),
    ])
    func `only days of the Gregorian calendar exist`(year: Int, month: Int, day: Int, exists: Bool) {
        #expect(CalendarDate(year: year, month: month, day: day).dayExists == exists)
    }

    @Test func `leap seconds do not exist`() {
        #expect(CalendarDate(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 59).exists)
        #expect(!CalendarDate(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 60).exists)
        #expect(!CalendarDate(year: 2016, month: 12, day: 31, hour: 24).exists)
    }

    // `date -u -d @… +%FT%T`, except for the year before 0, which ISO 8601 writes with a sign.
    @Test(arguments: [
        (0, "1970-01-01T00:00:00"), (978_307_200, "2001-01-01T00:00:00"), (951_782_399, "2000-02-28T23:59:59"),
        (-62_135_596_800, "0001-01-01T00:00:00"), (253_402_300_800, "10000-01-01T00:00:00"),
        (-62_167_219_201, "-0001-12-31T23:59:59"),
    ])
    func `a date has a text`(seconds: Int, text: String) {
        #expect(CalendarDate(secondsSince1970: seconds).text() == text)
        #expect(CalendarDate(secondsSince1970: seconds).text(" ") == text.replacing("T", with: " "))
    }
}
