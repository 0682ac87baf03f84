import Coffer
import CofferSecurity
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, section 1: how the keys of a request are recognized.
@Suite("Requests", .temporaryDirectory) struct RequestTests {
    /// Expects the same error from all four operations.
    private func expect(_ error: KeychainError, of request: ItemRequest) throws {
        let keychain = try KeychainSample().keychain
        #expect(throws: error) { try keychain.add(request) }
        #expect(throws: error) { try keychain.find(request) }
        #expect(throws: error) { try keychain.update(request, with: [:]) }
        #expect(throws: error) { try keychain.delete(request) }
    }

    @Test func `a class is required`() throws {
        try expect(.invalid(.missingClass), of: [:])
        try expect(.invalid(.missingClass), of: ["acct": "kim"])
    }

    @Test(arguments: [ItemValue.integer(1), data("genp"), .null, .bool(true)])
    func `a class must be text`(value: ItemValue) throws {
        try expect(.invalid(.missingClass), of: ["class": value])
    }

    @Test(arguments: ["apls", "", "GENP", "genp ", "passwords"])
    func `there are five classes`(name: String) throws {
        try expect(.noSuchClass(name), of: ["class": .string(name)])
    }

    @Test(arguments: [
        ("inet", "svce"), ("inet", "gena"), ("genp", "srvr"), ("genp", "port"), ("genp", "path"), ("cert", "atag"),
        ("keys", "desc"), ("keys", "icmt"), ("keys", "invi"), ("keys", "acct"), ("cert", "acct"), ("cert", "crtr"),
        ("cert", "type"), ("genp", "volm"), ("genp", "addr"), ("inet", "afps"), ("cert", "crlt"), ("cert", "crle"),
        ("keys", "salt"), ("genp", "spwd"), ("genp", "abcd"), ("genp", "äöüß"), ("genp", "ACCT"),
    ])
    func `an attribute of another class or of none is rejected`(itemClass: String, name: String) throws {
        try expect(.noSuchAttribute(name), of: ["class": .string(itemClass), name: "x"])
    }

    @Test(arguments: [
        "account", "label", "", "a", "x_Data", "clas", "classes", "cla", "r_Dat", "r_Everything", "rowid", "u_Keychain",
        "u_CertWithIssuers", "v_Value", "v_Ref", "prf", "rounds", "persistref",
    ])
    func `an unknown key is an error or an unknown attribute`(key: String) throws {
        let error: KeychainError = key.utf16.count == 4 ? .noSuchAttribute(key) : .invalid(.unknownKey(key))
        try expect(error, of: password.with([key: true]))
    }

    @Test(arguments: ["clip", "data", "v_pk"])
    func `internal attributes are rejected`(name: String) throws {
        try expect(.invalid(.unknownKey(name)), of: password.with([name: data("x")]))
    }

    @Test func `a key must be text`() throws {
        var request = password
        request.hasNumberKey = true
        try expect(.noSuchAttribute(""), of: request)
        request = password
        request.hasOtherKey = true
        try expect(.invalid(.keyNotText), of: request)
    }

