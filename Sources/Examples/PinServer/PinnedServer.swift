import Foundation
import Security

/// A server whose certificate is in the keychain.
struct PinnedServer {
    let host: String

    /// The certificates in text, the server's first.
    static func chain(in text: Data) throws -> [SecCertificate] {
        var items: CFArray?
        try check(SecItemImport(text as CFData, nil, nil, nil, [], nil, nil, &items))
        return (items as? [SecCertificate]) ?? []
    }

    /// Remembers the certificate of the server.
    func pin(_ chain: [SecCertificate]) throws {
        guard let certificate = chain.first else { return try Self.check(errSecItemNotFound) }
        SecItemDelete(query as CFDictionary)
        try Self.check(SecItemAdd([kSecValueRef: certificate, kSecAttrLabel: label] as CFDictionary, nil))
    }

    /// Throws unless the server has the certificate that was pinned, for its name and valid now.
    func check(_ chain: [SecCertificate]) throws {
        var found: CFTypeRef?
        let reading = query.merging([kSecReturnRef: true]) { $1 }
        try Self.check(SecItemCopyMatching(reading as CFDictionary, &found))
        var trust: SecTrust?
        try Self.check(
            SecTrustCreateWithCertificates(chain as CFArray, SecPolicyCreateSSL(true, host as CFString), &trust)
        )
        guard let trust, let found else { return }
        // With these anchors, no authority can make another certificate pass.
        try Self.check(SecTrustSetAnchorCertificates(trust, [found] as CFArray))
        var error: CFError?
        if !SecTrustEvaluateWithError(trust, &error), let error { throw error as any Error }
    }

    private var label: String { "pinned: \(host)" }

    private var query: [CFString: Any] { [kSecClass: kSecClassCertificate, kSecAttrLabel: label] }

    private static func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    }
}
