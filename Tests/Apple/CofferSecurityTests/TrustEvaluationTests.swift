import Foundation
import Security
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, section 12, with the certificates of `Fixtures/trust`.
@Suite("Evaluating certificates") struct TrustEvaluationTests {
    private let basic = SecPolicyCreateBasicX509()
    private let server = SecPolicyCreateSSL(true, nil)
    private let june2026 = Date(timeIntervalSince1970: 1_780_272_000)

    private func certificate(_ name: String) throws -> SecCertificate {
        let file = Repository.root.appending(path: "Fixtures/trust/\(name).der")
        return try #require(SecCertificateCreateWithData(nil, try Data(contentsOf: file) as CFData))
    }

    /// A trust that knows certificates, the first of which it evaluates, and trusts others.
    private func trust(
        _ names: [String],
        _ policy: CFTypeRef? = nil,
        anchors: [String] = ["root"],
        at date: Date? = nil
    ) throws -> SecTrust {
        var trust: SecTrust?
        let certificates = try names.map { try certificate($0) }
        #expect(SecTrustCreateWithCertificates(certificates as CFArray, policy, &trust) == 0)
        let made = try #require(trust)
        #expect(SecTrustSetAnchorCertificates(made, try anchors.map { try certificate($0) } as CFArray) == 0)
        #expect(SecTrustSetVerifyDate(made, (date ?? june2026) as CFDate) == 0)
        return made
    }

    /// The code of the error; 0 if the certificate is trusted.
    private func status(_ trust: SecTrust) -> OSStatus {
        var error: CFError?
        guard !SecTrustEvaluateWithError(trust, &error) else { return 0 }
        return error.map { OSStatus($0.code) } ?? 1
    }

    private func result(_ trust: SecTrust) -> SecTrustResultType? {
        var result = SecTrustResultType.invalid
        return SecTrustGetTrustResult(trust, &result) == 0 ? result : nil
    }

    // MARK: - Chains

    @Test func `a chain to an anchor of the program is trusted, whatever the order of the issuers`() throws {
        let trust = try trust(["leaf", "other_root", "leaf_of_root", "intermediate"])
        #expect(status(trust) == 0)
        #expect(result(trust) == .unspecified)
        let chain = try #require(SecTrustCopyCertificateChain(trust) as? [SecCertificate])
        #expect(try chain == [certificate("leaf"), certificate("intermediate"), certificate("root")])
        #expect(SecTrustGetCertificateCount(trust) == 3)
        #expect(try SecTrustGetCertificateAtIndex(trust, 2) == certificate("root"))
        #expect(SecTrustGetCertificateAtIndex(trust, 3) == nil)
    }

    /// The namesake has another key, and the certificates do not say whose key signed them.
    @Test func `an issuer with the right name, but another key, does not get in the way`() throws {
        let namesake = try certificateFixture("chain_intermediate")
        let (leaf, intermediate, root) = (
            try certificate("leaf"), try certificate("intermediate"), try certificate("root")
        )
        let chains = [[leaf, namesake, intermediate], [leaf, intermediate, namesake]]
        for (certificates, anchors) in chains.map({ ($0, [root]) }) + [([leaf], [namesake, intermediate])] {
            var made: SecTrust?
            #expect(SecTrustCreateWithCertificates(certificates as CFArray, nil, &made) == 0)
            let trust = try #require(made)
            #expect(SecTrustSetAnchorCertificates(trust, anchors as CFArray) == 0)
            #expect(SecTrustSetVerifyDate(trust, june2026 as CFDate) == 0)
            #expect(status(trust) == 0)
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
            #expect(chain == (anchors == [root] ? [leaf, intermediate, root] : [leaf, intermediate]))
        }
        // Without the right one, the chain is that with the namesake.
        var made: SecTrust?
        #expect(SecTrustCreateWithCertificates([leaf, namesake] as CFArray, nil, &made) == 0)
        let trust = try #require(made)
        #expect(SecTrustSetAnchorCertificates(trust, [root] as CFArray) == 0)
        #expect(status(trust) == errSecCreateChainFailed)
    }

