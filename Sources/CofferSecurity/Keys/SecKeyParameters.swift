public import Foundation

/// What is done with a key.
public enum SecKeyOperationType: Int, Sendable {
    /// A signature is made.
    case sign
    /// A signature is verified.
    case verify
    /// Something is encrypted.
    case encrypt
    /// Something is decrypted.
    case decrypt
    /// Two keys agree on a secret.
    case keyExchange
}

/// What an exchange of keys may be told beside its keys.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    private let name: String

    /// The parameter of this name.
    public init(rawValue: CFString) { name = rawValue as String }

    /// Apple's name of the parameter.
    public var rawValue: CFString { name as NSString }

    /// How many bytes are wanted.
    public static let requestedSize = SecKeyKeyExchangeParameter(rawValue: "requestedSize")
    /// Bytes that both sides know, and that the secret depends on.
    public static let sharedInfo = SecKeyKeyExchangeParameter(rawValue: "sharedInfo")
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How the older functions pad what they sign or encrypt; `[]` is without padding.
public struct SecPadding: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// The padding with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// PKCS #1 v1.5.
    public static let PKCS1 = SecPadding(rawValue: 1)
    /// OAEP.
    public static let OAEP = SecPadding(rawValue: 2)
    /// For ECDSA: both numbers, one after the other.
    public static let sigRaw = SecPadding(rawValue: 0x4000)
    /// PKCS #1 v1.5 with the prefix of SHA-1.
    public static let PKCS1SHA1 = SecPadding(rawValue: 0x8002)
    /// PKCS #1 v1.5 with the prefix of SHA-224.
    public static let PKCS1SHA224 = SecPadding(rawValue: 0x8003)
    /// PKCS #1 v1.5 with the prefix of SHA-256.
    public static let PKCS1SHA256 = SecPadding(rawValue: 0x8004)
    /// PKCS #1 v1.5 with the prefix of SHA-384.
    public static let PKCS1SHA384 = SecPadding(rawValue: 0x8005)
    /// PKCS #1 v1.5 with the prefix of SHA-512.
    public static let PKCS1SHA512 = SecPadding(rawValue: 0x8006)
}
