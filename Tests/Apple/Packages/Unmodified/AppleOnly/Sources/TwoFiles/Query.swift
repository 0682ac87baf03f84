import Security

/// The status of a query.
public func statusOfQuery() -> OSStatus {
    SecItemCopyMatching([kSecClass: kSecClassCertificate] as CFDictionary, nil)
}
