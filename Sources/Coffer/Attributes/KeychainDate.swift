/// A moment, in seconds since 2001 began, UTC, as `Date` of Foundation counts.
///
/// ```swift
/// let date = KeychainDate(secondsSinceReferenceDate: 0)
/// date.secondsSince1970  // 978307200.0
/// ```
public struct KeychainDate: Hashable, Sendable {
    /// Seconds since 2001 began: `timeIntervalSinceReferenceDate`.
    public let secondsSinceReferenceDate: Double

    /// So many seconds after 2001 began.
    public init(secondsSinceReferenceDate: Double) {
        self.secondsSinceReferenceDate = secondsSinceReferenceDate
    }

    /// So many seconds after 1970 began.
    public init(secondsSince1970: Double) {
        secondsSinceReferenceDate = secondsSince1970 - Self.secondsFrom1970
    }

    /// Seconds since 1970 began.
    public var secondsSince1970: Double { secondsSinceReferenceDate + Self.secondsFrom1970 }

    private static let secondsFrom1970 = 978_307_200.0
}

extension KeychainDate: Comparable {
    /// Whether `first` was before `second`.
    public static func < (first: KeychainDate, second: KeychainDate) -> Bool {
        first.secondsSinceReferenceDate < second.secondsSinceReferenceDate
    }
}
