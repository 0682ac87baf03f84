internal import CofferBasics

/// A date as a number of seconds since the start of 2001, UTC, which Apple's attributes are.
package struct ExportedDate: Equatable {
    /// The seconds since the start of 2001, UTC.
    package let secondsSinceReferenceDate: Double

    /// The date that is so many seconds after the start of 2001, UTC.
    package init(secondsSinceReferenceDate: Double) {
        self.secondsSinceReferenceDate = secondsSinceReferenceDate
    }

    /// The date as ISO 8601 in UTC, with as few digits after the second as identify it.
    ///
    /// Nil for dates outside of the years 1 to 9999, and for those that a whole second and a fraction do not add up to:
    /// -0.0, and some of the second before 2001.
    var text: String? {
        let whole = secondsSinceReferenceDate.rounded(.down)
        let fraction = secondsSinceReferenceDate - whole
        guard abs(whole) < 0x1p40, fraction < 1, (whole + fraction).bitPattern == secondsSinceReferenceDate.bitPattern,
            let text = FileDate.iso8601(ofSeconds: Int64(whole) + Int64(CalendarDate.referenceDate))
        else { return nil }
        return fraction == 0 ? text : "\(text.dropLast()).\(Self.digits(of: fraction, after: whole))Z"
    }

    /// The digits of a fraction: thousandths or millionths if those are exact, else all that a `Double` has.
    private static func digits(of fraction: Double, after whole: Double) -> String {
        for (count, unit) in [(3, 1e3), (6, 1e6)] {
            let number = (fraction * unit).rounded()
            guard number < unit, whole + number / unit == whole + fraction else { continue }
            let digits = String(Int(number))
            return String(repeating: "0", count: count - digits.utf8.count) + digits
        }
        // `0.25`, or `2.5e-05`.
        let parts = fraction.description.parts(separatedBy: "e-")
        let digits = parts[0].filter { $0 != "." }
        guard parts.count == 2, let exponent = Int(parts[1]) else { return String(digits.dropFirst()) }
        return String(repeating: "0", count: exponent - 1) + digits
    }

    /// Reads a date as `text` has it; nil for anything else.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let separators = zip([4, 7, 10, 13, 16], "--T::".utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), separators.allSatisfy({ bytes[$0] == $1 }) else {
            return nil
        }
        let numbers = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].map { Self.number(bytes[$0]) }
        guard let year = numbers[0], let month = numbers[1], let day = numbers[2], let hour = numbers[3],
            let minute = numbers[4], let second = numbers[5]
        else { return nil }
        let date = CalendarDate(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        guard year > 0, date.exists else { return nil }
        let seconds = date.secondsSince1970 - CalendarDate.referenceDate
        let fraction = bytes[19..<bytes.count - 1]
        guard !fraction.isEmpty else {
            self.init(secondsSinceReferenceDate: Double(seconds))
            return
        }
        guard fraction.first == UInt8(ascii: "."), fraction.count > 1, fraction.dropFirst().allSatisfy(\.isDigit),
            let part = Double("0" + String(decoding: fraction, as: UTF8.self))
        else { return nil }
        self.init(secondsSinceReferenceDate: Double(seconds) + part)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy(\.isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
