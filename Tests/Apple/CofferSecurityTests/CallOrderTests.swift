import Foundation
import Security
import Testing

/// Results come in the order in which items were added, which is more than Apple promises
/// (`Spec/keychain-behavior.md`, section 4).
@Suite("Calls: order of results", .ownKeychain("T.one", "T.two"))
struct CallOrderTests {
    /// Adds `count` items without pause, to both groups in turn, and returns their accounts.
    private func added(_ count: Int) -> [String] {
        let accounts = (0..<count).map { "\($0 &* 7919 % count)" }
        for (index, account) in accounts.enumerated() {
            let group = index.isMultiple(of: 2) ? "T.one" : "T.two"
            #expect(Call.add(.genp(account, [kSecAttrAccessGroup: group])) == 0)
        }
        return accounts
    }

    @Test func `200 items added in a loop come back in that order, from both groups`() throws {
        let accounts = added(200)
        #expect(Set(accounts).count == 200)
        #expect(try Call.texts(kSecAttrAccount, .genp()) == accounts)
        let first = try Call.attributes(.genp())
        #expect(first["acct"] as? String == accounts.first)
    }

    @Test func `an update does not change the order`() throws {
        var accounts = added(20)
        #expect(Call.update(.genp(accounts[3]), [kSecAttrLabel: "changed", kSecValueData: Data("x")]) == 0)
        #expect(Call.update(.genp(accounts[5]), [kSecAttrAccount: "renamed"]) == 0)
        #expect(Call.update(.genp(accounts[8]), [kSecAttrAccessGroup: "T.two"]) == 0)
        #expect(Call.update(.genp(accounts[9]), [kSecAttrAccessible: "ck"]) == 0)
        accounts[5] = "renamed"
        #expect(try Call.texts(kSecAttrAccount, .genp()) == accounts)
    }

    @Test func `an item deleted and added again is the newest`() throws {
        let accounts = added(10)
        #expect(Call.delete(.genp(accounts[4])) == 0)
        #expect(Call.add(.genp(accounts[4])) == 0)
        let expected = accounts.filter { $0 != accounts[4] } + [accounts[4]]
        #expect(try Call.texts(kSecAttrAccount, .genp()) == expected)
    }

    @Test func `a limit selects the oldest items`() throws {
        let accounts = added(10)
        let query: [CFString: Any] = .genp([kSecReturnAttributes: true, kSecMatchLimit: 3])
        let found = try #require(try Call.found(query) as? [[String: Any]])
        #expect(found.map { $0["acct"] as? String } == accounts.prefix(3).map(Optional.some))
    }
}
