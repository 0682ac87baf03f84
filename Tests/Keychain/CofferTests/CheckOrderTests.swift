import Coffer
import CofferSecurity
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, section 1: which of two errors is reported.
@Suite("Order of checks", .temporaryDirectory) struct CheckOrderTests {
    private static let declared = AccessGroups(declared: ["T.one"])
    private let foreign: ItemRequest = ["class": "genp", "agrp": "T.two", "nonsense": 1]

    private func expect(_ error: KeychainError, of request: ItemRequest, in groups: AccessGroups) throws {
        let keychain = try KeychainSample(groups).keychain
        #expect(throws: error) { try keychain.add(request) }
        #expect(throws: error) { try keychain.find(request) }
        #expect(throws: error) { try keychain.update(request, with: [:]) }
        #expect(throws: error) { try keychain.delete(request) }
    }

    @Test func `adding and finding read the request before they check its group`() throws {
        let keychain = try KeychainSample(Self.declared).keychain
        let error = KeychainError.invalid(.unknownKey("nonsense"))
        #expect(throws: error) { try keychain.add(foreign) }
        #expect(throws: error) { try keychain.find(foreign) }
    }

    @Test func `updating and deleting check the group before they read the request`() throws {
        let keychain = try KeychainSample(Self.declared).keychain
        let error = KeychainError.notEntitled(.group("T.two"))
        for request in [foreign, ["agrp": "T.two"], ["class": "apls", "agrp": "T.two"]] as [ItemRequest] {
            #expect(throws: error) { try keychain.update(request, with: ["nonsense": 1]) }
            #expect(throws: error) { try keychain.delete(request) }
        }
    }

    @Test func `forbidden keys are reported before groups are checked`() throws {
        try expect(.invalid(.unknownKey("clip")), of: ["clip": 1], in: AccessGroups(declared: []))
    }

    @Test func `objects are checked before groups`() throws {
        let none = AccessGroups(declared: [])
        try expect(.invalid(.value(of: "accc")), of: ["accc": "x"], in: none)
        try expect(.invalid(.value(of: "issr")), of: ["issr": "x"], in: none)
        try expect(.invalid(.keyNotAllowedHere("u_CredRef")), of: ["u_AuthCtx": 1, "u_CredRef": data("x")], in: none)
    }

    @Test func `a context and a credential cannot be combined`() throws {
        let request = password.with(["u_AuthCtx": .other, "u_CredRef": data("x")])
        try expect(.invalid(.keyNotAllowedHere("u_CredRef")), of: request, in: Self.declared)
    }

    @Test(arguments: ["u_AuthCtx", "u_CredRef"])
    func `a context or a credential alone is accepted`(key: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with([key: .other]))
        #expect(try keychain.count(password.with([key: .other])) == 1)
    }

    @Test func `changes are read before the search`() throws {
        let keychain = try KeychainSample(Self.declared).keychain
        #expect(throws: KeychainError.noSuchAttribute("srvr")) { try keychain.update(password, with: ["srvr": "x"]) }
        #expect(throws: KeychainError.notEntitled(.group("T.two"))) {
            try keychain.update(password, with: ["agrp": "T.two"])
        }
    }

    @Test func `data for an identity are rejected before a key that is not text`() throws {
        let keychain = try KeychainSample(Self.declared).keychain
        var changes: ItemRequest = ["v_Data": data("x")]
        changes.hasOtherKey = true
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere("v_Data"))) {
            try keychain.update(["class": "idnt"], with: changes)
        }
        #expect(throws: KeychainError.invalid(.keyNotText)) { try keychain.update(password, with: changes) }
    }

    @Test(arguments: [data("\u{E9}"), .data([0xFF])])
    func `a group in bytes must be valid text`(value: ItemValue) throws {
        let keychain = try KeychainSample(AccessGroups(declared: ["\u{E9}"])).keychain
        guard value != .data([0xFF]) else {
            #expect(throws: KeychainError.invalid(.value(of: "agrp"))) {
                try keychain.find(password.with(["agrp": value]))
            }
            return
        }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password.with(["agrp": value])) }
    }

    @Test(arguments: [ItemValue.string("a"), 1, .bool(true), .null, .array([]), .other])
    func `data must be bytes even where they are ignored`(value: ItemValue) throws {
        let request = password.with(["v_Data": value])
        try expect(.invalid(.value(of: "v_Data")), of: request, in: Self.declared)
    }

    @Test func `no item can move to the token group`() throws {
        let keychain = try KeychainSample(AccessGroups(declared: ["T.one", "com.apple.token"])).keychain
        try keychain.add(password)
        #expect(throws: KeychainError.notEntitled(.group("com.apple.token"))) {
            try keychain.update(password, with: ["agrp": "com.apple.token"])
        }
        #expect(try keychain.count(password.with(["agrp": "T.one"])) == 1)
    }
}
