public import Foundation

/// Would make a key: nil, and the error `errSecUnimplemented`, in this version of Coffer.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    error.hand(over: .unimplemented("Making keys"))
    return nil
}

/// Would make a key of its bytes: nil, and the error `errSecUnimplemented`, in this version of Coffer.
public func SecKeyCreateWithData(
    _ keyData: CFData,
    _ attributes: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    error.hand(over: .unimplemented("Making keys of their bytes"))
    return nil
}

/// Would make a pair of keys: `errSecUnimplemented` in this version of Coffer, and nothing is written.
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary,
    _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    errSecUnimplemented
}
