import Foundation
import Security
import Testing

/// The rest of section 3.1 of Apple's behaviour: protections, prompts, issuers, and what is checked first.
@Suite("Calls: checks of a dictionary", .ownKeychain) struct CallCheckTests {
    // MARK: - Protections

    @Test(arguments: ["", "AK", "x", "akp", "kSecAttrAccessibleWhenUnlocked", "f"])
    func `a protection that is none, in any dictionary: errSecParam`(text: String) {
        #expect(Call.add(.genp("kim")) == 0)
        #expect(Call.all(.genp([kSecAttrAccessible: text])) == .four(-50))
        #expect(Call.update(.genp(), [kSecAttrAccessible: text]) == -50)
    }

    @Test func `a protection beside an access control with a table of its own: errSecParam`() throws {
        let control = try CallCheckTests.control([])
        let both: [CFString: Any] = [
            kSecAttrAccessControl: control, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
        ]
        #expect(Call.all(.genp(both)) == .four(-50))
        #expect(Call.add(.genp()) == 0)
        #expect(Call.update(.genp(), both) == -50)
    }

    @Test func `a protection and the access control that came back with it go together`() throws {
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
    func `an access control is an object of its own: errSecParam`(value: CallValue) {
        #expect(Call.all(.genp([kSecAttrAccessControl: value.object])) == .four(-50))
        #expect(Call.add(.genp()) == 0)
        #expect(Call.update(.genp(), [kSecAttrAccessControl: value.object]) == -50)
    }

    // MARK: - Prompts

    @Test func `to leave out what needs a prompt is for queries: errSecParam elsewhere`() {
        let query: [CFString: Any] = .genp([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
        #expect(Call.all(query) == [-50, -25300, -50, -50])
        #expect(Call.add(.genp()) == 0)
        #expect(Call.all(query) == [-50, 0, -50, -50])
    }

    @Test(arguments: ["u_AuthUIA", "u_AuthUIF", "other", 1, true, .null] as [CallValue])
    func `any other choice about prompts allows them`(value: CallValue) {
        #expect(Call.all(.genp([kSecUseAuthenticationUI: value.object])) == .four(0))
    }

    @Test(arguments: ["u_NoAuthUI", "u_OpPrompt", "u_AuthCtx", "u_CallerName", "u_TokenRawItems", "u_CredRef"])
    func `what else is said about prompts is accepted`(key: String) {
        #expect(Call.all(.genp([key as CFString: "words"])) == .four(0))
    }

    @Test func `a context and a credential together: errSecParam`() {
        let both: [CFString: Any] = [kSecUseAuthenticationContext: NSObject(), "u_CredRef": Data("x")]
        #expect(Call.all(.genp(both)) == .four(-50))
    }

    @Test func `nothing is asked for, so what has conditions is found also by who forbids a prompt`() throws {
        #expect(Call.add(.genp([kSecAttrAccessControl: try Self.control(.userPresence)])) == 0)
        let choices = [kSecUseAuthenticationUIFail, kSecUseAuthenticationUISkip, kSecUseAuthenticationUIAllow]
        for choice in choices { #expect(Call.find(.genp([kSecUseAuthenticationUI: choice])) == 0) }
    }

    // MARK: - Issuers

    @Test(arguments: ["x", 1, true, .null, .date(0)] + CallValue.others)
    func `an issuer is bytes: errSecParam`(value: CallValue) {
        #expect(Call.all(.cert([kSecAttrIssuer: value.object])) == .four(-50))
        #expect(Call.add(.cert()) == 0)
        #expect(Call.update(.cert(), [kSecAttrIssuer: value.object]) == -50)
    }

    // MARK: - Order of checks

    @Test func `objects are looked at before groups: errSecParam before errSecMissingEntitlement`() throws {
        try CallSample.asProgram { () throws in
            for wrong in [[kSecAttrAccessControl: "x"], [kSecAttrIssuer: "x"], ["clip": 1]] as [[CFString: Any]] {
                #expect(Call.all(wrong) == .four(-50))
            }
        }
    }

    @Test func `groups are looked at before the dictionary: errSecMissingEntitlement before errSecParam`() throws {
        try CallSample.asProgram { () throws in
            #expect(Call.all([:]) == .four(-34018))
            #expect(Call.all(["nonsense": 1]) == .four(-34018))
            #expect(Call.all([kSecClass: "apls"]) == .four(-34018))
        }
    }

    @Test func `a group that is named is looked at before the rest by an update or a deletion, else after it`() throws {
        try CallSample.asProgram("T.one") { () throws in
            let foreign: [CFString: Any] = [kSecAttrAccessGroup: "T.two"]
            #expect(Call.all(.genp(foreign)) == .four(-34018))
            #expect(Call.all(foreign) == [-50, -50, -34018, -34018])
            #expect(Call.all(foreign.with([kSecClass: "apls"])) == [-25306, -25306, -34018, -34018])
            #expect(Call.all(.genp(foreign.with(["abcd": 1]))) == [-25303, -25303, -34018, -34018])
        }
    }

    @Test func `a group that is no text is looked at before the rest by an update or a deletion`() throws {
        try CallSample.asProgram("T.one") { () throws in
            #expect(Call.all([kSecAttrAccessGroup: 1]) == [-50, -50, -34018, -34018])
        }
    }

    static func control(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
        try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
    }
}
