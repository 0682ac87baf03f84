internal import CofferBasics
internal import CofferCertificates
internal import Foundation

// The older functions. They write into a buffer of the caller, and replace its size by the number of bytes written.

/// Writes the signature of a digest; nothing if the buffer is too small.
@discardableResult
public func SecKeyRawSign(
    _ key: SecKey,
    _ padding: SecPadding,
    _ dataToSign: UnsafePointer<UInt8>,
    _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>,
    _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    writing(sig, sigLen, using: key) {
        let digest = try bytes(dataToSign, dataToSignLen)
        return try key.key.signature(of: digest.span, key.signatureAlgorithm(padding))
    }
}

/// Checks the signature of a digest; returns `errSSLCrypto` if it does not match.
@discardableResult
public func SecKeyRawVerify(
    _ key: SecKey,
    _ padding: SecPadding,
    _ signedData: UnsafePointer<UInt8>,
    _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>,
    _ sigLen: Int
) -> OSStatus {
    status {
        let digest = try bytes(signedData, signedDataLen)
        let algorithm = try key.signatureAlgorithm(padding)
        let signature = try bytes(sig, sigLen)
        switch try key.key.verify(signature.span, of: digest.span, algorithm) {
        case .valid: return errSecSuccess
        case .invalid: return errSSLCrypto
        case .malformed: return errSecParam
        }
    }
}

/// Writes the ciphertext of a plaintext; nothing if the buffer is too small.
@discardableResult
public func SecKeyEncrypt(
    _ key: SecKey,
    _ padding: SecPadding,
    _ plainText: UnsafePointer<UInt8>,
    _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>,
    _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    writing(cipherText, cipherTextLen) {
        let algorithm = try encryptionAlgorithm(padding)
        return try bytes(plainText, plainTextLen).wipedAfter { plaintext in
            try key.key.encrypted(plaintext.span, algorithm)
        }
    }
}

/// Writes the plaintext of a ciphertext, without padding without the zeros in front; nothing if the buffer is too small.
@discardableResult
public func SecKeyDecrypt(
    _ key: SecKey,
    _ padding: SecPadding,
    _ cipherText: UnsafePointer<UInt8>,
    _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>,
    _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    writing(plainText, plainTextLen, using: key, withoutZeros: padding.isEmpty) {
        let ciphertext = try bytes(cipherText, cipherTextLen)
        return try key.key.decrypted(ciphertext.span, encryptionAlgorithm(padding))
    }
}

private func status(in function: StaticString = #function, _ body: () throws -> OSStatus) -> OSStatus {
    do throws(KeyError) {
        return try KeyError.converting(body)
    } catch {
        return explained(OSStatus(error), "\(error)", in: function)
    }
}

/// Writes the bytes that `body` returns, and wipes them, if the private key that it uses may be used.
private func writing(
    _ buffer: UnsafeMutablePointer<UInt8>,
    _ byteCount: UnsafeMutablePointer<Int>,
    using privateKey: SecKey? = nil,
    withoutZeros: Bool = false,
    in function: StaticString = #function,
    _ body: () throws -> [UInt8]
) -> OSStatus {
    if let refusal = privateKey?.refusal() { return explained(OSStatus(refusal), "\(refusal)", in: function) }
    return status(in: function) {
        try body().wipedAfter { output in
            let output = withoutZeros ? output.drop { $0 == 0 } : output[...]
            guard output.count <= byteCount.pointee else { throw KeyError.invalidInput }
            for (offset, byte) in output.enumerated() { buffer[offset] = byte }
            byteCount.pointee = output.count
            return errSecSuccess
        }
    }
}

private func bytes(_ start: UnsafePointer<UInt8>, _ byteCount: Int) throws(KeyError) -> [UInt8] {
    guard byteCount >= 0 else { throw .invalidInput }
    return Array(UnsafeBufferPointer(start: start, count: byteCount))
}

extension SecKey {
    /// How the older functions sign with a padding.
    fileprivate func signatureAlgorithm(_ padding: SecPadding) throws(KeyError) -> SignatureAlgorithm {
        guard key.kind.type == .rsa else {
            return SignatureAlgorithm(scheme: padding == .sigRaw ? .ecdsaRFC4754 : .ecdsaX962)
        }
        switch padding {
        case []: return SignatureAlgorithm(scheme: .rsaRaw)
        case .PKCS1: return SignatureAlgorithm(scheme: .rsaPKCS1)
        case .PKCS1SHA1: return SignatureAlgorithm(scheme: .rsaPKCS1, hash: .sha1)
        case .PKCS1SHA224: return SignatureAlgorithm(scheme: .rsaPKCS1, hash: .sha224)
        case .PKCS1SHA256: return SignatureAlgorithm(scheme: .rsaPKCS1, hash: .sha256)
        case .PKCS1SHA384: return SignatureAlgorithm(scheme: .rsaPKCS1, hash: .sha384)
        case .PKCS1SHA512: return SignatureAlgorithm(scheme: .rsaPKCS1, hash: .sha512)
        default: throw .unsupportedAlgorithm
        }
    }
}

/// How the older functions encrypt with a padding.
private func encryptionAlgorithm(_ padding: SecPadding) throws(KeyError) -> EncryptionAlgorithm {
    switch padding {
    case []: return .rsaRaw
    case .PKCS1: return .rsaPKCS1
    case .OAEP: return .rsaOAEP(.sha1)
    default: throw .unsupportedAlgorithm
    }
}
