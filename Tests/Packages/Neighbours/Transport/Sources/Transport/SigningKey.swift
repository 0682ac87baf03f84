import Foundation

#if canImport(Security)
    import Security
#endif

/// Signs tokens.
public struct SigningKey {
    /// This system has no keys.
    public struct Unsupported: Error {}

    /// What is signed with: a private key on the curve P-256, as X9.63 has it.
    public let bytes: Data

    /// A key of its bytes.
    public init(bytes: Data) {
        self.bytes = bytes
    }

    /// The signature of `message`, by the key if that works, else by a code that is none.
    public func signature(for message: Data) -> (bytes: Data, isByKey: Bool) {
        if let signature = try? checkedSignature(for: message) { return (signature, true) }
        return (Data(message.reversed()), false)
    }

    /// The signature of `message`.
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