    @Test(
        arguments: [
            // The code of what is wrong with a chain.
            (["leaf"], errSecCreateChainFailed), (["leaf_of_nobody", "intermediate"], errSecCreateChainFailed),
            (["leaf_wrong_signature", "intermediate"], errSecCreateChainFailed),
            (["self_signed"], errSecNotTrusted), (["other_root"], errSecNotTrusted),
            (["leaf", "expired_intermediate"], errSecCertificateExpired),
            (["leaf", "without_constraints"], errSecNoBasicConstraints),
            (["leaf", "no_authority"], errSecNoBasicConstraintsCA),
            (["leaf", "without_signing"], errSecInvalidKeyUsageForPolicy),
            (["leaf_of_second", "second_intermediate", "intermediate"], errSecPathLengthConstraintExceeded),
            (["leaf", "constrained"], errSecInvalidName), (["leaf", "excluding"], errSecInvalidName),
            (["leaf", "with_policy"], errSecInvalidPolicyIdentifiers),
            (["unknown_critical", "intermediate"], errSecUnknownCriticalExtensionFlag),
            (["unknown", "intermediate"], 0), (["apples_critical", "intermediate"], 0),
            (["malformed", "intermediate"], errSecUnknownCertExtension),
            (["no_subject", "intermediate"], 0), (["no_critical_names", "intermediate"], errSecInvalidSubjectName),
            (["leaf_of_nameless", "nameless"], errSecInvalidSubjectName),
            (["rsa_512", "intermediate"], errSecUnsupportedKeySize),
            (["rsa_1024", "intermediate"], 0), (["rsa_2048", "intermediate"], 0),
            (["md5", "rsa_intermediate"], errSecInvalidDigestAlgorithm),
            (["md5_self_issued", "rsa_intermediate"], errSecInvalidDigestAlgorithm), (["sha1", "rsa_intermediate"], 0),
            (["client", "intermediate"], 0), (["long", "intermediate"], 0), (["leaf_of_root"], 0),
        ] as [([String], OSStatus)]
    )
    func `the basic policy`(names: [String], code: OSStatus) throws {
        #expect(status(try trust(names)) == code)
    }

    @Test(
        arguments: [
            (["leaf", "intermediate"], 0), (["client", "intermediate"], errSecInvalidExtendedKeyUsage),
            (["no_purpose", "intermediate"], errSecInvalidExtendedKeyUsage),
            (["any_purpose", "intermediate"], errSecInvalidExtendedKeyUsage),
            (["old_no_purpose", "intermediate"], 0), (["old_any_purpose", "intermediate"], 0),
            (["long", "intermediate"], errSecCertificateValidityPeriodTooLong), (["longest", "intermediate"], 0),
            (["rsa_1024", "intermediate"], errSecUnsupportedKeySize), (["rsa_2048", "intermediate"], 0),
            (["sha1", "rsa_intermediate"], errSecInvalidDigestAlgorithm),
        ] as [([String], OSStatus)]
    )
    func `the policy for servers`(names: [String], code: OSStatus) throws {
        #expect(status(try trust(names, server)) == code)
    }

    @Test(
        arguments: [("leaf", 0), ("client", 0), ("no_purpose", 0), ("any_purpose", 0)]
            as [(String, OSStatus)]
    )
    func `the policy for clients`(name: String, code: OSStatus) throws {
        #expect(status(try trust([name, "intermediate", "rsa_intermediate"], SecPolicyCreateSSL(false, nil))) == code)
    }

    // MARK: - Anchors

    @Test func `without anchors nothing is trusted`() throws {
        #expect(status(try trust(["leaf", "intermediate", "root"], anchors: [])) == errSecNotTrusted)
        #expect(status(try trust(["leaf", "intermediate"], anchors: [])) == errSecCreateChainFailed)
    }

    @Test(arguments: ["leaf", "intermediate", "self_signed", "root"])
    func `a certificate that is an anchor is trusted, whatever its issuers are`(name: String) throws {
        for others in [[], ["intermediate", "root", "self_signed"]] {
            let trust = try trust([name] + others, anchors: [name])
            #expect(status(trust) == 0)
            #expect(SecTrustGetCertificateCount(trust) == 1)
        }
    }

