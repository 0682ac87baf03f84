// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import Security
import Testing

private struct Refused: Error, Equatable {
    let status: OSStatus
}

extension OSStatus {
    fileprivate var isGood: Bool { self == errSecSuccess }

    fileprivate func check() throws {
        guard isGood else { throw Refused(status: self) }
    }
}

extension CFError {
    fileprivate var status: OSStatus { OSStatus(CFErrorGetCode(self)) }
}

/// The usual form: the error is thrown as it is.
private func makeControl(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
    var error: Unmanaged<CFError>?
    guard
        let control = SecAccessControlCreateWithFlags(
            kCFAllocatorDefault,
            kSecAttrAccessibleWhenUnlocked,
            flags,
            &error
        )
    else {
        throw error!.takeRetainedValue() as Error
    }
    return control
}

/// An older form.
private func makeKey() throws -> SecKey {
    let attributes: [String: Any] = [
        kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
        kSecAttrKeySizeInBits as String: 255,
        kSecPrivateKeyAttrs as String: [kSecAttrIsPermanent as String: false],
    ]
    var error: Unmanaged<CFError>?
    guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
        if let error = error?.takeRetainedValue() { throw error }
        throw Refused(status: errSecParam)
    }
    return key
}

@Suite("Handling errors") struct ErrorIdiomTests {
    @Test func `the error of a function can be thrown and caught as an NSError`() throws {
        #expect(throws: Never.self) { try makeControl(.userPresence) }
        do {
            _ = try makeControl([.or, .and])
            Issue.record("nothing was thrown")
        } catch let error as NSError {
            #expect(error.domain == NSOSStatusErrorDomain)
            #expect(error.code == Int(errSecParam))
        }
    }

    @Test func `the error of a function can be caught as a CFError`() {
        do {
            _ = try makeKey()
            Issue.record("nothing was thrown")
        } catch let error as CFError {
            #expect(error.status == errSecParam)
            #expect(CFErrorGetDomain(error) as String == NSOSStatusErrorDomain)
            #expect(CFErrorGetDomain(error) == NSOSStatusErrorDomain as CFErrorDomain)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func `the error of an evaluation is not wrapped`() throws {
        let certificate = try #require(SecCertificateCreateWithData(nil, Data(smallCertificate) as CFData))
        var trust: SecTrust?
        let policy = SecPolicyCreateBasicX509()
        try SecTrustCreateWithCertificates([certificate] as CFArray, policy, &trust).check()
        try SecTrustCreateWithCertificates(certificate as CFTypeRef, [policy] as CFTypeRef, &trust).check()
        var error: CFError?
        #expect(SecTrustEvaluateWithError(trust!, &error) == false)
        #expect(error!.status == errSecNotTrusted)
        #expect((error as Error?)?.localizedDescription.isEmpty == false)
    }

    @Test func `unused results can be discarded`() throws {
        var bytes = [UInt8](repeating: 0, count: 4)
        SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes)
        let certificate = try #require(SecCertificateCreateWithData(nil, Data(smallCertificate) as CFData))
        var name: CFString?
        SecCertificateCopyCommonName(certificate, &name)
        var trust: SecTrust?
        SecTrustCreateWithCertificates(certificate, nil, &trust)
        trust.map { trust in _ = SecTrustSetPolicies(trust, SecPolicyCreateBasicX509()) }
        SecKeyGeneratePair([:] as CFDictionary, nil, nil)
        CFEqual(certificate, trust)
        CFBooleanGetValue(kCFBooleanTrue)
    }

    @Test func `a status becomes an error through a caller's extension`() {
        #expect(throws: Refused(status: errSecItemNotFound)) { try errSecItemNotFound.check() }
        #expect(errSecSuccess.isGood)
        let text =
            switch errSecDuplicateItem {
            case errSecSuccess: "good"
            case errSecDuplicateItem, errSecItemNotFound: "known"
            default: "unknown"
            }
        #expect(text == "known")
        #expect(NSError(domain: NSOSStatusErrorDomain, code: Int(errSecItemNotFound)).code == -25300)
    }
}
