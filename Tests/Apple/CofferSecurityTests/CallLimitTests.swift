import Foundation
import Security
import Testing

/// The number of items that a query finds (`Spec/keychain-behavior.md`, section 4).
@Suite("Calls: limits", .ownKeychain) struct CallLimitTests {
    private func found(_ limit: Any?) throws -> CFTypeRef? {
        for account in ["kim", "lee", "max"] {
            #expect(Call.add(.genp(account, [kSecValueData: Data(account)])) == 0)
        }
        return try Call.found(.genp([kSecReturnData: true]).with(limit.map { [kSecMatchLimit: $0] } ?? [:]))
    }

    @Test(arguments: ["m_LimitOne", 1, 1.0] as [CallValue])
    func `one item comes back without an array`(limit: CallValue) throws {
        #expect(try found(limit.object) as? Data == Data("kim"))
    }

    @Test func `without a limit, one item comes back without an array`() throws {
        #expect(try found(nil) as? Data == Data("kim"))
    }

    @Test(arguments: ["m_LimitAll", -1, -1.0] as [CallValue])
    func `all items come back as an array`(limit: CallValue) throws {
        #expect(try found(limit.object) as? [Data] == ["kim", "lee", "max"].map { Data($0) })
    }

    @Test(arguments: [(2, 2), (3, 3), (4, 3), (0x7FFF, 3), (.max, 3)])
    func `a number above 1 is the maximum length of an array`(limit: Int, count: Int) throws {
        #expect(try (found(limit) as? [Data])?.count == count)
    }

    @Test(arguments: ["m_LimitAll", -1, 2, 100] as [CallValue])
    func `an array comes back even if only one item matches`(limit: CallValue) throws {
        #expect(Call.add(.genp([kSecValueData: Data("x")])) == 0)
        let query: [CFString: Any] = .genp([kSecReturnData: true, kSecMatchLimit: limit.object])
        #expect(try Call.found(query) as? [Data] == [Data("x")])
    }

    @Test(arguments: ["m_LimitAll", "m_LimitOne", 2, 1] as [CallValue])
    func `no matching item, whatever the limit: errSecItemNotFound`(limit: CallValue) {
        #expect(Call.find(.genp([kSecMatchLimit: limit.object, kSecReturnData: true])) == -25300)
    }

    @Test func `a limit of 0: errSecItemNotFound`() {
        #expect(Call.add(.genp()) == 0)
        #expect(Call.find(.genp([kSecMatchLimit: 0])) == -25300)
    }

    private static let numbers = [
        -2, 1.5, CallValue("infinity") { Double.infinity }, CallValue("nan") { Double.nan },
    ]

    @Test(arguments: numbers + ["5", "", "all", true, false, .null, .data("x"), .date(0)] + CallValue.others)
    func `any other limit: errSecParam`(limit: CallValue) {
        #expect(Call.add(.genp()) == 0)
        #expect(Call.find(.genp([kSecMatchLimit: limit.object])) == -50)
    }
}
