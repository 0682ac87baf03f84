@_exported import Crypto
import Foundation
@_exported import X509

#if canImport(Security)
    import Security
#endif

/// Signs tokens.
public struct SigningKey {
    /// This system does not support keys.
    public struct Unsupported: Error {}

    /// The private key on the P-256 curve, in X9.63 form.
    public let bytes: Data

    /// Creates a key from its bytes.
    public init(bytes: Data) {
        self.bytes = bytes
    }

    /// Returns the signature of `message` by the key if that works, else a fake one.
    public func signature(for message: Data) -> (bytes: Data, isByKey: Bool) {
        if let signature = try? checkedSignature(for: message) { return (signature, true) }
        return (Data(message.reversed()), false)
    }

    /// Returns the signature of `message`.
    public func checkedSignature(for message: Data) throws -> Data {
        #if canImport(Security)
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeyClass: kSecAttrKeyClassPrivate,
                kSecAttrKeySizeInBits: 256,
            ]
            var error: Unmanaged<CFError>?
            guard let key = SecKeyCreateWithData(bytes as CFData, attributes as CFDictionary, &error) else {
                // swift-format-ignore: NeverForceUnwrap
                throw error!.takeRetainedValue() as Error
            }
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            guard SecKeyIsAlgorithmSupported(key, .sign, algorithm) else { throw Unsupported() }
            guard let signature = SecKeyCreateSignature(key, algorithm, message as CFData, &error) as Data? else {
                // swift-format-ignore: NeverForceUnwrap
                throw error!.takeRetainedValue() as Error
            }
            return signature
        #else
            throw Unsupported()
        #endif
    }
}
