internal import CofferBasics

/// A duration as people write it: `90s`, `15m`, `8h`, `1d`.
package struct TimeSpan: Equatable, Sendable {
    /// The duration in whole seconds.
    package let seconds: Int64

    private static let units: [(letter: UInt8, seconds: Int64, name: String)] = [
        (UInt8(ascii: "d"), 86_400, "day"), (UInt8(ascii: "h"), 3600, "hour"), (UInt8(ascii: "m"), 60, "minute"),
        (UInt8(ascii: "s"), 1, "second"),
    ]
    /// One year: the kernel keeps nothing for much longer.
    private static let greatest: Int64 = 366 * 86_400

    /// Parses a duration; nil if `word` is not one, or is longer than a year.
    package init?(_ word: String) {
        let digits = word.utf8.dropLast()
        guard let letter = word.utf8.last, let unit = Self.units.first(where: { $0.letter == letter }),
            !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(String(decoding: digits, as: UTF8.self)), number > 0
        else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit.seconds)
        guard !overflow, seconds <= Self.greatest else { return nil }
        self.seconds = seconds
    }

    /// Parses the duration that an option has as its value.
    init(_ word: String, of option: Option) throws {
        guard let time = TimeSpan(word) else {
            throw CommandError.usage(
                "invalid time \(word.printable) for \(option.names[0]): use one such as 90s, 15m, 8h or 1d, at most 366 days"
            )
        }
        self = time
    }

    /// The duration in words, in the largest unit that gives a whole number.
    package var description: String {
        for unit in Self.units where seconds % unit.seconds == 0 {
            return Int(seconds / unit.seconds).counted(unit.name)
        }
        return Int(seconds).counted("second")
    }
}
