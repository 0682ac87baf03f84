import CoreFoundation
import Security

/// A query in Core Foundation's types.
public func tokenQuery(for account: CFString) -> CFDictionary {
    [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account] as CFDictionary
}

/// The number of values in `query`.
public func size(of query: CFDictionary) -> CFIndex { CFDictionaryGetCount(query) }
