package import Coffer

/// Formats dates as text.
package enum Timestamp {
    /// The components of a date in the Gregorian calendar.
    struct Parts: Equatable {
        var year: Int64
        var month: Int
        var day: Int
        var hour: Int
        var minute: Int
        var second: Int

        /// The components of a time given in seconds since 1970.
        init(secondsSince1970 seconds: Int64) {
            let days = seconds.flooredQuotient(86_400)
            let rest = Int(seconds - days * 86_400)
            (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
            // If years begin in March, the leap day comes last; 400 years always have the same number of days.
            let shifted = days + 719_468
            let era = shifted.flooredQuotient(146_097)
            let dayOfEra = shifted - era * 146_097
            let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = Int(dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100))
            let monthFromMarch = (5 * dayOfYear + 2) / 153
            day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
            month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
            year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        }
    }

    /// A date in UTC with milliseconds: `2026-01-31T09:30:00.000Z`.
    package static func utc(_ date: KeychainDate) -> String {
        let milliseconds = Int64(clamping: (date.secondsSince1970 * 1000).rounded(.down))
        let seconds = milliseconds.flooredQuotient(1000)
        let parts = Parts(secondsSince1970: seconds)
        return "\(day(parts))T\(time(parts)).\(padded(Int(milliseconds - seconds * 1000), 3))Z"
    }

    /// A date in local time: `2026-01-31 10:30:00`.
    package static func local(_ date: KeychainDate, _ secondsFromUTC: (Int64) -> Int) -> String {
        let seconds = Int64(clamping: date.secondsSince1970.rounded(.down))
        let parts = Parts(secondsSince1970: seconds + Int64(secondsFromUTC(seconds)))
        return "\(day(parts)) \(time(parts))"
    }

    /// A date in UTC as macOS keychains write it: `20260131093000Z`.
    static func compact(_ date: KeychainDate) -> String {
        let parts = Parts(secondsSince1970: Int64(clamping: date.secondsSince1970.rounded(.down)))
        let rest = [parts.month, parts.day, parts.hour, parts.minute, parts.second].map { padded($0, 2) }
        return padded(Int(parts.year), 4) + rest.joined() + "Z"
    }

    private static func day(_ parts: Parts) -> String {
        "\(padded(Int(parts.year), 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
    }

    private static func time(_ parts: Parts) -> String {
        "\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))"
    }

    static func padded(_ number: Int, _ digitCount: Int) -> String {
        let text = String(number.magnitude)
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, digitCount - text.utf8.count)) + text
    }
}

extension Int64 {
    /// The quotient, rounded down.
    func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    init(clamping value: Double) {
        // NaN becomes the earliest date.
        self = value > -0x1p62 ? (value < 0x1p62 ? Int64(value) : 1 << 62) : -1 << 62
    }
}

extension CommandRun {
    /// A date as text: in local time at a terminal, otherwise in UTC.
    func shown(_ date: KeychainDate) -> String {
        output.isTerminal || screen != nil ? Timestamp.local(date, context.secondsFromUTC) : Timestamp.utc(date)
    }
}
