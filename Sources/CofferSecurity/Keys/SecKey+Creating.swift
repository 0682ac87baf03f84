public import Foundation

/// Not supported by this version of Coffer: returns nil, with the error `errSecUnimplemented`.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    error.report(over: .unimplemented("Creating keys"))
    return nil
}

/// Not supported by this version of Coffer: returns nil, with the error `errSecUnimplemented`.
public func SecKeyCreateWithData(
    _ keyData: CFData,
    _ attributes: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    error.report(over: .unimplemented("Creating keys from data"))
    return nil
}

/// Not supported by this version of Coffer: returns `errSecUnimplemented` and writes nothing.
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary,
    _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    errSecUnimplemented
}
