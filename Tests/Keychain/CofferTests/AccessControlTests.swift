import Coffer
import CofferSecurity
import KeychainTestSupport
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, sections 3 and 15: which conditions exist, and how they are stored.
@Suite("Access controls", .temporaryDirectory) struct AccessControlTests {
    typealias Conditions = AccessControl.Conditions

    @Test(
        arguments: [
            (.userPresence, 1), (.biometryAny, 1 << 1), (.biometryCurrentSet, 1 << 3), (.devicePasscode, 1 << 4),
            (.companion, 1 << 5), (.or, 1 << 14), (.and, 1 << 15), (.privateKeyUsage, 1 << 30),
            (.applicationPassword, 1 << 31),
        ] as [(Conditions, UInt32)]
    )
    func `each condition is one bit`(condition: Conditions, bits: UInt32) {
        #expect(condition.rawValue == bits)
    }

    @Test(
        arguments: [
            [], .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, [.companion, .biometryAny, .or],
            [.biometryAny, .devicePasscode, .or], [.biometryCurrentSet, .devicePasscode, .and], .privateKeyUsage,
            [.userPresence, .applicationPassword], [.userPresence, .privateKeyUsage], .applicationPassword,
            [.userPresence, .privateKeyUsage, .applicationPassword], .or, .and,
        ] as [Conditions]
    )
    func `conditions are returned as they were stored`(conditions: Conditions) throws {
        let control = try #require(AccessControl(.afterFirstUnlock, conditions))
        let sample = try KeychainSample()
        let item: ItemRequest = ["class": "keys"]
        try AuthenticationHost.with(.willing) {
            try sample.keychain.add(item.with(["accc": .accessControl(control)]))
            try sample.keychain.compact()
            let attributes = try sample.reopened().attributes(item)
            guard case .accessControl(let stored)? = attributes["accc"] else { throw KeychainError.itemNotFound }
            #expect(stored.conditions == conditions)
            #expect(attributes["pdmn"] == "ck")
        }
    }

    @Test(
        arguments: [
            [.or, .and], [.biometryAny, .biometryCurrentSet], [.userPresence, .biometryAny],
            [.userPresence, .devicePasscode], [.userPresence, .companion], [.userPresence, .or], [.userPresence, .and],
            [.userPresence, .biometryCurrentSet, .applicationPassword],
        ] as [Conditions]
    )
    func `contradictory conditions give no access control`(conditions: Conditions) {
        #expect(AccessControl(.whenUnlocked, conditions) == nil)
    }

    @Test(arguments: Accessibility.allCases) func `every protection can have conditions`(accessibility: Accessibility) {
        #expect(AccessControl(accessibility, .userPresence)?.accessibility == accessibility)
    }

    @Test func `an addition returns an access control only if one was given`() throws {
        let keychain = try KeychainSample().keychain
        let control = try #require(AccessControl(.whenUnlocked, .userPresence))
        let request = password.with(["accc": .accessControl(control), "r_Attributes": true])
        #expect(try keychain.add(request).values["accc"] == .accessControl(control))
        #expect(try keychain.add(password.with(["acct": "kim", "r_Attributes": true])).values["accc"] == nil)
    }

    @Test(arguments: [ItemValue.integer(1), "1"])
    func `a number that means synchronizable is allowed with an access control`(value: ItemValue) throws {
        let keychain = try KeychainSample().keychain
        let control = try #require(AccessControl(.whenUnlocked, []))
        try keychain.add(password.with(["accc": .accessControl(control), "sync": value]))
        #expect(try keychain.count(password.with(["sync": true])) == 1)
    }

    // MARK: - Changes

    @Test func `an update cannot combine an access control with becoming synchronizable`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        let control = try #require(AccessControl(.whenUnlocked, []))
        #expect(throws: KeychainError.invalid(.conditionsOnSynchronizableItem)) {
            try keychain.update(password, with: ["accc": .accessControl(control), "sync": true])
        }
        #expect(try keychain.count(password) == 1)
    }

    @Test func `an update cannot set both a protection and an access control`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        let control = try #require(AccessControl(.whenUnlocked, []))
        #expect(throws: KeychainError.invalid(.conflictingProtection)) {
            try keychain.update(password, with: ["accc": .accessControl(control), "pdmn": "ak"])
        }
    }

    @Test(arguments: [ItemValue.string("x"), data("x"), 1, .null])
    func `an access control must have its own type`(value: ItemValue) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        #expect(throws: KeychainError.invalid(.value(of: "accc"))) {
            try keychain.update(password, with: ["accc": value])
        }
    }

    @Test func `an access control sets its protection`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["v_Data": data("x")]))
        let control = try #require(AccessControl(.afterFirstUnlock, .devicePasscode))
        try keychain.update(password, with: ["accc": .accessControl(control)])
        #expect(try AuthenticationHost.with(.willing) { try keychain.attributes(password) }["pdmn"] == "ck")
        #expect(try AuthenticationHost.with(.willing) { try keychain.text(password) } == "x")
    }

    @Test(arguments: ["", "f", "AK"]) func `a protection must be one of seven`(text: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        #expect(throws: KeychainError.invalid(.value(of: "pdmn"))) {
            try keychain.update(password, with: ["pdmn": .string(text)])
        }
    }
}
