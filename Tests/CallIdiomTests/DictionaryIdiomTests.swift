// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
import Foundation
import Security
import Testing

/// What a function that takes a `CFDictionary` reads in it.
private func read(_ query: CFDictionary) -> [String: String] {
    (query as? [String: Any] ?? [:]).compactMapValues { $0 as? String }
}

/// What functions are written like that hand their argument on, whatever it is.
private func name(of value: AnyObject) -> String? { value as? String }

@Suite("How dictionaries are handed over") struct DictionaryIdiomTests {
    private let wanted = ["class": "genp", "acct": "kim"]

    @Test func `with keys that are texts`() {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccount as String: "kim",
        ]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with constants as keys`() {
        #expect(read([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim"] as CFDictionary) == wanted)
    }

    @Test func `with constants as keys where the type says texts`() {
        let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim"] as [String: Any]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with constants as keys of their own type`() {
        let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim"]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with keys that are unwrapped where they are used`() {
        let account: String! = kSecAttrAccount as String
        let query: [String: Any] = [kSecClass as String: kSecClassGenericPassword, account: "kim"]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with keys that may be missing`() {
        let query: [String?: String] = [kSecClass as String: "genp", kSecAttrAccount as String: "kim"]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with values that may be missing`() {
        let account: String? = "kim"
        let label: String? = nil
        let query: [String: Any?] = ["class": kSecClassGenericPassword, "acct": account, "labl": label]
        let dictionary = query as CFDictionary
        #expect(read(dictionary) == wanted)
        #expect(dictionary["labl"] is NSNull)
    }

    @Test func `as objects of Foundation`() {
        let fixed = NSDictionary(objects: ["genp", "kim"], forKeys: [kSecClass, kSecAttrAccount])
        #expect(read(fixed) == wanted)
        #expect(read(fixed as CFDictionary) == wanted)
        let growing = NSMutableDictionary()
        growing[kSecClass] = kSecClassGenericPassword
        growing.setObject("kim", forKey: kSecAttrAccount)
        #expect(read(growing) == wanted)
        #expect(read(growing as CFDictionary) == wanted)
    }

    @Test func `with keys that are objects`() {
        let query: [NSObject: AnyObject] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim" as NSString]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with keys that can be anything`() {
        let query: [AnyHashable: Any] = [kSecClass as String: kSecClassGenericPassword, "acct": "kim"]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with values that are objects`() {
        let query: [String: NSObject] = ["class": kSecClassGenericPassword, "acct": "kim" as NSString]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with values that can be compared`() {
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
        let query: [String: AnyHashable] = ["class": "genp", "acct": "kim", "accc": control]
        #expect(read(query as CFDictionary) == wanted)
        #expect((query as CFDictionary)["accc"] as? SecAccessControl == control)
    }

    @Test func `with constants among objects`() {
        let query: [String: AnyObject] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccount as String: "kim" as NSString,
            kSecReturnData as String: kCFBooleanTrue,
        ]
        #expect(read(query as CFDictionary) == wanted)
        #expect((query as CFDictionary)[kSecReturnData] as? Bool == true)
    }

    @Test func `as any object`() {
        let any: CFTypeRef = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim"] as CFDictionary
        #expect(read(any as! CFDictionary) == wanted)
        #expect((any as? NSDictionary)?.count == 2)
    }

    @Test func `grown bit by bit`() {
        var query = [String: Any]()
        query[kSecClass as String] = kSecClassGenericPassword
        query[String(kSecAttrAccount)] = "kim"
        query["\(kSecAttrService)"] = "tests"
        query.removeValue(forKey: kSecAttrService as String)
        #expect(read(query as CFDictionary) == wanted)
        #expect((query as CFDictionary as NSDictionary).count == 2)
    }

    @Test func `constants as any object`() {
        #expect(name(of: kSecClassGenericPassword) == "genp")
        let any: CFTypeRef? = "kim" as CFString
        #expect(any.flatMap(name) == "kim")
        #expect(CFEqual(kSecClass, "class" as CFString))
        #expect(!CFEqual(kSecClass, kSecAttrAccount))
    }

    @Test func `with keys that are no texts, without a crash`() {
        let query: [AnyHashable: Any] = [1: "genp", "acct": "kim"]
        #expect(query as CFDictionary as? [String: Any] == nil)
        #expect(([1: "genp"] as CFDictionary).count == 1)
    }
}
