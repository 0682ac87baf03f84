internal import Coffer
internal import CofferBasics

/// Text such as an account or a server with its exact bytes, which are usually UTF-8.
///
/// Two values are equal if they have the same bytes, as in the keychain.
struct AttributeText: Hashable {
    let bytes: [UInt8]

    init(_ string: String) { bytes = Array(string.utf8) }

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The text, or nil if the bytes are not valid UTF-8.
    var string: String? { String(validating: bytes, as: UTF8.self) }

    var isEmpty: Bool { bytes.isEmpty }

    /// The value for the keychain.
    var itemValue: ItemValue { ItemValue(textBytes: bytes) }
}

extension AttributeText: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { self.init(value) }
}
