import Coffer
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
        let sample = try KeychainSample()
        var key = CryptographicKey()
        let control = try #require(AccessControl(.afterFirstUnlock, conditions))
        key.accessControl = control
        try AuthenticationHost.with(.willing) {
            let reference = try sample.keychain.add(key).reference
            try sample.keychain.compact()
            let stored = try #require(try sample.reopened().item(reference)?.item)
            #expect(stored.accessControl?.conditions == conditions)
            #expect(stored.accessibility == .afterFirstUnlock)
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
}
