/// A point in time in the proleptic Gregorian calendar in UTC, to the second.
package struct CalendarDate: Equatable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int

    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }
}

extension CalendarDate {
    /// The reference date of Apple's dates, 2001-01-01, in seconds since 1970.
    package static let referenceDate = 978_307_200

    // Counting years from March puts the leap day last, so that the number of days before a month depends only on the
    // month: (153 * month + 2) / 5, with March as 0. The calendar repeats every 400 years.
    private static let daysPerEra = 146_097
    /// The days from 0000-03-01 to 1970-01-01.
    private static let daysTo1970 = 719_468

    /// Whether the day exists in the calendar.
    package var dayExists: Bool {
        let dayCount =
            switch month {
            case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        return (1...12).contains(month) && (1...dayCount).contains(day)
    }

    /// Whether the date and time exist in the calendar, which has no leap seconds.
    package var exists: Bool {
        dayExists && (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
    }

    /// The days from 1970-01-01 to this day, which must exist.
    package var daysSince1970: Int {
        let marchYear = month > 2 ? year : year - 1
        let (era, yearOfEra) = marchYear.flooredQuotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.daysTo1970
    }

    /// The seconds from 1970-01-01 00:00:00 to this date, which must exist.
    package var secondsSince1970: Int { daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second }

    /// Makes the date that is this many seconds after 1970-01-01 00:00:00.
    package init(secondsSince1970 seconds: Int) {
        let (days, secondOfDay) = seconds.flooredQuotientAndRemainder(dividingBy: 86_400)
        let (era, dayOfEra) = (days + Self.daysTo1970).flooredQuotientAndRemainder(dividingBy: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        self.init(
            year: era * 400 + yearOfEra + (month > 2 ? 0 : 1),
            month: month,
            day: dayOfYear - (153 * marchMonth + 2) / 5 + 1,
            hour: secondOfDay / 3600,
            minute: secondOfDay / 60 % 60,
            second: secondOfDay % 60
        )
    }

    /// The date, which must exist, as `2026-01-31T12:30:00`, with `separator` before the time.
    package func text(_ separator: Unicode.Scalar = "T") -> String {
        var text = Array(year.padded(4).utf8)
        for (mark, number) in zip(["-", "-", separator, ":", ":"], [month, day, hour, minute, second]) {
            text += [
                UInt8(ascii: mark), UInt8(ascii: "0") + UInt8(number / 10), UInt8(ascii: "0") + UInt8(number % 10),
            ]
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Int {
    /// Like `quotientAndRemainder`, except that the remainder is never negative.
    package func flooredQuotientAndRemainder(dividingBy divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The number in decimal, with zeros before it if it has fewer digits.
    package func padded(_ digitCount: Int) -> String {
        let digits = String(magnitude)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, digitCount - digits.utf8.count))
            + digits
    }
}
