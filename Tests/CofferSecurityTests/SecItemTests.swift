import Coffer
import Foundation
import Security
import Testing

@Suite("SecItem") struct SmokeTests {
    @Test func smoke() throws {
        let dir = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        let places = VaultPlaces(vault: dir + "/v.coffer", deviceKey: dir + "/device.key", anchors: nil)
        let notices = { @Sendable (n: KeychainNotice) in print(n) }
        let keychain = DefaultKeychain(options: VaultOptions(places: places), notices: notices)
        try Keychain.withDefault(keychain) {
            let q = [kSecClass: kSecClassGenericPassword, kSecAttrService: "svc"] as [String: Any]
            #expect(SecItemCopyMatching(q as CFDictionary, nil) == errSecItemNotFound)
            #expect(SecItemDelete(q as CFDictionary) == errSecItemNotFound)
            #expect(!FileManager.default.fileExists(atPath: dir))
            let add =
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: "svc", kSecAttrAccount: "me",
                    kSecValueData: Data("pw".utf8),
                ] as [String: Any]
            #expect(SecItemAdd(add as CFDictionary, nil) == 0)
            #expect(SecItemAdd(add as CFDictionary, nil) == errSecDuplicateItem)
            var item: CFTypeRef?
            let status = SecItemCopyMatching(
                [
                    kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "me",
                    kSecReturnData as String: true, kSecReturnAttributes as String: kCFBooleanTrue!,
                ] as CFDictionary,
                &item
            )
            #expect(status == 0)
            let d = try #require(item as? [String: Any])
            print(d)
            #expect(d[kSecValueData as String] as? Data == Data("pw".utf8))
            let a = try #require(item as? [AnyHashable: Any])
            #expect(a[kSecAttrAccount] as? String == "me")
            #expect(d[kSecAttrSynchronizable as String] as? Bool == false)
            #expect(d[kSecAttrSynchronizable as String] as? Int == 0)
        }
    }
}
