/// A type with its own archived form, which the encoder writes instead of using `Encodable`.
///
/// Numbers, `Bool` and `String` conform here; `Data`, `Date`, `UUID` and `URL` in `KeyedArchiveFoundation`.
public protocol ArchiveRepresentable {
    /// The archived form of this value.
    var archiveValue: ArchiveValue { get }

    /// Makes a value from its archived form, or `nil` if `archiveValue` has another type or does not fit.
    init?(archiveValue: ArchiveValue)
}

extension Bool: ArchiveRepresentable {
    /// An `NSNumber` that holds a Boolean.
    public var archiveValue: ArchiveValue { .bool(self) }

    /// Accepts only Booleans, not numbers.
    public init?(archiveValue: ArchiveValue) {
        guard case .bool(let value) = archiveValue else { return nil }
        self = value
    }
}

extension String: ArchiveRepresentable {
    /// An `NSString`.
    public var archiveValue: ArchiveValue { .string(self) }

    /// Accepts only strings.
    public init?(archiveValue: ArchiveValue) {
        guard case .string(let value) = archiveValue else { return nil }
        self = value
    }
}

extension ArchiveRepresentable where Self: FixedWidthInteger {
    /// An `NSNumber` that holds an integer.
    public var archiveValue: ArchiveValue { .integer(Int128(self)) }

    /// Accepts integers that fit, and reals with such an integer value.
    public init?(archiveValue: ArchiveValue) {
        switch archiveValue {
        case .integer(let value): self.init(exactly: value)
        case .real(let value): self.init(exactly: value)
        default: return nil
        }
    }
}

extension Int: ArchiveRepresentable {}
extension Int8: ArchiveRepresentable {}
extension Int16: ArchiveRepresentable {}
extension Int32: ArchiveRepresentable {}
extension Int64: ArchiveRepresentable {}
extension Int128: ArchiveRepresentable {}
extension UInt: ArchiveRepresentable {}
extension UInt8: ArchiveRepresentable {}
extension UInt16: ArchiveRepresentable {}
extension UInt32: ArchiveRepresentable {}
extension UInt64: ArchiveRepresentable {}

extension Double: ArchiveRepresentable {
    /// An `NSNumber` that holds a floating-point number.
    public var archiveValue: ArchiveValue { .real(self) }

    /// Accepts reals, and integers that a `Double` represents exactly.
    public init?(archiveValue: ArchiveValue) {
        switch archiveValue {
        case .real(let value): self = value
        case .integer(let value): self.init(exactly: value)
        default: return nil
        }
    }
}

extension Float: ArchiveRepresentable {
    /// An `NSNumber` that holds a floating-point number.
    public var archiveValue: ArchiveValue { .real(Double(self)) }

    /// Accepts reals within the range of a `Float`, rounded, and integers that a `Float` represents exactly.
    public init?(archiveValue: ArchiveValue) {
        switch archiveValue {
        case .real(let value):
            self.init(value)
            guard isFinite || !value.isFinite else { return nil }
        case .integer(let value): self.init(exactly: value)
        default: return nil
        }
    }
}
