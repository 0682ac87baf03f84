// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
import Foundation
import Security
import Testing

/// The strings that a function with a `CFDictionary` parameter reads from it.
private func read(_ query: CFDictionary) -> [String: String] {
    (query as? [String: Any] ?? [:]).compactMapValues { $0 as? String }
}

/// A function that passes its argument on, whatever it is.
private func name(of value: AnyObject) -> String? { value as? String }

@Suite("Passing dictionaries") struct DictionaryIdiomTests {
    private let wanted = ["class": "genp", "acct": "kim"]

    @Test func `with strings as keys`() {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccount as String: "kim",
        ]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with constants as keys`() {
        #expect(read([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim"] as CFDictionary) == wanted)
    }

    @Test func `with constants as keys, cast to a dictionary with string keys`() {
        let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim"] as [String: Any]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with constants as keys of type CFString`() {
        let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim"]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with implicitly unwrapped keys`() {
        let account: String! = kSecAttrAccount as String
        let query: [String: Any] = [kSecClass as String: kSecClassGenericPassword, account: "kim"]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with optional keys`() {
        let query: [String?: String] = [kSecClass as String: "genp", kSecAttrAccount as String: "kim"]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with optional values`() {
        let account: String? = "kim"
        let label: String? = nil
        let query: [String: Any?] = ["class": kSecClassGenericPassword, "acct": account, "labl": label]
        let dictionary = query as CFDictionary
        #expect(read(dictionary) == wanted)
        #expect(dictionary["labl"] is NSNull)
    }

    @Test func `as Foundation objects`() {
        let fixed = NSDictionary(objects: ["genp", "kim"], forKeys: [kSecClass, kSecAttrAccount])
        #expect(read(fixed) == wanted)
        #expect(read(fixed as CFDictionary) == wanted)
        let growing = NSMutableDictionary()
        growing[kSecClass] = kSecClassGenericPassword
        growing.setObject("kim", forKey: kSecAttrAccount)
        #expect(read(growing) == wanted)
        #expect(read(growing as CFDictionary) == wanted)
    }

    @Test func `with objects as keys`() {
        let query: [NSObject: AnyObject] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim" as NSString]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with AnyHashable keys`() {
        let query: [AnyHashable: Any] = [kSecClass as String: kSecClassGenericPassword, "acct": "kim"]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with objects as values`() {
        let query: [String: NSObject] = ["class": kSecClassGenericPassword, "acct": "kim" as NSString]
        #expect(read(query as CFDictionary) == wanted)
    }

    @Test func `with AnyHashable values`() {
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

    @Test func `as a CFTypeRef`() {
        let any: CFTypeRef = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim"] as CFDictionary
        #expect(read(any as! CFDictionary) == wanted)
        #expect((any as? NSDictionary)?.count == 2)
    }

    @Test func `built step by step`() {
        var query = [String: Any]()
        query[kSecClass as String] = kSecClassGenericPassword
        query[String(kSecAttrAccount)] = "kim"
        query["\(kSecAttrService)"] = "tests"
        query.removeValue(forKey: kSecAttrService as String)
        #expect(read(query as CFDictionary) == wanted)
        #expect((query as CFDictionary as NSDictionary).count == 2)
    }

    @Test func `constants as a CFTypeRef`() {
        #expect(name(of: kSecClassGenericPassword) == "genp")
        let any: CFTypeRef? = "kim" as CFString
        #expect(any.flatMap(name) == "kim")
        #expect(CFEqual(kSecClass, "class" as CFString))
        #expect(!CFEqual(kSecClass, kSecAttrAccount))
    }

    @Test func `with keys that are not strings, without a crash`() {
        let query: [AnyHashable: Any] = [1: "genp", "acct": "kim"]
        #expect(query as CFDictionary as? [String: Any] == nil)
        #expect(([1: "genp"] as CFDictionary).count == 1)
    }
}
