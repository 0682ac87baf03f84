public import Foundation

/// Not supported by this version of Coffer: importing a PKCS #12 file returns `errSecUnimplemented` and writes nothing.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12Data: CFData,
    _ options: CFDictionary,
    _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    errSecUnimplemented
}
