public import Foundation

/// Would read identities from a file of PKCS #12: `errSecUnimplemented` in this version of Coffer, and nothing is
/// written.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12Data: CFData,
    _ options: CFDictionary,
    _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    errSecUnimplemented
}
