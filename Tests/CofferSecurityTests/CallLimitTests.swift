import Foundation
import Security
import Testing

/// Section 4.1 of Apple's behaviour: how many items a query finds.
@Suite("Calls: limits", .ownKeychain) struct CallLimitTests {
    private func found(_ limit: Any?) throws -> CFTypeRef? {
        for account in ["kim", "lee", "max"] {
            #expect(Call.add(.genp(account, [kSecValueData: Data(account)])) == 0)
        }
        return try Call.found(.genp([kSecReturnData: true]).with(limit.map { [kSecMatchLimit: $0] } ?? [:]))
    }

    @Test(arguments: ["m_LimitOne", 1, 1.0] as [CallValue]) func `one item comes bare`(limit: CallValue) throws {
        #expect(try found(limit.object) as? Data == Data("kim"))
    }

    @Test func `without a limit one item comes bare`() throws {
        #expect(try found(nil) as? Data == Data("kim"))
    }

    @Test(arguments: ["m_LimitAll", -1] as [CallValue]) func `all come as an array`(limit: CallValue) throws {
        #expect(try found(limit.object) as? [Data] == ["kim", "lee", "max"].map { Data($0) })
    }

    @Test(arguments: [(2, 2), (3, 3), (4, 3), (0x7FFF, 3), (.max, 3)])
    func `a number from 2 on is the most that come, as an array`(limit: Int, count: Int) throws {
        #expect(try (found(limit) as? [Data])?.count == count)
    }

    @Test(arguments: ["m_LimitAll", -1, 2, 100] as [CallValue])
    func `an array comes also where one item matches`(limit: CallValue) throws {
        #expect(Call.add(.genp([kSecValueData: Data("x")])) == 0)
        let query: [CFString: Any] = .genp([kSecReturnData: true, kSecMatchLimit: limit.object])
        #expect(try Call.found(query) as? [Data] == [Data("x")])
    }

    @Test(arguments: ["m_LimitAll", "m_LimitOne", 2, 1] as [CallValue])
    func `nothing that matches is errSecItemNotFound, whatever the limit`(limit: CallValue) {
        #expect(Call.find(.genp([kSecMatchLimit: limit.object, kSecReturnData: true])) == -25300)
    }

    @Test func `of none there are none: errSecItemNotFound`() {
        #expect(Call.add(.genp()) == 0)
        #expect(Call.find(.genp([kSecMatchLimit: 0])) == -25300)
    }

    @Test(arguments: [1.5, "5", "", "all", true, false, .null, .data("x"), .date(0)] + CallValue.others)
    func `any other limit: errSecParam`(limit: CallValue) {
        #expect(Call.add(.genp()) == 0)
        #expect(Call.find(.genp([kSecMatchLimit: limit.object])) == -50)
    }
}
