internal import Coffer
internal import CofferBasics

/// Text such as an account or a server with its exact bytes, which are usually UTF-8.
///
/// Two values are equal if they have the same bytes, as in the keychain.
struct AttributeText: Hashable, CustomStringConvertible {
    let bytes: [UInt8]

    init(_ string: String) { bytes = Array(string.utf8) }

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The text, or nil if the bytes are not valid UTF-8.
    var string: String? { String(validating: bytes, as: UTF8.self) }

    /// The text; what is not valid UTF-8 is replaced by U+FFFD.
    var description: String { String(decoding: bytes, as: UTF8.self) }

    var isEmpty: Bool { bytes.isEmpty }

    /// The value for the keychain.
    var itemValue: ItemValue { ItemValue(textBytes: bytes) }
}

extension AttributeText: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { self.init(value) }
}

// The bytes of names in the keychain.
extension GenericPassword {
    init(service: AttributeText, account: AttributeText = "") {
        self.init()
        (serviceBytes, accountBytes) = (service.bytes, account.bytes)
    }
}

extension ItemCondition where Item == GenericPassword {
    static func service(_ service: AttributeText) -> Self { .serviceBytes(service.bytes) }
    static func account(_ account: AttributeText) -> Self { .accountBytes(account.bytes) }
}

extension InternetPassword {
    init(server: AttributeText, account: AttributeText, protocol: InternetProtocol?) {
        self.init(protocol: `protocol`)
        (serverBytes, accountBytes) = (server.bytes, account.bytes)
    }
}

extension ItemCondition where Item == InternetPassword {
    static func server(_ server: AttributeText) -> Self { .serverBytes(server.bytes) }
    static func account(_ account: AttributeText) -> Self { .accountBytes(account.bytes) }
}

extension InternetProtocol {
    init?(of item: FoundItem) {
        guard let name = item.text(.protocol) else { return nil }
        self.init(rawValue: name.description)
    }
}