    @Test(arguments: ["key_dsa", "key_secp256k1", "key_x25519"])
    func `a key of unknown strength is too weak, even in an anchor`(name: String) throws {
        let certificate = try certificateFixture(name)
        var made: SecTrust?
        #expect(SecTrustCreateWithCertificates(certificate, nil, &made) == 0)
        let trust = try #require(made)
        #expect(SecTrustSetAnchorCertificates(trust, [certificate] as CFArray) == 0)
        #expect(status(trust) == errSecUnsupportedKeySize)
        #expect(result(trust) == .fatalTrustFailure)
    }

    @Test func `an intermediate certificate can be an anchor`() throws {
        let trust = try trust(["leaf"], anchors: ["intermediate"])
        #expect(status(trust) == 0)
        #expect(SecTrustGetCertificateCount(trust) == 2)
    }

    @Test func `an anchor must be valid too`() throws {
        #expect(status(try trust(["leaf_of_root"], anchors: ["expired_root"])) == errSecCertificateExpired)
    }

    @Test func `the program's anchors are the only ones until it says otherwise`() throws {
        let trust = try trust(["leaf", "intermediate"], anchors: ["other_root"])
        #expect(status(trust) == errSecCreateChainFailed)
        #expect(SecTrustSetAnchorCertificates(trust, [try certificate("root")] as CFArray) == 0)
        #expect(status(trust) == 0)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, false) == 0)
        #expect(status(trust) == 0)
        var anchors: CFArray?
        #expect(SecTrustCopyCustomAnchorCertificates(trust, &anchors) == 0)
        #expect(try anchors as? [SecCertificate] == [certificate("root")])
    }

