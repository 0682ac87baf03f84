import Foundation
import Security
import Testing

@Suite("Bridging") struct BridgingTests {
    @Test func `a dictionary with keys of both kinds becomes a Core Foundation dictionary`() {
        let query = ["class": "genp" as CFString, kSecAttrAccount: "kim"] as [String: Any] as CFDictionary
        #expect(query["class"] as? String == "genp")
        #expect(query[kSecAttrAccount] as? String == "kim")
    }

    @Test func `a constant converts to a string in every way that programs use`() {
        #expect(kSecAttrAccount as String == "acct")
        #expect(String(kSecAttrAccount) == "acct")
        #expect("\(kSecAttrAccount)" == "acct")
        let object: CFTypeRef = kSecAttrAccount
        #expect(object as? String == "acct")
    }

    @Test func `the boolean constants work with and without an exclamation mark`() {
        let query = ["a": kCFBooleanTrue as Any, "b": kCFBooleanFalse!] as [String: Any] as CFDictionary
        #expect(query["a"] as? Bool == true)
        #expect(query["b"] as? Bool == false)
        #expect((query["a"] as? NSNumber) == kCFBooleanTrue)
    }

    @Test func `a boolean flag comes back as a boolean and not as an integer`() {
        let answer = ["flag": true] as [String: Any] as CFDictionary as? [String: Any]
        #expect(answer?["flag"] as? Bool == true)
        #expect(answer?["flag"] as? Int == nil)
    }

    @Test func `a numeric flag comes back as a boolean, an integer and a number`() {
        let answer = ["flag": NSNumber(value: 1)] as [String: Any] as CFDictionary as? [String: Any]
        #expect(answer?["flag"] as? Bool == true)
        #expect(answer?["flag"] as? Int == 1)
        #expect(answer?["flag"] as? NSNumber == 1)
    }

    @Test func `a number other than 0 and 1 is not a boolean`() {
        let number: Any = NSNumber(value: 2)
        #expect(number as? Bool == nil)
    }

    @Test func `an error returned through a pointer can be thrown and caught`() {
        func fail() throws {
            var error: Unmanaged<CFError>?
            error = Unmanaged.passRetained(CFErrorCreate(nil, "a" as CFErrorDomain, 7, nil))
            throw error!.takeRetainedValue() as any Error
        }
        do {
            try fail()
            Issue.record("nothing was thrown")
        } catch let error as NSError {
            #expect(error.domain == "a")
            #expect(error.code == 7)
        }
    }

    @Test func `the default allocator and the source of random bytes convert to optionals`() {
        let allocator: CFAllocator? = kCFAllocatorDefault
        let random: SecRandomRef? = kSecRandomDefault
        #expect(allocator == nil)
        #expect(random == nil)
    }

    @Test func `the bundle identifier key has its name in property lists`() {
        #expect(String(kCFBundleIdentifierKey) == "CFBundleIdentifier")
    }
}
