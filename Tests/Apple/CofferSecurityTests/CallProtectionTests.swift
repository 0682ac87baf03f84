import Coffer
import Foundation
import Security
import KeychainTestSupport
import TestSupport
import Testing

/// Protection classes and access controls (`Spec/keychain-behavior.md`, sections 3, 5 and 15).
@Suite("Calls: protections", .ownKeychain) struct CallProtectionTests {
    private static let protections = [
        kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleAlways,
        kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        kSecAttrAccessibleAlwaysThisDeviceOnly,
    ].map(String.init)

    @Test(arguments: protections, ["genp", "inet", "cert", "keys"])
    func `every item class can have every protection class`(protection: String, itemClass: String) throws {
        #expect(Call.add(.item(itemClass, [kSecAttrAccessible: protection])) == 0)
        #expect(try Call.attributes(.item(itemClass))["pdmn"] as? String == protection)
        #expect(Call.find(.item(itemClass, [kSecAttrAccessible: Data(protection)])) == 0)
        #expect(Call.find(.item(itemClass, [kSecAttrAccessible: protection])) == 0)
    }

    @Test(arguments: [("genp", "ak"), ("inet", "ak"), ("keys", "ak"), ("cert", "dk")])
    func `each item class has its own default protection class`(itemClass: String, protection: String) throws {
        #expect(Call.add(.item(itemClass)) == 0)
        #expect(try Call.attributes(.item(itemClass))["pdmn"] as? String == protection)
    }

    @Test(arguments: ["genp", "cert"]) func `one group has its own default protection class`(itemClass: String) throws {
        let item: [CFString: Any] = .item(itemClass, [kSecAttrAccessGroup: "com.apple.apsd"])
        #expect(Call.add(item) == 0)
        #expect(try Call.attributes(item)["pdmn"] as? String == "dku")
    }

    @Test(arguments: protections) func `an access control sets its protection class`(protection: String) throws {
        let control = try #require(SecAccessControlCreateWithFlags(nil, protection as CFString, .userPresence, nil))
        #expect(Call.add(.cert([kSecAttrAccessControl: control])) == 0)
        let attributes = try AuthenticationHost.with(.willing) { try Call.attributes(.cert()) }
        #expect(attributes["pdmn"] as? String == protection)
    }

    // MARK: - Access controls

    @Test(
        arguments: [
            [], .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode,
            [.biometryAny, .devicePasscode, .or], [.biometryCurrentSet, .devicePasscode, .and], .privateKeyUsage,
            .applicationPassword, [.userPresence, .applicationPassword, .privateKeyUsage],
        ] as [SecAccessControlCreateFlags]
    )
    func `additions and queries return the access control`(flags: SecAccessControlCreateFlags) throws {
        let control = try CallCheckTests.control(flags)
        let item: [CFString: Any] = .keys([kSecAttrAccessControl: control, kSecReturnAttributes: true])
        let isBound = flags.contains(.biometryCurrentSet)
        try AuthenticationHost.with(.willing) {
            let added = (try Call.added(item) as? [String: Any])?["accc"] as? SecAccessControl
            // One that is bound to the enrolled biometry is no longer the one that was given.
            #expect((added == control) != isBound)
            #expect(try Call.attributes(.keys())["accc"] as? SecAccessControl == added)
        }
    }

    @Test func `an item stored without an access control returns one with only the protection class`() throws {
        #expect(Call.add(.genp("kim", [kSecAttrAccessible: "ck"])) == 0)
        #expect(Call.add(.genp("lee", [kSecAttrAccessible: "ck"])) == 0)
        let kim = try #require(try Call.attributes(.genp("kim"))["accc"] as? SecAccessControl)
        let lee = try #require(try Call.attributes(.genp("lee"))["accc"] as? SecAccessControl)
        #expect(kim == lee)
        let flagged = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAfterFirstUnlock, [], nil)
        #expect(kim != flagged)
    }

    @Test(arguments: ["genp", "inet", "cert"]) func `only keys can have conditions for using a private key`(
        itemClass: String
    ) throws {
        let control = try CallCheckTests.control(.privateKeyUsage)
        #expect(Call.add(.item(itemClass, [kSecAttrAccessControl: control])) == -50)
        #expect(Call.add(.item(itemClass)) == 0)
        #expect(Call.update(.item(itemClass), [kSecAttrAccessControl: control]) == -50)
    }
}
