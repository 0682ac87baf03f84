/// A boolean of C, which a few functions write.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Equatable, Sendable {
    /// The boolean of Swift.
    public let boolValue: Bool

    /// Creates a boolean from one of Swift.
    public init(_ value: Bool) { boolValue = value }

    /// Creates a boolean from a literal.
    public init(booleanLiteral value: Bool) { boolValue = value }
}

extension DarwinBoolean: CustomStringConvertible {
    /// The text `true` or `false`.
    public var description: String { boolValue.description }
}
