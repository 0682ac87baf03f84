import Coffer
import Foundation
import Security
import Testing

@Suite("Creating an access control") struct AccessControlCreationTests {
    private func create(_ protection: Any, _ flags: SecAccessControlCreateFlags = []) -> SecAccessControl? {
        SecAccessControlCreateWithFlags(nil, protection as CFTypeRef, flags, nil)
    }

    @Test(arguments: Accessibility.allCases)
    func `every protection can be had`(accessibility: Accessibility) {
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
    func `flags that agree can be had`(flags: SecAccessControlCreateFlags) {
        #expect(create("ak", flags) != nil)
    }

    @Test(
        arguments: [
            [.or, .and], [.biometryAny, .biometryCurrentSet], [.userPresence, .devicePasscode], [.userPresence, .or],
            SecAccessControlCreateFlags(rawValue: 1 << 2), SecAccessControlCreateFlags(rawValue: 1 << 33),
        ] as [SecAccessControlCreateFlags]
    )
    func `flags that contradict one another, or that nobody knows, are refused`(flags: SecAccessControlCreateFlags) {
        #expect(failure { SecAccessControlCreateWithFlags(nil, "ak" as CFTypeRef, flags, $0) } == errSecParam)
    }

    @Test(arguments: ["", "AK", "ak ", "genp"])
    func `a protection that nobody knows is refused`(protection: String) {
        #expect(failure { SecAccessControlCreateWithFlags(nil, protection as CFTypeRef, [], $0) } == errSecParam)
    }

    @Test func `a protection that is no text is refused`() {
        #expect(failure { SecAccessControlCreateWithFlags(nil, NSNumber(value: 1), [], $0) } == errSecParam)
    }

    @Test func `two of the same content are equal, in sets, too`() {
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
