extension DERReader {
    /// The next element, a date, as seconds since 2001-01-01 00:00 UTC.
    ///
    /// The forms are Apple's: UTCTime as `YYMMDDhhmmZ`, `YYMMDDhhmmssZ` or `YYMMDDhhmmss±hhmm`, GeneralizedTime as
    /// `YYYYMMDDhhmmssZ` or `YYYYMMDDhhmmss±hhmm`.
    package mutating func readDate() throws(CertificateError) -> Int64 {
        let element = try read()
        guard let seconds = CalendarTime(element.tag, bytes[element.content])?.seconds else {
            throw CertificateError(.invalidDate, at: element.range.lowerBound)
        }
        return seconds
    }
}

/// The fields of a textual date.
private struct CalendarTime {
    private let year: Int
    private let month: Int
    private let day: Int
    private let hour: Int
    private let minute: Int
    private let second: Int
    /// The time zone, as minutes east of UTC.
    private let zone: Int
    private let isInUnknownCentury: Bool

    init?(_ tag: DERTag, _ text: ArraySlice<UInt8>) {
        let lengths: Set<Int>
        switch tag {
        case .utcTime: lengths = [11, 13, 17]
        case .generalizedTime: lengths = [15, 19]
        default: return nil
        }
        guard lengths.contains(text.count) else { return nil }
        let isLocal = text.count >= 17
        let digits = text.dropLast(isLocal ? 5 : 1)
        let suffix = text.suffix(isLocal ? 5 : 1)
        guard var fields = Self.pairs(digits), let zone = Self.zone(suffix) else { return nil }
        self.zone = zone

        let first = fields.removeFirst()
        if tag == .generalizedTime {
            year = first * 100 + fields.removeFirst()
        } else {
            year = first + (first < 50 ? 2000 : 1900)
        }
        isInUnknownCentury = tag == .utcTime && (50..<70).contains(first)
        (month, day, hour, minute) = (fields[0], fields[1], fields[2], fields[3])
        second = fields.count > 4 ? fields[4] : 0
    }

    /// The seconds since 2001-01-01 00:00 UTC; nil if there is no such date.
    var seconds: Int64? {
        // Apple's result is 2001-01-01, whatever the other fields are.
        guard !isInUnknownCentury else { return 0 }
        guard (1...12).contains(month), (1...dayCount).contains(day), hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        return Int64((((days * 24 + hour) * 60) + minute - zone) * 60 + second)
    }

    private var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private var dayCount: Int {
        switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days since 2001-01-01.
    private var days: Int {
        // Counts years from March, so that the leap day is the last of its year, and 400 more, so that none is negative.
        let marchYear = (month > 2 ? year : year - 1) + 400
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        let monthDays = (153 * ((month + 9) % 12) + 2) / 5
        return marchYear * 365 + leapDays + monthDays + day - 876_889
    }

    /// The values of the groups of two digits; nil if a byte is not a digit.
    private static func pairs(_ digits: ArraySlice<UInt8>) -> [Int]? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return stride(from: digits.startIndex, to: digits.endIndex, by: 2).map { index in
            Int(digits[index] - 0x30) * 10 + Int(digits[index + 1] - 0x30)
        }
    }

    /// The minutes east of UTC that `Z` or `±hhmm` stands for.
    private static func zone(_ suffix: ArraySlice<UInt8>) -> Int? {
        let sign = suffix.first
        guard suffix.count > 1 else { return sign == UInt8(ascii: "Z") ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        guard let fields = pairs(suffix.dropFirst()) else { return nil }
        let minutes = fields[0] * 60 + fields[1]
        return sign == UInt8(ascii: "-") ? -minutes : minutes
    }
}
