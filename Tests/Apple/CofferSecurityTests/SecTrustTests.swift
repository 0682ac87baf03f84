import Foundation
import Security
import Testing

@Suite("Trust") struct SecTrustTests {
    private let certificate: SecCertificate
    private let other: SecCertificate

    init() throws {
        certificate = try #require(sampleSecCertificate())
        other = try #require(sampleSecCertificate(otherCertificate))
    }

    private func trust(_ certificates: CFTypeRef, _ policies: CFTypeRef? = nil) -> SecTrust? {
        var trust: SecTrust?
        return SecTrustCreateWithCertificates(certificates, policies, &trust) == errSecSuccess ? trust : nil
    }

    @Test func `one certificate suffices, with any policies`() {
        let policy = SecPolicyCreateBasicX509()
        #expect(trust(certificate) != nil)
        #expect(trust(certificate, policy) != nil)
        #expect(trust(certificate, [policy, SecPolicyCreateSSL(false, nil)] as CFArray) != nil)
    }

    @Test func `anything but certificates and policies is refused, and nothing is written`() {
        #expect(trust("certificate" as CFTypeRef) == nil)
        #expect(trust([] as CFArray) == nil)
        #expect(trust([certificate, "other"] as CFArray) == nil)
        #expect(trust(certificate, "policy" as CFTypeRef) == nil)
        #expect(trust(certificate, [] as CFArray) == nil)
        #expect(trust(certificate, [certificate] as CFArray) == nil)
        var unchanged: SecTrust?
        #expect(SecTrustCreateWithCertificates(NSNull(), nil, &unchanged) == errSecParam)
        #expect(unchanged == nil)
    }

    @Test(arguments: [-1, 5, .max, .min] as [CFIndex])
    func `an index out of range has no certificate`(index: CFIndex) throws {
        #expect(SecTrustGetCertificateAtIndex(try #require(self.trust(certificate)), index) == nil)
    }

    @Test func `anchors and policies are checked`() throws {
        let trust = try #require(self.trust(certificate))
        #expect(SecTrustSetAnchorCertificates(trust, ["anchor"] as CFArray) == errSecParam)
        #expect(SecTrustSetPolicies(trust, SecPolicyCreateBasicX509()) == errSecSuccess)
        #expect(SecTrustSetPolicies(trust, [SecPolicyCreateBasicX509()] as CFArray) == errSecSuccess)
        #expect(SecTrustSetPolicies(trust, "policy" as CFTypeRef) == errSecParam)
    }

    @Test func `policies with the same purpose are equal, also in sets`() {
        let policies = [
            SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, nil), SecPolicyCreateSSL(false, nil),
            SecPolicyCreateSSL(true, "example.test"),
        ]
        #expect(Set(policies).count == 4)
        #expect(SecPolicyCreateSSL(true, "example.test") == SecPolicyCreateSSL(true, "example.test"))
        #expect(SecPolicyCreateBasicX509() == SecPolicyCreateBasicX509())
    }

    @Test(
        arguments: [
            (.invalid, 0), (.proceed, 1), (.confirm, 2), (.deny, 3), (.unspecified, 4), (.recoverableTrustFailure, 5),
            (.fatalTrustFailure, 6), (.otherError, 7),
        ] as [(SecTrustResultType, UInt32)]
    )
    func `results have Apple's numbers`(result: SecTrustResultType, number: UInt32) {
        #expect(result.rawValue == number)
    }
}