    private static let systemFile = "/etc/ssl/certs/ca-certificates.crt"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: systemFile)))
    func `an anchor of the system counts until the program has its own`() throws {
        let parts = try String(contentsOfFile: Self.systemFile, encoding: .utf8).split(separator: "-----")
        let text = try #require(parts.first { $0.count > 200 })
        let data = try #require(Data(base64Encoded: String(text), options: .ignoreUnknownCharacters))
        let certificate = try #require(SecCertificateCreateWithData(nil, data as CFData))
        var made: SecTrust?
        #expect(SecTrustCreateWithCertificates(certificate, nil, &made) == 0)
        let trust = try #require(made)
        let start = try #require(SecCertificateCopyNotValidBeforeDate(certificate)) as Date
        #expect(SecTrustSetVerifyDate(trust, (start + 1) as CFDate) == 0)
        #expect(status(trust) == 0)
        #expect(SecTrustSetAnchorCertificates(trust, [try self.certificate("root")] as CFArray) == 0)
        #expect(status(trust) == errSecNotTrusted)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, false) == 0)
        #expect(status(trust) == 0)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, true) == 0)
        #expect(status(trust) == errSecNotTrusted)
    }

    // MARK: - Time

    @Test func `the validity includes its first and last second`() throws {
        let (start, end) = (Date(timeIntervalSince1970: 1_767_225_600), Date(timeIntervalSince1970: 1_798_761_600))
        for date in [start, end, end + 0.5] { #expect(status(try trust(["leaf", "intermediate"], at: date)) == 0) }
        for date in [start - 0.5, end + 1] {
            #expect(status(try trust(["leaf", "intermediate"], at: date)) == errSecCertificateExpired)
        }
        #expect(SecTrustGetVerifyTime(try trust(["leaf"], at: start)) == start.timeIntervalSinceReferenceDate)
    }

    /// In seconds, since Foundation cannot describe such dates.
    @Test(arguments: [-6e10, 6e10, 9e18, -9e18, .infinity, -.infinity, .nan])
    func `a date in another age, or none`(seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(status(try trust(["leaf", "intermediate"], at: date)) == errSecCertificateExpired)
    }

    // MARK: - Host names

    @Test(
        arguments: [
            "example.com", "EXAMPLE.com", "example.com.", "www.example.com", "192.0.2.1", "2001:db8::1",
            "[2001:DB8::1]",
            "2001:db8:0:0:0:0:0:1",
        ],
        ["leaf"]
    )
    func `names and addresses of the certificate`(host: String, name: String) throws {
        #expect(status(try trust([name, "intermediate"], SecPolicyCreateSSL(true, host as CFString))) == 0)
    }

    @Test(arguments: [
        "", ".", "com", "example.org", "a.b.example.com", "xexample.com", ".example.com", "example.com..",
        "*.example.com",
        "foo.example.net", "f*.example.net", "a.org", "192.0.2.7", "192.0.2.2", "192.0.2", "192.0.2.01.1",
        "2001:db8::2",
        "2001:db8::1::", "::", "leaf", "example.com\0.org",
    ])
    func `other hosts: errSecHostNameMismatch`(host: String) throws {
        let policy = SecPolicyCreateSSL(true, host as CFString)
        #expect(status(try trust(["leaf", "intermediate"], policy)) == errSecHostNameMismatch)
    }

    @Test func `the common name is not a host name`() throws {
        let policy = SecPolicyCreateSSL(true, "example.com")
        #expect(status(try trust(["no_names", "intermediate"], policy)) == errSecHostNameMismatch)
        #expect(status(try trust(["no_names", "intermediate"], server)) == 0)
    }

    // MARK: - Several things at once

    @Test func `what is more serious is reported first`() throws {
        let policy = SecPolicyCreateSSL(true, "other.example")
        let late = Date(timeIntervalSince1970: 1_900_000_000)
        #expect(status(try trust(["leaf", "intermediate"], policy, at: late)) == errSecHostNameMismatch)
        #expect(status(try trust(["client", "intermediate"], policy, at: late)) == errSecInvalidExtendedKeyUsage)
        #expect(
            status(try trust(["client", "intermediate", "root"], policy, anchors: [], at: late)) == errSecNotTrusted
        )
        #expect(
            status(try trust(["client", "no_authority"], policy, anchors: [], at: late)) == errSecNoBasicConstraintsCA
        )
        #expect(status(try trust(["rsa_512", "no_authority"], policy, anchors: [])) == errSecUnsupportedKeySize)
    }

    @Test func `the error names the certificate, and the one below it everything`() throws {
        let late = Date(timeIntervalSince1970: 1_900_000_000)
        let trust = try trust(["client", "intermediate"], SecPolicyCreateSSL(true, "other.example"), at: late)
        var error: CFError?
        #expect(!SecTrustEvaluateWithError(trust, &error))
        let found = try #require(error)
        #expect(found.domain == NSOSStatusErrorDomain)
        #expect(found.localizedDescription == "“leaf” is not for this purpose")
        let underlying = try #require(found.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(underlying.code == found.code)
        #expect(
            underlying.localizedDescription
                == "Certificate 0 “leaf” is not for this purpose, is not for this host name, is not valid at this time"
        )
        #expect(!SecTrustEvaluateWithError(trust, nil))
    }

    @Test func `all policies must be satisfied`() throws {
        let policies = [SecPolicyCreateSSL(true, "example.com"), SecPolicyCreateSSL(true, "other.example")] as CFArray
        #expect(status(try trust(["leaf", "intermediate"], policies)) == errSecHostNameMismatch)
        let trust = try trust(["leaf", "intermediate"], basic)
        #expect(status(trust) == 0)
        #expect(SecTrustSetPolicies(trust, policies) == 0)
        #expect(status(trust) == errSecHostNameMismatch)
    }

    @Test func `a required answer about revocation is never given`() throws {
        let method = kSecRevocationUseAnyAvailableMethod
        let required = try #require(SecPolicyCreateRevocation(method | kSecRevocationRequirePositiveResponse))
        let optional = try #require(SecPolicyCreateRevocation(method))
        #expect(
            status(try trust(["leaf", "intermediate"], [basic, required] as CFArray))
                == errSecIncompleteCertRevocationCheck
        )
        #expect(status(try trust(["leaf", "intermediate"], [basic, optional] as CFArray)) == 0)
        #expect(SecPolicyCreateRevocation(kSecRevocationRequirePositiveResponse) == nil)
    }

    // MARK: - Results and exceptions

    @Test func `the dictionary of the result has its number and the date`() throws {
        for (names, type) in [
            (["leaf", "intermediate"], SecTrustResultType.unspecified), (["leaf"], .recoverableTrustFailure),
        ] {
            let result = try #require(SecTrustCopyResult(try trust(names)) as? [String: Any])
            #expect(result["TrustResultValue"] as? UInt32 == type.rawValue)
            #expect(result[kSecTrustEvaluationDate as String] as? Date == june2026)
            #expect(result.count == 2)
        }
    }

    @Test func `the network is never used`() throws {
        let trust = try trust(["leaf"])
        var isAllowed: DarwinBoolean = true
        #expect(SecTrustSetNetworkFetchAllowed(trust, true) == 0)
        #expect(SecTrustGetNetworkFetchAllowed(trust, &isAllowed) == 0)
        #expect(!isAllowed.boolValue)
    }

    @Test func `a failure is recoverable, unless the key or the digest is broken`() throws {
        #expect(result(try trust(["leaf"])) == .recoverableTrustFailure)
        #expect(result(try trust(["rsa_512", "intermediate"])) == .fatalTrustFailure)
        #expect(result(try trust(["md5", "rsa_intermediate"])) == .fatalTrustFailure)
        #expect(result(try trust(["rsa_1024", "intermediate"], server)) == .recoverableTrustFailure)
    }

    @Test func `exceptions allow what was wrong, and nothing else`() throws {
        let late = Date(timeIntervalSince1970: 1_900_000_000)
        let trust = try trust(["leaf", "intermediate"], at: late)
        #expect(status(trust) == errSecCertificateExpired)
        let exceptions = try #require(SecTrustCopyExceptions(trust))
        #expect(SecTrustSetExceptions(trust, exceptions))
        #expect(status(trust) == 0)
        #expect(result(trust) == .proceed)
        #expect(SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "other.example")) == 0)
        #expect(status(trust) == errSecHostNameMismatch)
        #expect(!SecTrustSetExceptions(trust, nil))
        #expect(SecTrustSetPolicies(trust, basic) == 0)
        #expect(status(trust) == errSecCertificateExpired)

        let other = try self.trust(["client", "intermediate"], at: late)
        #expect(!SecTrustSetExceptions(other, exceptions))
        #expect(!SecTrustSetExceptions(other, Data("x") as CFData))
        #expect(status(other) == errSecCertificateExpired)
        let weak = try self.trust(["rsa_512", "intermediate"])
        #expect(SecTrustSetExceptions(weak, SecTrustCopyExceptions(weak)))
        #expect(status(weak) == errSecUnsupportedKeySize)
    }

    @Test func `asynchronous evaluations report on the queue, once`() async throws {
        let (good, bad) = (try trust(["leaf", "intermediate"]), try trust(["leaf"]))
        for (trust, code) in [(good, 0), (bad, errSecCreateChainFailed)] {
            let found = await withCheckedContinuation { continuation in
                SecTrustEvaluateAsyncWithError(trust, DispatchQueue(label: "evaluation")) { asked, isTrusted, error in
                    let code = isTrusted ? 0 : error.map { OSStatus($0.code) } ?? 1
                    continuation.resume(returning: asked === trust ? code : 1)
                }
            }
            #expect(found == code)
        }
        let result = await withCheckedContinuation { continuation in
            SecTrustEvaluateAsync(good, nil) { _, result in continuation.resume(returning: result) }
        }
        #expect(result == .unspecified)
    }

    @Test func `the key is that of the first certificate`() throws {
        let trust = try trust(["leaf"])
        #expect(try SecTrustCopyKey(trust) == SecCertificateCopyKey(certificate("leaf")))
        #expect(SecTrustCopyPublicKey(trust) == SecTrustCopyKey(trust))
    }
}
