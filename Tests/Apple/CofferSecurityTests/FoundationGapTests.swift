import Foundation
import Security
import Testing

@Suite("Foundation as on Apple systems") struct FoundationGapTests {
    @Test func `String and NSString are the same key`() {
        #expect(AnyHashable("acct" as NSString) == AnyHashable("acct"))
        #expect(AnyHashable("acct" as NSString).hashValue == AnyHashable("acct").hashValue)
        #expect(AnyHashable(NSMutableString(string: "acct")) == AnyHashable("acct"))
        #expect(AnyHashable("acct" as NSString) != AnyHashable("svce"))
    }

    @Test func `a constant finds its value in a dictionary with keys of any kind`() throws {
        let object: CFTypeRef = [["acct": "kim"], ["acct": "ada"]] as [[String: Any]] as CFArray
        let answer = try #require(object as? [[AnyHashable: Any]])
        #expect(answer.map { $0[kSecAttrAccount] as? String } == ["kim", "ada"])
    }

    @Test func `a value is set, replaced and removed by key`() {
        let query = NSMutableDictionary()
        query.setValue("kim", forKey: kSecAttrAccount as String)
        #expect(query[kSecAttrAccount] as? String == "kim")
        query.setValue("ada", forKey: kSecAttrAccount as String)
        #expect(query as? [String: String] == ["acct": "ada"])
        query.setValue(nil, forKey: kSecAttrAccount as String)
        #expect(query.count == 0)
    }

    @Test func `settings are set, read and removed by key`() throws {
        let name = "coffer.tests.\(UUID())"
        let settings = try #require(UserDefaults(suiteName: name))
        defer { settings.removePersistentDomain(forName: name) }
        settings.setValue("kim", forKey: "account")
        #expect(settings.value(forKey: "account") as? String == "kim")
        #expect(settings.string(forKey: "account") == "kim")
        settings.setValue(true, forKey: "account")
        #expect(settings.value(forKey: "account") as? Bool == true)
        settings.setValue(nil, forKey: "account")
        #expect(settings.value(forKey: "account") == nil)
    }
}
