extension FileDate {
    /// A date in seconds since 1970 as ISO 8601 in UTC, such as `2026-01-31T12:30:00Z`.
    ///
    /// - Parameter seconds: The date.
    /// - Returns: The text, or nil for dates before the year 1 and after the year 9999.
    static func iso8601Text(_ seconds: Int64) -> String? {
        guard (earliest...latest).contains(seconds) else { return nil }
        let secondsSinceYear1 = Int(seconds - earliest)
        let (days, second) = secondsSinceYear1.quotientAndRemainder(dividingBy: 86_400)
        // Lengths in days: 400 years, 100 years of which the last is no leap year, 4 years, a year.
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
        let century = min(dayOfEra / 36_524, 3)
        let (cycle, dayOfCycle) = (dayOfEra - century * 36_524).quotientAndRemainder(dividingBy: 1461)
        let yearOfCycle = min(dayOfCycle / 365, 3)
        let year = era * 400 + century * 100 + cycle * 4 + yearOfCycle + 1
        var day = dayOfCycle - yearOfCycle * 365 + 1
        var month = 1
        for length in monthLengths(year) {
            guard day > length else { break }
            day -= length
            month += 1
        }
        // Each number with the place of its last digit.
        let numbers = [(year, 3), (month, 6), (day, 9), (second / 3600, 12), (second / 60 % 60, 15), (second % 60, 18)]
        var text = Array("0000-00-00T00:00:00Z".utf8)
        for (number, end) in numbers {
            var (rest, place) = (number, end)
            while rest > 0 {
                text[place] += UInt8(rest % 10)
                rest /= 10
                place -= 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let earliest: Int64 = -62_135_596_800
}
