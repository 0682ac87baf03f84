import Coffer
import Foundation
import Security
import Testing

@Suite("Creating an access control") struct AccessControlCreationTests {
    private func create(_ protection: Any, _ flags: SecAccessControlCreateFlags = []) -> SecAccessControl? {
        SecAccessControlCreateWithFlags(nil, protection as CFTypeRef, flags, nil)
    }

    @Test(arguments: Accessibility.allCases)
    func `every protection class is accepted`(accessibility: Accessibility) {
        var error: Unmanaged<CFError>?
        let control = SecAccessControlCreateWithFlags(nil, accessibility.rawValue as CFTypeRef, [], &error)
        #expect(control != nil)
        #expect(error == nil)
    }

    @Test(
        arguments: [
            [], .userPresence, .biometryAny, .touchIDAny, .biometryCurrentSet, .touchIDCurrentSet, .devicePasscode,
            .watch,
            .companion, .privateKeyUsage, .applicationPassword, [.biometryAny, .or, .devicePasscode],
            [.userPresence, .privateKeyUsage, .applicationPassword], [.companion, .and, .devicePasscode],
        ] as [SecAccessControlCreateFlags]
    )
    func `flags that fit together are accepted`(flags: SecAccessControlCreateFlags) {
        #expect(create("ak", flags) != nil)
    }

    @Test(
        arguments: [
            [.or, .and], [.biometryAny, .biometryCurrentSet], [.userPresence, .devicePasscode], [.userPresence, .or],
            SecAccessControlCreateFlags(rawValue: 1 << 2), SecAccessControlCreateFlags(rawValue: 1 << 33),
        ] as [SecAccessControlCreateFlags]
    )
    func `contradictory or unknown flags are refused`(flags: SecAccessControlCreateFlags) {
        #expect(failure { SecAccessControlCreateWithFlags(nil, "ak" as CFTypeRef, flags, $0) } == errSecParam)
    }

    @Test(arguments: ["", "AK", "ak ", "genp"])
    func `an unknown protection class is refused`(protection: String) {
        #expect(failure { SecAccessControlCreateWithFlags(nil, protection as CFTypeRef, [], $0) } == errSecParam)
    }

    @Test func `a protection class that is not a string is refused`() {
        #expect(failure { SecAccessControlCreateWithFlags(nil, NSNumber(value: 1), [], $0) } == errSecParam)
    }

    @Test func `access controls with the same content are equal, also in sets`() {
        let one = create("ak", .userPresence)
        #expect(one != nil)
        #expect(one == create("ak", .userPresence))
        #expect(one != create("ck", .userPresence))
        #expect(one != create("ak", .devicePasscode))
        #expect(one?.isEqual("ak") == false)
        #expect(Set([one, create("ak", .userPresence), create("ak")]).count == 2)
    }

    @Test func `flags have Apple's bits`() {
        let all: SecAccessControlCreateFlags = [
            .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and, .privateKeyUsage,
            .applicationPassword,
        ]
        #expect(all.rawValue == 0xC000_C03B)
        #expect(SecAccessControlCreateFlags.watch == .companion)
        #expect(SecAccessControlCreateFlags.touchIDAny.rawValue == 2)
        #expect(SecAccessControlCreateFlags.touchIDCurrentSet.rawValue == 8)
    }
}
