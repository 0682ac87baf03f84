import Foundation
import Security

/// A private key in the keychain that signs JSON web tokens: code for iOS and macOS, unchanged.
struct TokenKey {
    /// What a key signs with: RFC 7518, section 3.1.
    enum Kind: String, CaseIterable {
        case es256 = "ES256"
        case rs256 = "RS256"

        fileprivate var algorithm: SecKeyAlgorithm {
            switch self {
            case .es256: .ecdsaSignatureMessageRFC4754SHA256
            case .rs256: .rsaSignatureMessagePKCS1v15SHA256
            }
        }

        fileprivate var parameters: [CFString: Any] {
            switch self {
            case .es256: [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256]
            case .rs256: [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048]
            }
        }

        fileprivate var tag: Data { Data("com.example.tokens.\(rawValue)".utf8) }
    }

    let kind: Kind
    private let key: SecKey

    /// Finds the key of this kind, or creates it.
    init(_ kind: Kind) throws {
        self.kind = kind
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrApplicationTag: kind.tag,
            kSecReturnRef: true,
        ]
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecSuccess, let found {
            // swift-format-ignore: NeverForceUnwrap
            key = found as! SecKey
            return
        }
        guard status == errSecItemNotFound else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
        let stored: [CFString: Any] = [
            kSecAttrIsPermanent: true, kSecAttrApplicationTag: kind.tag, kSecAttrLabel: "Key for tokens",
        ]
        let parameters = kind.parameters.merging([kSecPrivateKeyAttrs: stored]) { $1 }
        var error: Unmanaged<CFError>?
        guard let made = SecKeyCreateRandomKey(parameters as CFDictionary, &error) else {
            // swift-format-ignore: NeverForceUnwrap
            throw error!.takeRetainedValue() as any Error
        }
        key = made
    }

    /// A token with these claims: RFC 7515, section 3.1.
    func token(_ claims: [String: String]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let header = try encoder.encode(["alg": kind.rawValue, "typ": "JWT"])
        let signed = "\(header.base64URL).\(try encoder.encode(claims).base64URL)"
        var error: Unmanaged<CFError>?
        guard let signature = SecKeyCreateSignature(key, kind.algorithm, Data(signed.utf8) as CFData, &error) else {
            // swift-format-ignore: NeverForceUnwrap
            throw error!.takeRetainedValue() as any Error
        }
        return "\(signed).\((signature as Data).base64URL)"
    }

    /// Whether this key has signed a token.
    func verifies(_ token: String) -> Bool {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let publicKey = SecKeyCopyPublicKey(key), let signature = Data(base64URL: parts[2])
        else {
            return false
        }
        let signed = Data("\(parts[0]).\(parts[1])".utf8)
        return SecKeyVerifySignature(publicKey, kind.algorithm, signed as CFData, signature as CFData, nil)
    }

    /// The public key, in Apple's form.
    var publicBytes: Data? {
        SecKeyCopyPublicKey(key).flatMap { SecKeyCopyExternalRepresentation($0, nil) as Data? }
    }
}

extension Data {
    /// Base64 for addresses, without padding.
    var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    init?(base64URL text: Substring) {
        let digits = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        self.init(base64Encoded: digits + String(repeating: "=", count: (4 - digits.count % 4) % 4))
    }
}
