public import Foundation

/// Whether `key` supports an algorithm: always false in this version of Coffer.
@discardableResult
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey,
    _ operation: SecKeyOperationType,
    _ algorithm: SecKeyAlgorithm
) -> Bool {
    false
}

/// Not supported by this version of Coffer: returns nil, with the error `errSecUnimplemented`.
public func SecKeyCreateSignature(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.report(over: .unimplemented("Signing"))
    return nil
}

/// Not supported by this version of Coffer: returns false, with the error `errSecUnimplemented`.
///
/// So no signature is ever accepted as valid.
@discardableResult
public func SecKeyVerifySignature(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ signedData: CFData,
    _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    error.report(over: .unimplemented("Verifying signatures"))
    return false
}

/// Not supported by this version of Coffer: returns nil, with the error `errSecUnimplemented`.
public func SecKeyCreateEncryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.report(over: .unimplemented("Encrypting with keys"))
    return nil
}

/// Not supported by this version of Coffer: returns nil, with the error `errSecUnimplemented`.
public func SecKeyCreateDecryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.report(over: .unimplemented("Decrypting with keys"))
    return nil
}

/// Not supported by this version of Coffer: returns nil, with the error `errSecUnimplemented`.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ publicKey: SecKey,
    _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    error.report(over: .unimplemented("Exchanging keys"))
    return nil
}

/// Not supported by this version of Coffer: returns `errSecUnimplemented` and writes nothing.
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

/// Not supported by this version of Coffer: returns `errSecUnimplemented`.
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

/// Not supported by this version of Coffer: returns `errSecUnimplemented` and writes nothing.
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

/// Not supported by this version of Coffer: returns `errSecUnimplemented` and writes nothing.
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
