internal import CofferBasics
package import Coffer

/// Formats dates as text.
package enum Timestamp {
    /// A date in UTC with milliseconds: `2026-01-31T09:30:00.000Z`.
    package static func utc(_ date: KeychainDate) -> String {
        let (seconds, milliseconds) = Int(Int64(clamping: (date.secondsSince1970 * 1000).rounded(.down)))
            .flooredQuotientAndRemainder(dividingBy: 1000)
        return "\(CalendarDate(secondsSince1970: seconds).text()).\(milliseconds.padded(3))Z"
    }

    /// A date in local time: `2026-01-31 10:30:00`.
    package static func local(_ date: KeychainDate, _ secondsFromUTC: (Int64) -> Int) -> String {
        let seconds = Int64(clamping: date.secondsSince1970.rounded(.down))
        return CalendarDate(secondsSince1970: Int(seconds) + secondsFromUTC(seconds)).text(" ")
    }

    /// A date in UTC as macOS keychains write it: `20260131093000Z`.
    static func compact(_ date: KeychainDate) -> String {
        let date = CalendarDate(secondsSince1970: Int(Int64(clamping: date.secondsSince1970.rounded(.down))))
        let rest = [date.month, date.day, date.hour, date.minute, date.second].map { $0.padded(2) }
        return date.year.padded(4) + rest.joined() + "Z"
    }
}

extension Int64 {
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
