import Foundation
import Security
import Testing

/// The casts and keys with which programs read a result.
@Suite("Calls: casts of results", .ownKeychain) struct CallCastTests {
    private func fill() {
        let item: [CFString: Any] = .genp(
            "kim",
            [
                kSecAttrService: "mail", kSecAttrGeneric: Data("g"), kSecAttrIsInvisible: true,
                kSecAttrIsNegative: false,
                kSecAttrType: 258, kSecValueData: Data("secret"),
            ]
        )
        #expect(Call.add(item) == 0)
    }

    private func one(_ more: [CFString: Any]) throws -> CFTypeRef {
        try #require(try Call.found(.genp(more)))
    }

    private func all(_ more: [CFString: Any]) throws -> CFTypeRef {
        try one(more.with([kSecMatchLimit: kSecMatchLimitAll]))
    }

    // MARK: - Data

    @Test func `data casts to Data and NSData`() throws {
        fill()
        let result = try one([kSecReturnData: true])
        #expect(result as? Data == Data("secret"))
        #expect(result as? NSData == Data("secret") as NSData)
        #expect(result as? String == nil)
        #expect(String(data: try #require(result as? Data), encoding: .utf8) == "secret")
    }

    @Test func `the data of several items casts to [Data] and NSArray`() throws {
        fill()
        let result = try all([kSecReturnData: true])
        #expect(result as? [Data] == [Data("secret")])
        #expect((result as? NSArray)?.count == 1)
        #expect((result as? NSArray)?.firstObject as? Data == Data("secret"))
    }

    // MARK: - Dictionaries

    @Test func `attributes cast to every dictionary type that programs use`() throws {
        fill()
        let result = try one([kSecReturnAttributes: true, kSecReturnData: true])
        #expect((result as? [String: Any])?["acct"] as? String == "kim")
        #expect((result as? [String: AnyObject])?["acct"] as? String == "kim")
        #expect((result as? [String: AnyHashable])?["acct"] as? String == "kim")
        #expect((result as? [AnyHashable: Any])?[kSecAttrAccount] as? String == "kim")
        #expect((result as? [CFString: Any])?[kSecAttrAccount] as? String == "kim")
        #expect((result as? NSDictionary)?[kSecAttrAccount] as? String == "kim")
        #expect((result as? NSDictionary)?.value(forKey: "acct") as? String == "kim")
    }

    @Test func `the attributes of several items cast to every array type that programs use`() throws {
        fill()
        let result = try all([kSecReturnAttributes: true])
        #expect((result as? [[String: Any]])?.first?["acct"] as? String == "kim")
        #expect((result as? [[String: AnyObject]])?.first?["acct"] as? String == "kim")
        #expect((result as? [[AnyHashable: Any]])?.first?[kSecAttrAccount] as? String == "kim")
        #expect((result as? [[CFString: Any]])?.first?[kSecAttrAccount] as? String == "kim")
        #expect((result as? [NSDictionary])?.first?[kSecAttrAccount] as? String == "kim")
        #expect((result as? [AnyObject])?.count == 1)
        #expect((result as? NSArray)?.count == 1)
        var accounts: [String] = []
        for case let item as NSDictionary in try #require(result as? NSArray) {
            accounts.append(try #require(item["acct"] as? String))
        }
        #expect(accounts == ["kim"])
    }

    @Test func `keys equal the constants in any dictionary with hashable keys`() throws {
        fill()
        let names = [kSecAttrAccount, kSecAttrService, kSecAttrGeneric, kSecAttrAccessGroup, kSecAttrAccessible]
        let found = try #require(try one([kSecReturnAttributes: true]) as? [AnyHashable: Any])
        for name in names {
            #expect(found[name] != nil)
            #expect(found[name as String] != nil)
            #expect(found[AnyHashable(name)] != nil)
            #expect(found.keys.contains(AnyHashable(name as String)))
        }
    }

    // MARK: - Values

    @Test func `text casts to String, bytes to Data, dates to Date`() throws {
        fill()
        let found = try Call.attributes(.genp())
        #expect(found["svce"] as? String == "mail")
        #expect(found["svce"] as? NSString == "mail")
        #expect(found["svce"] as? Data == nil)
        #expect(found["gena"] as? Data == Data("g"))
        #expect(found["gena"] as? String == nil)
        #expect(found["cdat"] as? Date != nil)
        #expect(found["cdat"] as? NSDate != nil)
        #expect(found["accc"] as? SecAccessControl != nil)
    }

    @Test(arguments: [("invi", true), ("nega", false), ("sync", false), ("tomb", false)])
    func `a flag casts to Bool, Int and NSNumber`(name: String, flag: Bool) throws {
        fill()
        let value = try #require(try Call.attributes(.genp())[name])
        #expect(value as? Bool == flag)
        #expect(value as? Int == (flag ? 1 : 0))
        #expect(value as? NSNumber == NSNumber(value: flag ? 1 : 0))
        #expect((value as? NSNumber)?.boolValue == flag)
    }

    @Test func `a number casts to Int and NSNumber, but not to Bool`() throws {
        fill()
        let value = try #require(try Call.attributes(.genp())["type"])
        #expect(value as? Int == 258)
        #expect(value as? Int32 == 258)
        #expect(value as? NSNumber == 258)
        #expect(value as? Bool == nil)
        #expect(value as? String == nil)
    }

    @Test func `data and a persistent reference in a dictionary cast to Data`() throws {
        fill()
        let result = try one([kSecReturnData: true, kSecReturnAttributes: true, kSecReturnPersistentRef: true])
        let found = try #require(result as? [String: Any])
        #expect(found[kSecValueData as String] as? Data == Data("secret"))
        #expect((found[kSecValuePersistentRef as String] as? Data)?.count == 20)
    }

    // MARK: - Dictionaries from programs

    @Test func `a dictionary can be built in every way that programs use`() throws {
        fill()
        var result: CFTypeRef?
        let byText: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "kim",
            kSecReturnData as String: kCFBooleanTrue as Any, kSecMatchLimit as String: kSecMatchLimitOne,
        ]
        let byObject: [NSObject: AnyObject] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim" as NSString,
            kSecReturnData: NSNumber(value: true),
        ]
        let mutable = NSMutableDictionary()
        mutable[kSecClass] = kSecClassGenericPassword
        mutable.setValue("kim", forKey: kSecAttrAccount as String)
        mutable.setObject(true, forKey: kSecReturnData)
        let built = CFDictionaryCreateMutable(nil, 0, nil, nil)
        built?[kSecClass] = kSecClassGenericPassword
        built?[kSecReturnData] = true
        let queries: [CFDictionary] = [
            byText as CFDictionary, byText as NSDictionary, byObject as NSDictionary, mutable, try #require(built),
            NSDictionary(dictionary: byText),
        ]
        for query in queries {
            result = nil
            #expect(SecItemCopyMatching(query, &result) == 0)
            #expect(result as? Data == Data("secret"))
        }
    }

    @Test func `calls leave the caller's dictionary unchanged`() {
        let item = NSMutableDictionary(dictionary: [CFString: Any].genp("kim"))
        let copy = item.copy() as? NSDictionary
        #expect([SecItemAdd(item, nil), SecItemCopyMatching(item, nil), SecItemDelete(item)] == [0, 0, 0])
        #expect(item == copy)
    }
}
