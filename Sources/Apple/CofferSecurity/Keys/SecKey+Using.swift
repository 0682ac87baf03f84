internal import Coffer
internal import CofferBasics
internal import CofferCertificates
public import Foundation

/// Whether `key` can be used for an operation with an algorithm.
@discardableResult
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey,
    _ operation: SecKeyOperationType,
    _ algorithm: SecKeyAlgorithm
) -> Bool {
    let operation: KeyOperation =
        switch operation {
        case .sign: .sign
        case .verify: .verify
        case .encrypt: .encrypt
        case .decrypt: .decrypt
        case .keyExchange: .agree
        }
    return algorithm.algorithm.map { key.key.supports($0, for: operation) } ?? false
}

/// Returns the signature of a digest or message; nil, with an error, if the key cannot make it.
public func SecKeyCreateSignature(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.reporting("Signing", using: key) {
        Data(try key.key.signature(of: dataToSign.copiedBytes.span, algorithm.signature)) as NSData
    }
}

/// Whether a signature is valid; if not, writes the error `errSecVerifyFailed`, or `errSecParam` if the signature, the
/// digest or the algorithm does not fit the key.
@discardableResult
public func SecKeyVerifySignature(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ signedData: CFData,
    _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    let verdict = error.reporting("Verifying a signature") {
        let signedData = signedData.copiedBytes
        return try key.key.verify(signature.copiedBytes.span, of: signedData.span, algorithm.signature)
    }
    switch verdict {
    case .valid: return true
    case .invalid: error.report(over: .status(errSecVerifyFailed, "The signature does not match"))
    case .malformed: error.report(over: .status(errSecParam, "The signature or the digest has the wrong length"))
    case nil: break
    }
    return false
}

/// Returns the ciphertext of `plaintext`; nil, with an error, if the key cannot make it.
public func SecKeyCreateEncryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.reporting("Encrypting") {
        let algorithm = try algorithm.encryption
        let ciphertext = try plaintext.copiedBytes.wipedAfter { plaintext in
            try key.key.encrypted(plaintext.span, algorithm)
        }
        return Data(ciphertext) as NSData
    }
}

/// Returns the plaintext of `ciphertext`; nil, with an error, if it is not for this key, or was changed.
public func SecKeyCreateDecryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.reporting("Decrypting", using: key) {
        let algorithm = try algorithm.encryption
        return try key.key.decrypted(ciphertext.copiedBytes.span, algorithm).wipedAfter { NSData(copying: $0) }
    }
}

/// Returns the secret that `privateKey` and a public key share, or bytes that are derived from it.
///
/// - Parameters:
///   - privateKey: A private key on a curve.
///   - algorithm: How the secret is made.
///   - publicKey: The public key of the other side, on the same curve.
///   - parameters: `.requestedSize`, the number of bytes to derive, and `.sharedInfo`, for algorithms that derive.
///   - error: The destination of the error.
/// - Returns: The secret, or nil.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ publicKey: SecKey,
    _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.reporting("Exchanging keys", using: privateKey) {
        guard case .agreement(let agreement)? = algorithm.algorithm else {
            throw KeyError.unsupportedAlgorithm
        }
        var byteCount = 0
        var sharedInfo: [UInt8] = []
        if agreement.hash != nil {
            let values = ItemRequest(parameters)
            guard case .integer(let size)? = values["requestedSize"], (1...largestDerivedByteCount).contains(size)
            else {
                throw KeyError.invalidInput
            }
            byteCount = Int(size)
            switch values["sharedInfo"] {
            case nil: break
            case .data(let bytes): sharedInfo = bytes
            default: throw KeyError.invalidInput
            }
        }
        let secret = try privateKey.key.secret(
            with: publicKey.key,
            agreement,
            byteCount: byteCount,
            sharedInfo: sharedInfo.span
        )
        return secret.withSpan { NSData(copying: $0) }
    }
}

/// The largest number of bytes that a key exchange derives: far more than any key needs, and little memory.
private let largestDerivedByteCount: Int64 = 1 << 20

extension SecKeyAlgorithm {
    /// The algorithm; nil if the name is unknown.
    fileprivate var algorithm: KeyAlgorithm? { KeyAlgorithm.byName[name] }

    fileprivate var signature: SignatureAlgorithm {
        get throws(KeyError) {
            guard case .signature(let signature)? = algorithm else { throw .unsupportedAlgorithm }
            return signature
        }
    }

    fileprivate var encryption: EncryptionAlgorithm {
        get throws(KeyError) {
            guard case .encryption(let encryption)? = algorithm else { throw .unsupportedAlgorithm }
            return encryption
        }
    }
}
