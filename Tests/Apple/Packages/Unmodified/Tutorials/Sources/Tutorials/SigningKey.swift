// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import Security

/// A key pair in the keychain, which signs.
struct SigningKey {
    let tag: Data

    init(_ tag: String) {
        self.tag = tag.data(using: .utf8)!
    }

    func make() throws -> SecKey {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits as String: 256,
            kSecPrivateKeyAttrs as String: [
                kSecAttrIsPermanent as String: true,
                kSecAttrApplicationTag as String: tag,
            ] as [String: Any],
        ]
        var error: Unmanaged<CFError>?
        guard let privateKey = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
            throw error!.takeRetainedValue() as Error
        }
        return privateKey
    }

    func stored() -> SecKey? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: tag,
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecReturnRef as String: true,
        ]
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess else { return nil }
        return (item as! SecKey)
    }

    func delete() {
        SecItemDelete([kSecClass: kSecClassKey, kSecAttrApplicationTag: tag] as CFDictionary)
    }

    static func sign(_ message: Data, with key: SecKey) throws -> Data {
        let algorithm: SecKeyAlgorithm = .ecdsaSignatureMessageX962SHA256
        var error: Unmanaged<CFError>?
        guard SecKeyIsAlgorithmSupported(key, .sign, algorithm),
            let signature = SecKeyCreateSignature(key, algorithm, message as CFData, &error) as Data?
        else { throw error!.takeRetainedValue() as Error }
        return signature
    }

    static func verify(_ signature: Data, of message: Data, with key: SecKey) -> Bool {
        guard let publicKey = SecKeyCopyPublicKey(key) else { return false }
        var error: Unmanaged<CFError>?
        let algorithm: SecKeyAlgorithm = .ecdsaSignatureMessageX962SHA256
        return SecKeyVerifySignature(publicKey, algorithm, message as CFData, signature as CFData, &error)
    }
}
