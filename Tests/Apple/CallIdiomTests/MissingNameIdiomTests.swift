// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import Security
import Testing

/// The identifier of the device, as tutorials make it.
private func deviceIdentifier() -> String { CFUUIDCreateString(nil, CFUUIDCreate(nil)) as String }

/// Whether the program is in a sandbox, as programs for macOS ask.
private func isSandboxed() -> Bool {
    guard let task = SecTaskCreateFromSelf(nil) else { return false }
    return SecTaskCopyValueForEntitlement(task, "com.apple.security.app-sandbox" as CFString, nil) as? Bool ?? false
}

/// The key of a certificate, in code for several versions of both systems.
private func publicKey(_ certificate: SecCertificate) -> SecKey? {
    if #available(iOS 12.0, macOS 10.14, *) {
        #if os(macOS)
            var key: SecKey?
            guard SecCertificateCopyPublicKey(certificate, &key) == errSecSuccess else { return nil }
            return key
        #else
            return SecCertificateCopyPublicKey(certificate)
        #endif
    }
    return nil
}

private func isCanceled(_ error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == NSOSStatusErrorDomain && error.code == Int(userCanceledErr)
}

private func text(_ status: OSStatus) -> String {
    switch status {
    case errSSLClosedGraceful, errSSLClosedNoNotify: "closed"
    case errSSLXCertChainInvalid, errSSLHostNameMismatch: "certificate"
    case errSecCSReqFailed: "signature"
    default: "other"
    }
}

@Suite("Names of other headers") struct MissingNameIdiomTests {
    @Test func `a UUID identifies the device`() {
        #expect(UUID(uuidString: deviceIdentifier()) != nil)
        #expect(deviceIdentifier() != deviceIdentifier())
    }

    @Test func `a program asks for its entitlements`() {
        #expect(!isSandboxed())
    }

    @Test func `a certificate has a key`() throws {
        let bytes = Data(smallCertificate) as CFData
        let certificate = try #require(SecCertificateCreateWithData(kCFAllocatorDefault, bytes))
        #expect(publicKey(certificate) == SecCertificateCopyKey(certificate))
    }

    @Test func `bytes of data are read and made`() {
        let bytes: [UInt8] = [1, 2, 3]
        let data = CFDataCreate(kCFAllocatorDefault, bytes, bytes.count)!
        let pointer = CFDataGetBytePtr(data)!
        #expect(Array(UnsafeBufferPointer(start: pointer, count: CFDataGetLength(data))) == bytes)
        var copy = [UInt8](repeating: 0, count: CFDataGetLength(data))
        CFDataGetBytes(data, CFRange(location: 0, length: CFDataGetLength(data)), &copy)
        #expect(copy == bytes)
        let lent: Data = bytes.withUnsafeBufferPointer {
            Data(CFDataCreateWithBytesNoCopy(nil, $0.baseAddress, $0.count, kCFAllocatorNull)! as Data)
        }
        #expect(lent.first == 1)
        withExtendedLifetime(data) {}
    }

    @Test func `an error is made and read with Core Foundation's names`() {
        let info: [CFString: Any] = [kCFErrorLocalizedDescriptionKey: "canceled", kCFErrorDescriptionKey: kCFNull!]
        let error: CFError = CFErrorCreate(nil, kCFErrorDomainOSStatus, userCanceledErr, info as CFDictionary)
        #expect(isCanceled(error))
        #expect(error.localizedDescription == "canceled")
        #expect(CFErrorGetDomain(error) == kCFErrorDomainOSStatus)
    }

    @Test func `statuses of TLS and code signing are cases of a switch`() {
        let texts = [errSSLClosedGraceful, errSSLHostNameMismatch, errSecCSReqFailed, 0].map(text)
        #expect(texts == ["closed", "certificate", "signature", "other"])
    }

    @Test func `a policy is made from its identifier`() throws {
        let certificate = try #require(SecCertificateCreateWithData(nil, Data(smallCertificate) as CFData))
        let properties: [CFString: Any] = [kSecPolicyName: "example.com", kSecPolicyClient: kCFBooleanFalse!]
        let policy = try #require(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, properties as CFDictionary))
        var trust: SecTrust?
        #expect(SecTrustCreateWithCertificates(certificate, policy, &trust) == errSecSuccess)
        let made = try #require(trust)
        let result = try #require(SecTrustCopyResult(made) as? [String: Any])
        let date = try #require(result[kSecTrustEvaluationDate as String] as? Date)
        #expect(date.timeIntervalSinceNow <= 0)
        let type = (result[kSecTrustResultValue as String] as? UInt32).flatMap(SecTrustResultType.init)
        #expect(type == .recoverableTrustFailure)
    }

    @Test func `the name of the bundle is found by its key`() {
        let name = Bundle.main.object(forInfoDictionaryKey: kCFBundleNameKey as String) as? String
        let version = Bundle.main.infoDictionary?[kCFBundleVersionKey as String] as? String
        #expect(name == nil && version == nil)
    }

    @Test func `settings have values for keys`() throws {
        let name = "coffer.tests.\(UUID())"
        let settings = try #require(UserDefaults(suiteName: name))
        defer { settings.removePersistentDomain(forName: name) }
        settings.setValue(true, forKey: "seen")
        #expect(settings.value(forKey: "seen") as? Bool == true)
    }
}
