import Foundation
import Security
import Testing

/// Protection classes, prompts, issuers and the order of checks (`Spec/keychain-behavior.md`, section 1).
@Suite("Calls: checks of a dictionary", .ownKeychain) struct CallCheckTests {
    // MARK: - Protections

    @Test(arguments: ["", "AK", "x", "akp", "kSecAttrAccessibleWhenUnlocked", "F"])
    func `an invalid protection class, in any dictionary: errSecParam`(text: String) {
        #expect(Call.add(.genp("kim")) == 0)
        #expect(Call.all(.genp([kSecAttrAccessible: text])) == .four(-50))
        #expect(Call.update(.genp(), [kSecAttrAccessible: text]) == -50)
    }

    @Test func `the protection class until reboot, valid only in queries: errSecItemNotFound`() throws {
        #expect(Call.add(.genp("kim")) == 0)
        #expect(Call.all(.genp([kSecAttrAccessible: "f"])) == [-50, -25300, -25300, -25300])
        #expect(Call.update(.genp(), [kSecAttrAccessible: "f"]) == -50)
        let control = try CallCheckTests.control([])
        #expect(Call.find(.genp([kSecAttrAccessible: "f", kSecAttrAccessControl: control])) == -50)
    }

    @Test func `a protection class together with a new access control: errSecParam`() throws {
        let control = try CallCheckTests.control([])
        let both: [CFString: Any] = [
            kSecAttrAccessControl: control, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
        ]
        #expect(Call.all(.genp(both)) == .four(-50))
        #expect(Call.add(.genp()) == 0)
        #expect(Call.update(.genp(), both) == -50)
    }

    @Test func `a protection class can accompany the access control that came back with it`() throws {
        #expect(Call.add(.genp([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])) == 0)
        let found = try Call.attributes(.genp())
        let control = try #require(found["accc"] as? SecAccessControl)
        let again: [CFString: Any] = .genp([kSecAttrAccessible: "ck", kSecAttrAccessControl: control])
        #expect(Call.find(again) == 0)
        #expect(Call.update(again, [kSecAttrAccessible: "ck", kSecAttrAccessControl: control]) == 0)
        #expect(Call.delete(again) == 0)
        #expect(Call.add(again) == 0)
        #expect(Call.find(again.with([kSecAttrAccessible: "ak"])) == -50)
    }

    @Test(arguments: ["x", 1, true, .data("x"), .null, .date(0)] + CallValue.others)
    func `a value other than a SecAccessControl: errSecParam`(value: CallValue) {
        #expect(Call.all(.genp([kSecAttrAccessControl: value.object])) == .four(-50))
        #expect(Call.add(.genp()) == 0)
        #expect(Call.update(.genp(), [kSecAttrAccessControl: value.object]) == -50)
    }

    // MARK: - Prompts

    @Test func `skipping items that need a prompt, outside queries: errSecParam`() {
        let query: [CFString: Any] = .genp([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
        #expect(Call.all(query) == [-50, -25300, -50, -50])
        #expect(Call.add(.genp()) == 0)
        #expect(Call.all(query) == [-50, 0, -50, -50])
    }

    @Test(arguments: ["u_AuthUIA", "u_AuthUIF", "other", 1, true, .null] as [CallValue])
    func `any other value for prompts allows them`(value: CallValue) {
        #expect(Call.all(.genp([kSecUseAuthenticationUI: value.object])) == .four(0))
    }

    @Test(arguments: ["u_NoAuthUI", "u_OpPrompt", "u_AuthCtx", "u_CallerName", "u_TokenRawItems", "u_CredRef"])
    func `other keys about prompts are accepted`(key: String) {
        #expect(Call.all(.genp([key as CFString: "words"])) == .four(0))
    }

    @Test func `a context and a credential together: errSecParam`() {
        let both: [CFString: Any] = [kSecUseAuthenticationContext: NSObject(), "u_CredRef": Data("x")]
        #expect(Call.all(.genp(both)) == .four(-50))
    }

    // MARK: - Issuers

    @Test(arguments: ["x", 1, true, .null, .date(0)] + CallValue.others)
    func `an issuer that is not data: errSecParam`(value: CallValue) {
        #expect(Call.all(.cert([kSecAttrIssuer: value.object])) == .four(-50))
        #expect(Call.add(.cert()) == 0)
        #expect(Call.update(.cert(), [kSecAttrIssuer: value.object]) == -50)
    }

    // MARK: - Order of checks

    @Test func `objects are checked before groups: errSecParam before errSecMissingEntitlement`() throws {
        try CallSample.asProgram { () throws in
            let both: [CFString: Any] = [kSecUseAuthenticationContext: NSObject(), "u_CredRef": Data("x")]
            for wrong in [[kSecAttrAccessControl: "x"], [kSecAttrIssuer: "x"], ["clip": 1], both] {
                #expect(Call.all(wrong) == .four(-50))
            }
        }
    }

    @Test func `groups are checked before the dictionary: errSecMissingEntitlement before errSecParam`() throws {
        try CallSample.asProgram { () throws in
            #expect(Call.all([:]) == .four(-34018))
            #expect(Call.all(["nonsense": 1]) == .four(-34018))
            #expect(Call.all([kSecClass: "apls"]) == .four(-34018))
        }
    }

    @Test func `updates and deletions check a named group first, other calls check it last`() throws {
        try CallSample.asProgram("T.one") { () throws in
            let foreign: [CFString: Any] = [kSecAttrAccessGroup: "T.two"]
            #expect(Call.all(.genp(foreign)) == .four(-34018))
            #expect(Call.update(.genp(foreign), ["nonsense": 1]) == -34018)
            #expect(Call.all(foreign) == [-50, -50, -34018, -34018])
            #expect(Call.all(foreign.with([kSecClass: "apls"])) == [-25306, -25306, -34018, -34018])
            #expect(Call.all(.genp(foreign.with(["abcd": 1]))) == [-25303, -25303, -34018, -34018])
        }
    }

    @Test func `updates and deletions check a group that is not a string first`() throws {
        try CallSample.asProgram("T.one") { () throws in
            #expect(Call.all([kSecAttrAccessGroup: 1]) == [-50, -50, -34018, -34018])
        }
    }

    static func control(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
        try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
    }
}
