internal import Coffer
public import Foundation

/// More bits than any key has, so that a size that somebody stored is not believed.
private let largestKeyBitCount: Int64 = 1 << 16

/// The public half of `key`, if it is that; nil for a private key, as this version of Coffer can't derive one.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    key.kind.half == .publicKey ? key : nil
}

/// What `key` is: `kSecAttrKeyClass` and `kSecAttrKeyType` as texts, as Apple's constants are, and the other
/// attributes.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    var attributes = key.attributes.compactMapValues(\.object)
    attributes["kcls"] = String(key.kind.half.rawValue) as NSString
    attributes["type"] = String(key.kind.arithmetic.rawValue) as NSString
    return attributes as NSDictionary
}

/// The bytes of `key` as they were stored; nil, and the error `errSecKeyIsSensitive`, if it must not leave the
/// keychain.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    guard key.attributes["extr"]?.number != 0 else {
        error.hand(over: .status(errSecKeyIsSensitive, "The key was stored as one that can't be extracted"))
        return nil
    }
    return Data(key.bytes) as NSData
}

/// How many bytes a block of `key` has, by the size that was stored with it; 0 if that is not known.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int {
    switch key.kind.arithmetic {
    case .rsa, .ellipticCurve:
        guard let bits = key.attributes["bsiz"]?.number, (1...largestKeyBitCount).contains(bits) else { return 0 }
        return (Int(bits) + 7) / 8
    case .ed25519, .x25519, .ed448, .x448, .kyber, .mlKEM, .mlDSA:
        return 0
    }
}
