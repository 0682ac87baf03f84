import Coffer
import Foundation
import Security
import TestSupport
import Testing

@Suite("The README", .temporaryDirectory) struct ReadmeTests {
    @Test func `shows a working example of Security`() throws {
        let place = try TemporaryDirectory.current
        let places = VaultPlaces(
            vault: place.appending(path: "login.coffer").path,
            deviceKey: place.appending(path: "device.key").path,
            anchors: nil
        )
        let keychain = Keychain(options: VaultOptions(places: places), notices: { _ in })
        Keychain.withDefault(keychain) {
            let login: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "mail", kSecAttrAccount as String: "kim",
            ]
            let secret = [kSecValueData as String: Data("hunter2".utf8)]
            SecItemAdd(login.merging(secret) { $1 } as CFDictionary, nil)

            var item: CFTypeRef?
            let query = login.merging([kSecReturnData as String: true]) { $1 }
            let status = SecItemCopyMatching(query as CFDictionary, &item)
            #expect(status == errSecSuccess)
            #expect(item as? Data == Data("hunter2".utf8))
        }

        let readme = try String(contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
        let block = try #require(readme.components(separatedBy: "```swift\nimport Foundation\n").dropFirst().first)
        let lines = block.components(separatedBy: "```")[0].split(separator: "\n")
        #expect(lines.count > 8)
        let test = try String(contentsOfFile: #filePath, encoding: .utf8)
        for line in lines {
            let isTested = test.contains(line)
            #expect(isTested, "\(line)")
        }
    }

    @Test func `shows a manifest that is used in a test package`() throws {
        let readme = try String(contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
        let manifest = Repository.root.appending(path: "Tests/Apple/Packages/Neighbours/Package.swift")
        let tested = try String(contentsOf: manifest, encoding: .utf8)
        for words in [
            #".product(name: "Security", package: "coffer", condition: .when(platforms: [.linux]))"#,
            #".plugin(name: "ImportSecurity", package: "coffer")"#,
        ] {
            #expect(readme.contains(words))
            #expect(tested.contains(words))
        }
    }
}
