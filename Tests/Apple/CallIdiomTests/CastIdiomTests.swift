// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import Security
import Testing

/// A result as the keychain returns it: a Foundation object behind `CFTypeRef?`.
private func result(_ value: Any) -> CFTypeRef? { value as CFTypeRef }

@Suite("Reading results") struct CastIdiomTests {
    private let attributes: [String: Any] = [
        "acct": "kim", "labl": "tests", "mdat": Date(timeIntervalSinceReferenceDate: 10),
        "v_Data": Data("secret".utf8), "invi": NSNumber(value: 1), "port": NSNumber(value: 443),
    ]

    @Test func `data`() {
        let item = result(Data("secret".utf8))
        #expect(item as? Data == Data("secret".utf8))
        #expect((item as? NSData)?.length == 6)
        #expect(item as! Data == Data("secret".utf8))
        #expect((item as? Data).flatMap { String(data: $0, encoding: .utf8) } == "secret")
        #expect(item as? String == nil)
    }

    @Test func `attributes cast to every form`() throws {
        let item = result(attributes)
        #expect((item as? [String: Any])?[kSecAttrAccount as String] as? String == "kim")
        #expect((item as? [String: AnyObject])?[kSecValueData as String] as? Data == Data("secret".utf8))
        #expect((item as? [String: AnyHashable])?["acct"] as? String == "kim")
        #expect((item as? [AnyHashable: Any])?["acct"] as? String == "kim")
        #expect((item as? [CFString: Any])?[kSecAttrAccount] as? String == "kim")
        #expect((item as? [CFString: AnyObject])?[kSecAttrAccount] as? String == "kim")
        #expect((item as? NSDictionary)?[kSecAttrAccount] as? String == "kim")
        #expect((item as! CFDictionary)[kSecAttrAccount] as! String == "kim")
        let date = try #require(item as? [String: Any])["mdat"] as? Date
        #expect(date == Date(timeIntervalSinceReferenceDate: 10))
    }

    @Test func `several items cast to every form`() {
        let items = result([attributes, attributes] as NSArray)
        #expect((items as? [[String: Any]])?.count == 2)
        #expect((items as? [[String: AnyObject]])?.count == 2)
        #expect((items as? [[AnyHashable: Any]])?.count == 2)
        #expect((items as? [[CFString: Any]])?.first?[kSecAttrAccount] as? String == "kim")
        #expect((items as? [NSDictionary])?.count == 2)
        #expect((items as? [AnyObject])?.count == 2)
        #expect((items as? NSArray)?.count == 2)
        #expect((items as! CFArray).count == 2)
        var accounts: [String] = []
        for case let item as NSDictionary in items as! NSArray {
            accounts.append(item[kSecAttrAccount] as! String)
        }
        #expect(accounts == ["kim", "kim"])
    }

    @Test func `the data of several items`() {
        let items = result([Data([1]), Data([2])] as NSArray)
        #expect(items as? [Data] == [Data([1]), Data([2])])
        #expect((items as? NSArray)?.count == 2)
    }

    @Test func `booleans and numbers`() throws {
        let item = try #require(result(attributes) as? [String: Any])
        #expect(item["invi"] as? Bool == true)
        #expect(item["invi"] as? Int == 1)
        #expect((item["invi"] as? NSNumber)?.boolValue == true)
        #expect(item["port"] as? Int == 443)
        #expect(item["port"] as? Bool == nil)
        #expect(item["nega"] as? Bool ?? false == false)
    }

    @Test func `Core Foundation booleans`() {
        #expect(kCFBooleanTrue as! Bool)
        #expect(kCFBooleanTrue == true as NSNumber)
        #expect(kCFBooleanFalse! as NSNumber == false)
        let query: [String: Any] = ["r_Data": kCFBooleanTrue!, "r_Ref": kCFBooleanFalse as Any]
        #expect((query as CFDictionary)["r_Data"] as? Bool == true)
        #expect((query as CFDictionary)["r_Ref"] as? Bool == false)
    }

    @Test func `references`() throws {
        let certificate = try #require(SecCertificateCreateWithData(nil, Data(smallCertificate) as CFData))
        let item = result(["v_Ref": certificate])
        let found = (item as? [String: Any])?["v_Ref"]
        #expect(found as! SecCertificate === certificate)
        #expect(found as AnyObject as? SecKey == nil)
        #expect(result(certificate) as? SecCertificate === certificate)
        #expect(result([certificate] as CFArray) as? [SecCertificate] == [certificate])
        #expect(CFGetTypeID(certificate) == SecCertificateGetTypeID())
    }

    @Test func `strings compared with constants`() {
        let attributes: [String: Any] = ["kcls": "0", "type": "73"]
        let keyClass: Any? = attributes[kSecAttrKeyClass as String]
        #expect(keyClass as! CFString == kSecAttrKeyClassPublic)
        #expect(attributes["type"] as? String == kSecAttrKeyTypeECSECPrimeRandom as String)
        let isPublic =
            switch attributes["kcls"] as? String {
            case String(kSecAttrKeyClassPublic): true
            default: false
            }
        #expect(isPublic)
        let constant: CFString = kSecAttrKeyClassPublic
        #expect(constant as String == "0" && "\(constant)" == "0")
        switch constant {
        case kSecAttrKeyClassPublic: break
        default: Issue.record("a constant does not match itself")
        }
    }
}

/// A certificate with an Ed25519 key, from `Fixtures/x509`.
let smallCertificate = [UInt8](
    Data(
        base64Encoded: """
            MIHRMIGEoAMCAQICAhI0MAUGAytlcDASMRAwDgYDVQQDDAdFZDI1NTE5MB4XDTI0MDIyOTEyMzAxNVoXDTQ0MDIyOTIzNTk1OVow
            EjEQMA4GA1UEAwwHRWQyNTUxOTAqMAUGAytlcAMhACcTnEjkzfBWTdN82+ZOhZiqSb6SvqyWaCbLFeXPo08dMAUGAytlcANBAAGl
            vDdBi8V0uwWSZaFH9IGgy9pPOidvhiTmHQujI5u2jsTJALjqacxZ6gsTsxFYjtUgyCnV+E0rD4QS0h9ufgc=
            """,
        options: .ignoreUnknownCharacters
    ) ?? Data()
)
