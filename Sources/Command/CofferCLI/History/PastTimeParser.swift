internal import CofferBasics
internal import Coffer

/// Parses a time in the past, as people write it.
package enum PastTimeParser {
    static let forms = "2026-01-31, 2026-01-31T09:30, 2026-01-31 09:30:15Z, 2h, 15m ago, yesterday, or @1767225600"

    /// The time that `text` names, relative to `now`; both in seconds since 1970.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - now: The current time.
    ///   - secondsFromUTC: How many seconds local time is ahead of UTC at a given time.
    /// - Returns: The time; nil if `text` is not one.
    package static func seconds(
        _ text: String,
        now: Double,
        secondsFromUTC: (Int64) -> Int
    ) -> Double? {
        let text = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        if text == "now" { return now }
        if text == "yesterday" { return now - 86_400 }
        if text.hasPrefix("@") { return TimeReader.wholeNumber(text.dropFirst()).map(Double.init) }
        if let age = age(text) { return now - age }
        return date(text, secondsFromUTC)
    }

    /// How long ago, in seconds: a number and a unit, and perhaps the word "ago".
    private static func age(_ text: String) -> Double? {
        var words = text.split(separator: " ").map(String.init)
        if words.last == "ago" { words.removeLast() }
        let whole = words.joined()
        let digits = whole.prefix { $0.isASCII && $0.isNumber }
        guard words.count <= 2, digits.utf8.count < 10, let number = Int64(digits),
            let seconds = unit(String(whole.dropFirst(digits.count)))
        else { return nil }
        return Double(number) * seconds
    }

    private static func unit(_ word: String) -> Double? {
        switch word {
        case "s", "sec", "second", "seconds": 1
        case "m", "min", "minute", "minutes": 60
        case "h", "hour", "hours": 3600
        case "d", "day", "days": 86_400
        case "w", "week", "weeks": 604_800
        default: nil
        }
    }

    /// A date with or without a time and a zone; without a zone it is in local time.
    private static func date(_ text: String, _ secondsFromUTC: (Int64) -> Int) -> Double? {
        var reader = TimeReader(text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2)
        else { return nil }
        let date = CalendarDate(year: year, month: month, day: day)
        guard date.dayExists else { return nil }
        var seconds = Double(date.secondsSince1970)
        if reader.take("T") || reader.take("t") || reader.take(" ") {
            guard let time = reader.time() else { return nil }
            seconds += time
        }
        guard let zone = reader.zone() else { return nil }
        guard reader.isAtEnd else { return nil }
        switch zone {
        case .offset(let offset): return seconds - Double(offset)
        case .local:
            // Two steps, since the offset from UTC may change on that day.
            let first = Int64(seconds) - Int64(secondsFromUTC(Int64(seconds)))
            return seconds - Double(secondsFromUTC(first))
        }
    }
}

/// Reads dates and times from text.
private struct TimeReader {
    enum Zone { case local, offset(Int) }

    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    /// A number of exactly `digitCount` digits.
    mutating func number(_ digitCount: Int) -> Int? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }.prefix(digitCount)
        guard digits.count == digitCount else { return nil }
        rest = rest.dropFirst(digitCount)
        return Int(digits)
    }

    /// Hours and minutes, with optional seconds and fraction.
    mutating func time() -> Double? {
        guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60 else { return nil }
        var seconds = Double(hour * 3600 + minute * 60)
        guard take(":") else { return seconds }
        guard let second = number(2), second < 60 else { return nil }
        seconds += Double(second)
        guard take(".") else { return seconds }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard (1...9).contains(digits.count), let fraction = Double("0.\(digits)") else { return nil }
        rest = rest.dropFirst(digits.count)
        return seconds + fraction
    }

    /// The zone at the end; local time without one.
    mutating func zone() -> Zone? {
        _ = take(" ")
        if isAtEnd { return .local }
        if take("Z") || take("z") { return .offset(0) }
        let isWest = rest.first == "-"
        guard take("+") || take("-"), let hours = number(2), hours < 24 else { return nil }
        _ = take(":")
        guard let minutes = isAtEnd ? 0 : number(2), minutes < 60 else { return nil }
        return .offset((isWest ? -1 : 1) * (hours * 3600 + minutes * 60))
    }

    static func wholeNumber(_ text: Substring) -> Int64? {
        guard text.utf8.count < 16, let number = Int64(text), !text.hasPrefix("+") else { return nil }
        return number
    }
}
