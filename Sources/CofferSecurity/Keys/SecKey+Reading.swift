internal import Coffer
public import Foundation

/// An upper limit on the size of a key, so that an absurd stored size is ignored.
private let largestKeyBitCount: Int64 = 1 << 16

/// Returns `key` if it is a public key; nil for a private key, as this version of Coffer cannot derive the public one.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    key.kind.half == .publicKey ? key : nil
}

/// Returns the attributes of `key`, with `kSecAttrKeyClass` and `kSecAttrKeyType` as strings, like Apple's constants.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    var attributes = key.attributes.compactMapValues(\.object)
    attributes["kcls"] = String(key.kind.half.rawValue) as NSString
    attributes["type"] = String(key.kind.algorithm.rawValue) as NSString
    return attributes as NSDictionary
}

/// Returns the bytes of `key` as they were stored; nil, with the error `errSecKeyIsSensitive`, if the key is not
/// extractable.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    guard key.attributes["extr"]?.number != 0 else {
        error.report(over: .status(errSecKeyIsSensitive, "The key is not extractable"))
        return nil
    }
    return Data(key.bytes) as NSData
}

/// Returns the block size of `key` in bytes, computed from the size stored with it; 0 if that is unknown.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int {
    switch key.kind.algorithm {
    case .rsa, .ellipticCurve:
        guard let bits = key.attributes["bsiz"]?.number, (1...largestKeyBitCount).contains(bits) else { return 0 }
        return (Int(bits) + 7) / 8
    case .ed25519, .x25519, .ed448, .x448, .kyber, .mlKEM, .mlDSA:
        return 0
    }
}
