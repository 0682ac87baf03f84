internal import CofferBasics

/// Why a text is not valid base64.
public enum Base64Error: Error, Equatable, Sendable {
    /// A character that is not in the alphabet, white space or padding.
    case unexpectedCharacter
    /// The number of characters, not counting white space, is not a multiple of four.
    case incomplete
    /// An `=` anywhere but in the last one or two positions.
    case misplacedPadding
    /// The leftover bits before padding are not zero, so the same bytes would have two texts.
    case nonZeroPaddingBits
}

extension Base64Error: CustomStringConvertible {
    /// What is wrong, in a few words.
    public var description: String {
        switch self {
        case .unexpectedCharacter: "invalid character"
        case .incomplete: "the number of characters is not a multiple of four"
        case .misplacedPadding: "\"=\" is allowed only at the end"
        case .nonZeroPaddingBits: "the bits before the padding are not zero"
        }
    }
}

extension Base64Error {
    init(_ kind: Base64.Fault.Kind) {
        self =
            switch kind {
            case .unexpectedCharacter: .unexpectedCharacter
            case .incomplete: .incomplete
            case .misplacedPadding: .misplacedPadding
            case .nonZeroPaddingBits: .nonZeroPaddingBits
            }
    }
}