    @Test(arguments: [ItemValue.bool(true), "no", 7, .null])
    func `the key that chooses a macOS keychain is ignored`(value: ItemValue) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["nleg": value]))
        #expect(try keychain.find(password.with(["nleg": value, "r_Data": true])) == .missing)
        try keychain.update(password.with(["nleg": value]), with: ["nleg": value])
        try keychain.delete(password.with(["nleg": value]))
    }

    @Test(arguments: ["f_callback", "f_", "fnord"])
    func `callbacks are ignored`(key: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with([key: 1]))
        #expect(try keychain.count(password) == 1)
    }

    @Test(arguments: ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"], [ItemValue.integer(1), "true", .null])
    func `a return key must be a Boolean`(key: String, value: ItemValue) throws {
        try expect(.invalid(.value(of: key)), of: password.with([key: value]))
    }

    @Test(arguments: ["", "F", "AK", "x", "akp"])
    func `a protection must be one of seven, in queries too`(text: String) throws {
        try expect(.invalid(.value(of: "pdmn")), of: password.with(["pdmn": .string(text)]))
    }

    @Test func `no item can have the until-reboot protection`() throws {
        let keychain = try KeychainSample().keychain
        let request = password.with(["pdmn": "f"])
        #expect(throws: KeychainError.invalid(.value(of: "pdmn"))) { try keychain.add(request) }
        try keychain.add(password)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(request) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.update(request, with: ["acct": "lee"]) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(request) }
        #expect(try keychain.count(password) == 1)
        let control = try #require(AccessControl(.whenUnlocked, []))
        #expect(throws: KeychainError.invalid(.conflictingProtection)) {
            try keychain.find(request.with(["accc": .accessControl(control)]))
        }
    }

    @Test(arguments: [ItemValue.string("x"), data("x"), 1, .bool(true), .null])
    func `an access control must have its own type`(value: ItemValue) throws {
        try expect(.invalid(.value(of: "accc")), of: password.with(["accc": value]))
    }

    @Test func `a protection and an access control cannot be combined`() throws {
        let control = try #require(AccessControl(.whenUnlocked, []))
        let request = password.with(["accc": .accessControl(control), "pdmn": "ak"])
        try expect(.invalid(.conflictingProtection), of: request)
    }

    @Test func `the returned protection and access control can be passed in again`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["pdmn": "ck"]))
        let attributes = try keychain.attributes(password)
        let again = password.with(["pdmn": attributes["pdmn"] ?? .null, "accc": attributes["accc"] ?? .null])
        #expect(try keychain.count(again) == 1)
        try keychain.delete(password)
        try keychain.add(again)
    }

    @Test func `an access control with conditions cannot be synchronizable`() throws {
        let control = try #require(AccessControl(.whenUnlocked, []))
        let request = password.with(["accc": .accessControl(control), "sync": true])
        try expect(.invalid(.conditionsOnSynchronizableItem), of: request)
    }

    @Test(arguments: [
        "pcss", "pcsk", "pcsi", "dspk", "sysb", "ggrp", "binn", "bini", "bin0", "bin1", "bin2", "bin3",
    ])
    func `attributes reserved for Apple's systems are rejected`(name: String) throws {
        let request: ItemRequest = ["class": "inet", name: 1]
        try expect(.notEntitled(.reservedAttribute(name)), of: request)
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": "inet"])
        if name != "ggrp" {
            #expect(throws: KeychainError.notEntitled(.reservedAttribute(name))) {
                try keychain.update(["class": "inet"], with: [name: 1])
            }
        }
    }

    @Test func `a request with too many keys is rejected`() throws {
        var request = password
        for number in 0..<130 { request["m_\(number)"] = true }
        try expect(.invalid(.tooManyKeys), of: request)
    }

    @Test func `skipping items that need a prompt is allowed in queries only`() throws {
        let keychain = try KeychainSample().keychain
        let request = password.with(["u_AuthUI": "u_AuthUIS"])
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(request) }
        let error = KeychainError.invalid(.keyNotAllowedHere("u_AuthUI"))
        #expect(throws: error) { try keychain.add(request) }
        #expect(throws: error) { try keychain.update(request, with: [:]) }
        #expect(throws: error) { try keychain.delete(request) }
    }

    @Test(arguments: [ItemValue.string("maybe"), data("x"), .null, .real(0.5)])
    func `the key for deletion marks must be a number`(value: ItemValue) throws {
        try expect(.invalid(.value(of: "u_Tomb")), of: password.with(["u_Tomb": value]))
    }

    @Test(arguments: [ItemValue.bool(true), 0, "1"])
    func `deletions leave no marks whatever the key for marks says`(value: ItemValue) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        try keychain.delete(password.with(["u_Tomb": value]))
        #expect(try keychain.count(password.with(["tomb": 1])) == 0)
    }

    @Test(arguments: ["u_SystemKeychain", "u_SystemKeychainAlways", "u_SyncBubbleKeychain"])
    func `keys of system keychains are rejected`(key: String) throws {
        try expect(.notEntitled(.reservedAttribute(key)), of: password.with([key: true]))
    }

    @Test(arguments: ["u_AuthUIA", "u_AuthUIF", "other"])
    func `other prompt settings are accepted`(choice: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["u_AuthUI": .string(choice)]))
        #expect(try keychain.count(password.with(["u_AuthUI": .string(choice)])) == 1)
    }
}
