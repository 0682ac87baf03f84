public import Foundation

/// An operation with a key.
public enum SecKeyOperationType: Int, Sendable {
    /// Creating a signature.
    case sign
    /// Verifying a signature.
    case verify
    /// Encrypting data.
    case encrypt
    /// Decrypting data.
    case decrypt
    /// Agreeing on a shared secret.
    case keyExchange
}

/// A parameter of a key exchange, other than the keys.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    private let name: String

    /// Creates a parameter from Apple's name for it.
    public init(rawValue: CFString) { name = rawValue as String }

    /// Apple's name for the parameter.
    public var rawValue: CFString { name as NSString }

    /// The number of bytes to derive.
    public static let requestedSize = SecKeyKeyExchangeParameter(rawValue: "requestedSize")
    /// Bytes that both sides know and that enter into the secret.
    public static let sharedInfo = SecKeyKeyExchangeParameter(rawValue: "sharedInfo")
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The padding that the older functions use for signing and encryption; `[]` means none.
public struct SecPadding: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Creates the padding with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// PKCS #1 v1.5.
    public static let PKCS1 = SecPadding(rawValue: 1)
    /// OAEP.
    public static let OAEP = SecPadding(rawValue: 2)
    /// For ECDSA: the two numbers, concatenated.
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
