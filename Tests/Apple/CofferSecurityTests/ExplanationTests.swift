import Coffer
import Foundation
import Security
import Synchronization
import TestSupport
import Testing

@testable import CofferSecurity

/// The explanations of failed calls (`Spec/keychain-behavior.md`, section 10).
@Suite("Explanations of failed calls", .temporaryDirectory) struct ExplanationTests {
    /// What the listener of a keychain hears while `body` runs.
    private func heard(_ body: () throws -> Void) throws -> [String] {
        let directory = try TemporaryDirectory.current.path
        let notices = Mutex<[String]>([])
        let keychain = Keychain(
            options: VaultOptions(
                locations: VaultLocations(
                    vault: directory + "/a.coffer",
                    deviceKey: directory + "/device.key",
                    anchors: nil
                )
            ),
            groups: AccessGroups(declared: ["T.one"]),
            notices: { notice in
                if notice.kind == .callFailed { notices.withLock { $0.append(notice.description) } }
            }
        )
        try Keychain.withDefault(keychain, operation: body)
        return notices.withLock(\.self)
    }

    private func item(_ changes: [CFString: Any] = [:]) -> CFDictionary {
        let item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim-account"]
        return item.merging(changes) { $1 } as CFDictionary
    }

    @Test func `each names the call, its status and the key, and none contains a value`() throws {
        let secret: [CFString: Any] = [kSecValueData: Data("hunter2".utf8)]
        let heard = try heard {
            SecItemAdd(item(secret), nil)
            SecItemAdd(item(secret), nil)
            SecItemAdd(item([kSecMatchLimit: kSecMatchLimitOne]), nil)
            SecItemCopyMatching(item([kSecAttrServer: "secret.example"]), nil)
            SecItemCopyMatching(item([kSecAttrAccessGroup: "T.secret"]), nil)
            SecItemUpdate(item(), ["zzzz": "secret"] as CFDictionary)
            SecItemDelete([kSecClass: "secret"] as CFDictionary)
            SecItemDelete(item([kSecAttrService: "secret"]))
        }
        let starts = [
            "SecItemAdd failed with -25299: ", "SecItemAdd failed with -50: ",
            "SecItemCopyMatching failed with -25303: ",
            "SecItemCopyMatching failed with -34018: ", "SecItemUpdate failed with -25303: ",
            "SecItemDelete failed with -25306: ", "SecItemDelete failed with -25300: ",
        ]
        #expect(heard.count == starts.count)
        for (line, start) in zip(heard, starts) { #expect(line.hasPrefix(start), "\(line)") }
        for (line, key) in zip(heard[1...], ["kSecMatchLimit", "kSecAttrServer"]) {
            #expect(line.contains("\"\(key)\""), "\(line)")
        }
        for line in heard {
            #expect(!["secret", "hunter2", "kim-account", "\n"].contains { line.contains($0) }, "\(line)")
        }
    }

    @Test func `functions for keys, trust and files explain themselves too`() throws {
        let heard = try heard {
            var items: CFArray?
            SecPKCS12Import(Data([0x30, 0]) as CFData, [:] as CFDictionary, &items)
            SecItemImport(Data() as CFData, nil, nil, nil, [], nil, nil, nil)
            var data: CFData?
            SecItemExport("text" as CFString, .formatUnknown, [], nil, &data)
            var trust: SecTrust?
            SecTrustCreateWithCertificates([] as CFArray, nil, &trust)
        }
        let functions = ["SecPKCS12Import", "SecItemImport", "SecItemExport", "SecTrustCreateWithCertificates"]
        #expect(heard.map { String($0.prefix { $0 != " " }) } == functions)
    }

    @Test func `failed calls of the listener are not explained`() throws {
        let path = try TemporaryDirectory.current.path + "/a.coffer"
        let count = Atomic(0)
        let keychain = Keychain(
            options: VaultOptions(locations: VaultLocations(vault: path, deviceKey: path + ".key", anchors: nil)),
            groups: AccessGroups(application: "com.example.listener"),
            notices: { _ in
                count.add(1, ordering: .relaxed)
                SecItemDelete([kSecClass: kSecClassKey] as CFDictionary)
            }
        )
        Keychain.withDefault(keychain) { #expect(SecItemCopyMatching(item(), nil) == errSecItemNotFound) }
        #expect(count.load(ordering: .relaxed) == 1)
    }

    @Test func `a call that succeeds is not mentioned`() throws {
        #expect(try heard { SecItemAdd(item([kSecValueData: Data("x".utf8)]), nil) }.isEmpty)
    }

    private static let keys = PublishedConstant.all.filter { constant in
        let isValue =
            /kSecAttr(Protocol|AuthenticationType|Accessible|KeyType|KeyClass|Synchronizable).+|.*(UI.+|Limit.+)/
        return constant.value.wholeMatch(of: /[a-z]{4}|[mruv]_.+/) != nil
            && constant.name.contains(/^kSec(Attr|Match|Return|Use|Value)[A-Z]/)
            && constant.name.wholeMatch(of: isValue) == nil
    }

    @Test(arguments: keys) func `a key is named as its constant`(constant: PublishedConstant) {
        let named = constantName(constant.value)
        #expect(
            named == constant.name || PublishedConstant.all.contains { $0.name == named && $0.value == constant.value }
        )
    }

    @Test func `a key without a constant keeps its name`() {
        #expect(Self.keys.count > 60)
        #expect(constantName("zzzz") == "zzzz")
        #expect(constantName("m_Nothing") == "m_Nothing")
        #expect(constantName("") == "")
    }
}
