internal import CofferBasics

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
    private let date: CalendarDate
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
        let year = tag == .generalizedTime ? first * 100 + fields.removeFirst() : first + (first < 50 ? 2000 : 1900)
        isInUnknownCentury = tag == .utcTime && (50..<70).contains(first)
        date = CalendarDate(
            year: year,
            month: fields[0],
            day: fields[1],
            hour: fields[2],
            minute: fields[3],
            second: fields.count > 4 ? fields[4] : 0
        )
    }

    /// The seconds since 2001-01-01 00:00 UTC; nil if there is no such date.
    var seconds: Int64? {
        // Apple's result is 2001-01-01, whatever the other fields are.
        guard !isInUnknownCentury else { return 0 }
        guard date.dayExists, date.hour < 24, date.minute < 60, date.second <= 60 else { return nil }
        return Int64(date.secondsSince1970 - CalendarDate.referenceDate - zone * 60)
    }

    /// The values of the groups of two digits; nil if a byte is not a digit.
    private static func pairs(_ digits: ArraySlice<UInt8>) -> [Int]? {
        guard digits.allSatisfy(\.isDigit) else { return nil }
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
