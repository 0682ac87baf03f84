internal import CofferBasics

/// The dates of password files, as seconds since 1970; nil for what is not a date, or is before 1970.
package enum FileDate {
    /// The first second of the year 1.
    private static let earliest: Int64 = -62_135_596_800
    /// The last second of the year 9999.
    static let latest: Int64 = 253_402_300_799

    /// A date in seconds since 1970.
    package static func seconds(_ seconds: Int64?) -> Int64? {
        seconds.flatMap { (0...latest).contains($0) ? $0 : nil }
    }

    /// A date in milliseconds since 1970.
    package static func milliseconds(_ milliseconds: Int64?) -> Int64? {
        milliseconds.flatMap { $0 < 0 ? nil : seconds($0 / 1000) }
    }

    /// A date as text: ISO 8601, or a number of seconds or milliseconds since 1970.
    ///
    /// No date of a password in seconds has more than ten digits before the year 2286, and none in milliseconds has
    /// fewer than eleven after April 1970.
    package static func text(_ text: String) -> Int64? {
        let text = text.trimmed
        if let number = Int64(text) { return text.utf8.count > 10 ? milliseconds(number) : seconds(number) }
        return iso8601(text)
    }

    /// A date of ISO 8601, such as `2026-01-31T12:30:00.5+01:00`.
    ///
    /// A blank may take the place of the T, time and offset may be missing, and a fraction is cut off. Without an offset
    /// the time is UTC.
    package static func iso8601(_ text: String) -> Int64? {
        var digits = DigitReader(text: Array(text.utf8)[...])
        guard let year = digits.number(4), digits.take("-"), let month = digits.number(2), digits.take("-"),
            let day = digits.number(2)
        else { return nil }
        var date = CalendarDate(year: year, month: month, day: day)
        guard year > 0, date.dayExists else { return nil }
        var offset = 0
        if digits.take("T") || digits.take("t") || digits.take(" ") {
            guard let hour = digits.number(2), digits.take(":"), let minute = digits.number(2) else { return nil }
            let second = digits.take(":") ? digits.number(2) : 0
            // A leap second counts as the one after it.
            guard hour < 24, minute < 60, let second, second <= 60 else { return nil }
            (date.hour, date.minute, date.second) = (hour, minute, second)
            if digits.take(".") || digits.take(",") { digits.skipDigits() }
            guard let zone = digits.offset() else { return nil }
            offset = zone
        }
        guard digits.text.isEmpty else { return nil }
        return Self.seconds(Int64(date.secondsSince1970 - offset))
    }

    /// A date of KeePass: ISO 8601, or base64 of the seconds since the year 1 in eight bytes, lowest first.
    package static func keePass(_ text: String) -> Int64? {
        if let seconds = iso8601(text) { return seconds }
        let letters = Array(text.utf8)
        guard let decoded = Encodings.base64(letters.span), decoded.byteCount == 8 else { return nil }
        let seconds = decoded.withSpan { $0.littleEndian(at: 0, as: Int64.self) }
        return Self.seconds(seconds.addingReportingOverflow(earliest).partialValue)
    }

    /// The text of a date, such as `2026-01-31T12:30:00Z`, also before 1970; nil for years before 1 and after 9999.
    package static func iso8601(ofSeconds seconds: Int64) -> String? {
        guard (earliest...latest).contains(seconds) else { return nil }
        return CalendarDate(secondsSince1970: Int(seconds)).text() + "Z"
    }
}

/// Reads the numbers of a date.
private struct DigitReader {
    var text: ArraySlice<UInt8>

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard text.first == UInt8(ascii: character) else { return false }
        text.removeFirst()
        return true
    }

    mutating func number(_ count: Int) -> Int? {
        let digits = text.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        text.removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    mutating func skipDigits() { text = text.drop(while: \.isDigit) }

    /// The offset of a time zone in seconds: `Z`, `+01:00`, `+0100`, `+01`, or none.
    mutating func offset() -> Int? {
        if text.isEmpty || take("Z") || take("z") { return 0 }
        let isNegative = take("-")
        guard isNegative || take("+"), let hours = number(2) else { return nil }
        _ = take(":")
        let minutes = text.isEmpty ? 0 : number(2)
        guard let minutes, hours < 24, minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
    }
}
