/// A point in time in the proleptic Gregorian calendar in UTC, to the second, in the years 1 to 9999.
struct CalendarDate: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int
}

extension CalendarDate {
    private static let secondsPerDay = 86_400

    /// The reference date of property lists, 2001-01-01, in days since 0000-03-01.
    private static let referenceDay = dayNumber(year: 2001, month: 1, day: 1)

    /// Whether the date and time exist in the calendar.
    ///
    /// Leap seconds do not exist in property lists.
    var exists: Bool {
        (1...9999).contains(year) && (1...12).contains(month)
            && (1...CalendarDate.dayCount(ofMonth: month, year: year)).contains(day)
            && (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
    }

    /// The seconds from 2001-01-01 00:00:00 to this date, which must exist.
    var secondsSinceReferenceDate: Int {
        let days = CalendarDate.dayNumber(year: year, month: month, day: day) - CalendarDate.referenceDay
        return days * CalendarDate.secondsPerDay + hour * 3600 + minute * 60 + second
    }

    /// Makes the date `seconds` after 2001-01-01 00:00:00, rounded down to whole seconds as Apple's writer does.
    ///
    /// Returns `nil` outside the years 1 to 9999, or if `seconds` is not finite.
    init?(secondsSinceReferenceDate seconds: Double) {
        guard let whole = Int(exactly: seconds.rounded(.down)) else { return nil }
        let (days, secondOfDay) = whole.flooredQuotientAndRemainder(dividingBy: CalendarDate.secondsPerDay)
        // This bound prevents overflow in the arithmetic below; `exists` then checks the exact one.
        guard abs(days) < 1 << 32 else { return nil }
        (year, month, day) = CalendarDate.civilDate(ofDay: days + CalendarDate.referenceDay)
        hour = secondOfDay / 3600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
        guard exists else { return nil }
    }

    private static func dayCount(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Counting years from March puts the leap day last, so that the number of days before a month depends only on the
    // month: (153 * month + 2) / 5, with March as 0. The calendar repeats every 400 years.
    private static let daysPerEra = 146_097

    /// Returns the days from 0000-03-01 to a date.
    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = (month + 9) % 12
        let (era, yearOfEra) = marchYear.flooredQuotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        return era * daysPerEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    }

    /// Returns the date `number` days after 0000-03-01.
    private static func civilDate(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = number.flooredQuotientAndRemainder(dividingBy: daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (era * 400 + yearOfEra + (month > 2 ? 0 : 1), month, day)
    }
}

extension Int {
    /// Like `quotientAndRemainder`, except that the remainder is never negative.
    fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
