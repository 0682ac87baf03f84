import Foundation
import Security

/// A random key, which the program can cast.
public func sharedKey() -> Any? {
    let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256]
    return SecKeyCreateRandomKey(attributes as CFDictionary, nil)
}

/// The status of a query, for programs that do not use the keychain themselves.
public func sharedStatus() -> Int { Int(SecItemCopyMatching([kSecClass: kSecClassKey] as CFDictionary, nil)) }
