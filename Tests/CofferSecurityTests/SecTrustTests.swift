import Dispatch
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

    @Test func `no certificate is ever trusted`() throws {
        let trust = try #require(self.trust([certificate, other] as CFArray, SecPolicyCreateSSL(true, "example.test")))
        #expect(SecTrustSetAnchorCertificates(trust, [certificate] as CFArray) == errSecSuccess)
        var error: CFError?
        #expect(!SecTrustEvaluateWithError(trust, &error))
        #expect(error?.domain == NSOSStatusErrorDomain)
        #expect(error?.code == Int(errSecUnimplemented))
        #expect(!SecTrustEvaluateWithError(trust, nil))
        #expect(SecTrustCopyKey(trust) == nil)
        #expect(SecTrustCopyPublicKey(trust) == nil)
    }

    @Test func `the older and newer functions trust no certificate either`() async throws {
        let trust = try #require(self.trust(certificate))
        #expect(SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess)
        var result = SecTrustResultType.proceed
        #expect(SecTrustEvaluate(trust, &result) == errSecUnimplemented)
        #expect(result == .invalid)
        result = .proceed
        #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess)
        #expect(result == .invalid)
        #expect(SecTrustCopyCertificateChain(trust) == nil)
        let code = await withCheckedContinuation { continuation in
            SecTrustEvaluateAsyncWithError(trust, DispatchQueue.global()) { asked, isTrusted, error in
                continuation.resume(returning: asked === trust && !isTrusted ? error?.code : nil)
            }
        }
        #expect(code == -4)
    }

    @Test func `one certificate suffices, with any policies`() {
        let policy = SecPolicyCreateBasicX509()
        #expect(trust(certificate) != nil)
        #expect(trust(certificate, policy) != nil)
        #expect(trust(certificate, [policy, SecPolicyCreateSSL(false, nil)] as CFArray) != nil)
        #expect(trust(certificate, [] as CFArray) != nil)
    }

    @Test func `anything but certificates and policies is refused, and nothing is written`() {
        #expect(trust("certificate" as CFTypeRef) == nil)
        #expect(trust([] as CFArray) == nil)
        #expect(trust([certificate, "other"] as CFArray) == nil)
        #expect(trust(certificate, "policy" as CFTypeRef) == nil)
        #expect(trust(certificate, [certificate] as CFArray) == nil)
        var unchanged: SecTrust?
        #expect(SecTrustCreateWithCertificates(NSNull(), nil, &unchanged) == errSecParam)
        #expect(unchanged == nil)
    }

    @Test func `the certificates come back in order`() throws {
        let trust = try #require(self.trust([certificate, other] as CFArray))
        #expect(SecTrustGetCertificateCount(trust) == 2)
        #expect(SecTrustGetCertificateAtIndex(trust, 0) === certificate)
        #expect(SecTrustGetCertificateAtIndex(trust, 1) === other)
    }

    @Test(arguments: [-1, 1, .max, .min] as [CFIndex])
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
