import Foundation
import Security
import Testing

@Suite("Policies with properties") struct SecPolicyTests {
    @Test func `a policy with properties equals the one of its own function`() {
        let server = [kSecPolicyName: "example.com", kSecPolicyClient: false] as CFDictionary
        let client = [kSecPolicyName: "example.com", kSecPolicyClient: true] as CFDictionary
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleX509Basic, nil) == SecPolicyCreateBasicX509())
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, nil) == SecPolicyCreateSSL(true, nil))
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, server) == SecPolicyCreateSSL(true, "example.com"))
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, client) == SecPolicyCreateSSL(false, "example.com"))
    }

    @Test func `a policy for revocation takes the flags, and any method without them`() throws {
        let any = SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod)
        let flags = kSecRevocationOCSPMethod | kSecRevocationRequirePositiveResponse
        let properties = [kSecPolicyRevocationFlags: flags] as CFDictionary
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleRevocation, nil) == any)
        #expect(
            SecPolicyCreateWithProperties(kSecPolicyAppleRevocation, properties) == SecPolicyCreateRevocation(flags)
        )
        #expect(SecPolicyCreateRevocation(flags) != any)
    }

    @Test(arguments: [
        kSecPolicyAppleSMIME as String, kSecPolicyAppleEAP as String, kSecPolicyAppleCodeSigning as String, "", "SSL",
    ])
    func `an identifier that is not supported has no policy`(identifier: String) {
        #expect(SecPolicyCreateWithProperties(identifier as CFString, nil) == nil)
    }

    @Test func `a name or an identifier that is not a string has no policy`() {
        let names = [kSecPolicyName: ["example.com"]] as CFDictionary
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, names) == nil)
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleX509Basic, names) == nil)
        #expect(SecPolicyCreateWithProperties(3 as CFNumber, nil) == nil)
    }

    @Test func `the properties of a policy make an equal one`() throws {
        let policies = [
            SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, nil), SecPolicyCreateSSL(true, "example.com"),
            SecPolicyCreateSSL(false, nil), try #require(SecPolicyCreateRevocation(kSecRevocationOCSPMethod)),
        ]
        for policy in policies {
            let properties = try #require(SecPolicyCopyProperties(policy))
            let identifier = try #require(properties[kSecPolicyOid] as? String)
            #expect(SecPolicyCreateWithProperties(identifier as CFString, properties) == policy)
        }
        let server = SecPolicyCopyProperties(policies[2]) as? [String: String]
        #expect(server == ["SecPolicyOid": "1.2.840.113635.100.1.3", "SecPolicyName": "example.com"])
    }
}
