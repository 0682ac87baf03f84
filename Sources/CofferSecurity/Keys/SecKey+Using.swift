public import Foundation

/// Whether `key` can be used in this way: it never can, in this version of Coffer.
@discardableResult
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey,
    _ operation: SecKeyOperationType,
    _ algorithm: SecKeyAlgorithm
) -> Bool {
    false
}

/// Would sign: nil, and the error `errSecUnimplemented`, in this version of Coffer.
public func SecKeyCreateSignature(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.hand(over: .unimplemented("Signing"))
    return nil
}

/// Would verify a signature: false, and the error `errSecUnimplemented`, in this version of Coffer.
///
/// So no signature is ever taken for a good one.
@discardableResult
public func SecKeyVerifySignature(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ signedData: CFData,
    _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    error.hand(over: .unimplemented("Verifying signatures"))
    return false
}

/// Would encrypt: nil, and the error `errSecUnimplemented`, in this version of Coffer.
public func SecKeyCreateEncryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.hand(over: .unimplemented("Encrypting with keys"))
    return nil
}

/// Would decrypt: nil, and the error `errSecUnimplemented`, in this version of Coffer.
public func SecKeyCreateDecryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.hand(over: .unimplemented("Decrypting with keys"))
    return nil
}

/// Would agree on a secret: nil, and the error `errSecUnimplemented`, in this version of Coffer.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ publicKey: SecKey,
    _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.hand(over: .unimplemented("Exchanging keys"))
    return nil
}

/// Would sign: `errSecUnimplemented` in this version of Coffer, and nothing is written.
@discardableResult
public func SecKeyRawSign(
    _ key: SecKey,
    _ padding: SecPadding,
    _ dataToSign: UnsafePointer<UInt8>,
    _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>,
    _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    errSecUnimplemented
}

/// Would verify a signature: `errSecUnimplemented` in this version of Coffer.
@discardableResult
public func SecKeyRawVerify(
    _ key: SecKey,
    _ padding: SecPadding,
    _ signedData: UnsafePointer<UInt8>,
    _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>,
    _ sigLen: Int
) -> OSStatus {
    errSecUnimplemented
}

/// Would encrypt: `errSecUnimplemented` in this version of Coffer, and nothing is written.
@discardableResult
public func SecKeyEncrypt(
    _ key: SecKey,
    _ padding: SecPadding,
    _ plainText: UnsafePointer<UInt8>,
    _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>,
    _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    errSecUnimplemented
}

/// Would decrypt: `errSecUnimplemented` in this version of Coffer, and nothing is written.
@discardableResult
public func SecKeyDecrypt(
    _ key: SecKey,
    _ padding: SecPadding,
    _ cipherText: UnsafePointer<UInt8>,
    _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>,
    _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    errSecUnimplemented
}
