public import Coffer
public import FoundationEssentials

extension Date {
    /// Creates the same date for Foundation.
    public init(_ date: KeychainDate) {
        self.init(timeIntervalSinceReferenceDate: date.secondsSinceReferenceDate)
    }
}

extension KeychainDate {
    /// Creates the same date for the keychain.
    public init(_ date: Date) {
        self.init(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    }
}
