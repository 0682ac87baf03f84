import Coffer
import CofferSecurity
import TestSupport
import Testing

/// Section 8.5 of Apple's behaviour: which conditions there are, and what becomes of them.
@Suite("Access controls", .temporaryDirectory) struct AccessControlTests {
    typealias Conditions = AccessControl.Conditions

    @Test(
        arguments: [
            (.userPresence, 1), (.biometryAny, 1 << 1), (.biometryCurrentSet, 1 << 3), (.devicePasscode, 1 << 4),
            (.companion, 1 << 5), (.or, 1 << 14), (.and, 1 << 15), (.privateKeyUsage, 1 << 30),
            (.applicationPassword, 1 << 31),
        ] as [(Conditions, UInt32)]
    )
    func `each condition is a bit`(condition: Conditions, bits: UInt32) {
        #expect(condition.rawValue == bits)
    }

    @Test(
        arguments: [
            [], .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion,
            [.biometryAny, .devicePasscode, .or], [.biometryCurrentSet, .devicePasscode, .and], .privateKeyUsage,
            [.userPresence, .applicationPassword], [.userPresence, .privateKeyUsage], .applicationPassword,
            [.userPresence, .privateKeyUsage, .applicationPassword], .or, .and,
        ] as [Conditions]
    )
    func `conditions come back as they were stored`(conditions: Conditions) throws {
        let control = try #require(AccessControl(.afterFirstUnlock, conditions))
        let sample = try KeychainSample()
        try sample.keychain.add(password.with(["accc": .accessControl(control)]))
        try sample.keychain.compact()
        let attributes = try sample.reopened().attributes(password)
        #expect(attributes["accc"] == .accessControl(control))
        #expect(attributes["pdmn"] == "ck")
    }

    @Test(
        arguments: [
            [.or, .and], [.biometryAny, .biometryCurrentSet], [.userPresence, .biometryAny],
            [.userPresence, .devicePasscode], [.userPresence, .companion], [.userPresence, .or], [.userPresence, .and],
            [.userPresence, .biometryCurrentSet, .applicationPassword],
        ] as [Conditions]
    )
    func `conditions that contradict one another are none`(conditions: Conditions) {
        #expect(AccessControl(.whenUnlocked, conditions) == nil)
    }

    @Test(arguments: Accessibility.allCases) func `a protection may have conditions`(accessibility: Accessibility) {
        #expect(AccessControl(accessibility, .userPresence)?.accessibility == accessibility)
    }

    @Test func `an addition gives an access control back only if one was given`() throws {
        let keychain = try KeychainSample().keychain
        let control = try #require(AccessControl(.whenUnlocked, .userPresence))
        let request = password.with(["accc": .accessControl(control), "r_Attributes": true])
        #expect(try keychain.add(request).values["accc"] == .accessControl(control))
        #expect(try keychain.add(password.with(["acct": "kim", "r_Attributes": true])).values["accc"] == nil)
    }

    @Test(arguments: [ItemValue.integer(1), "1"])
    func `a number that says synchronizable goes with conditions`(value: ItemValue) throws {
        let keychain = try KeychainSample().keychain
        let control = try #require(AccessControl(.whenUnlocked, []))
        try keychain.add(password.with(["accc": .accessControl(control), "sync": value]))
        #expect(try keychain.count(password.with(["sync": true])) == 1)
    }

    // MARK: - In changes

    @Test func `conditions and becoming synchronizable exclude one another`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        let control = try #require(AccessControl(.whenUnlocked, []))
        #expect(throws: KeychainError.invalid(.conditionsOnSynchronizableItem)) {
            try keychain.update(password, with: ["accc": .accessControl(control), "sync": true])
        }
        #expect(try keychain.count(password) == 1)
    }

    @Test func `a protection and an access control contradict one another`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        let control = try #require(AccessControl(.whenUnlocked, []))
        #expect(throws: KeychainError.invalid(.conflictingProtection)) {
            try keychain.update(password, with: ["accc": .accessControl(control), "pdmn": "ak"])
        }
    }

    @Test(arguments: [ItemValue.string("x"), data("x"), 1, .null])
    func `an access control is an access control`(value: ItemValue) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        #expect(throws: KeychainError.invalid(.value(of: "accc"))) {
            try keychain.update(password, with: ["accc": value])
        }
    }

    @Test func `an access control brings its protection along`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["v_Data": data("x")]))
        let control = try #require(AccessControl(.afterFirstUnlock, .devicePasscode))
        try keychain.update(password, with: ["accc": .accessControl(control)])
        #expect(try keychain.attributes(password)["pdmn"] == "ck")
        #expect(try keychain.text(password) == "x")
    }

    @Test(arguments: ["", "f", "AK"]) func `a protection is one of seven`(text: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        #expect(throws: KeychainError.invalid(.value(of: "pdmn"))) {
            try keychain.update(password, with: ["pdmn": .string(text)])
        }
    }
}
