/// A point in time, in seconds since the start of 2001, UTC, like `Date` in Foundation.
///
/// ```swift
/// let date = KeychainDate(secondsSinceReferenceDate: 0)
/// date.secondsSince1970  // 978307200.0
/// ```
public struct KeychainDate: Hashable, Sendable {
    /// The seconds since the start of 2001, UTC: `timeIntervalSinceReferenceDate`.
    public let secondsSinceReferenceDate: Double

    /// Creates a date from the seconds since the start of 2001, UTC.
    public init(secondsSinceReferenceDate: Double) {
        self.secondsSinceReferenceDate = secondsSinceReferenceDate
    }

    /// Creates a date from the seconds since the start of 1970, UTC.
    public init(secondsSince1970: Double) {
        secondsSinceReferenceDate = secondsSince1970 - Self.secondsFrom1970
    }

    /// The seconds since the start of 1970, UTC.
    public var secondsSince1970: Double { secondsSinceReferenceDate + Self.secondsFrom1970 }

    private static let secondsFrom1970 = 978_307_200.0
}

extension KeychainDate: Comparable {
    /// Whether `first` is earlier than `second`.
    public static func < (first: KeychainDate, second: KeychainDate) -> Bool {
        first.secondsSinceReferenceDate < second.secondsSinceReferenceDate
    }
}
