// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import Security
import Testing

protocol Storable {
    static func make() throws -> Self
    var stored: Data? { get }
}

/// Code in wrappers of keys.
extension SecKey: Storable {
    static func make() throws -> Self {
        let parameters = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256] as CFDictionary
        var error: Unmanaged<CFError>?
        guard let key = SecKeyCreateRandomKey(parameters, &error) as? Self else {
            throw error!.takeRetainedValue() as Error
        }
        return key
    }

    var stored: Data? {
        var error: Unmanaged<CFError>?
        guard let data = SecKeyCopyExternalRepresentation(self, &error) else { return nil }
        return data as Data
    }

    func signature(of data: Data) throws -> Data {
        let algorithm: SecKeyAlgorithm = .ecdsaSignatureMessageX962SHA256
        var error: Unmanaged<CFError>?
        guard SecKeyIsAlgorithmSupported(self, .sign, algorithm),
            let signature = SecKeyCreateSignature(self, algorithm, data as CFData, &error) as Data?
        else { throw error?.takeRetainedValue() ?? CFError(domain: NSOSStatusErrorDomain, code: Int(errSecParam)) }
        return signature
    }

    var isPublic: Bool {
        guard let attributes = SecKeyCopyAttributes(self) as? [CFString: Any] else { return false }
        return attributes[kSecAttrKeyClass] as! CFString == kSecAttrKeyClassPublic
    }
}

/// Code for protected keys.
private func protectedKey(tag: String) throws -> SecKey {
    var error: Unmanaged<CFError>?
    guard
        let access = SecAccessControlCreateWithFlags(
            kCFAllocatorDefault,
            kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            [.privateKeyUsage, .biometryCurrentSet],
            &error
        )
    else { throw error!.takeRetainedValue() as Error }
    let attributes: NSDictionary = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
        kSecAttrKeySizeInBits: 256,
        kSecPrivateKeyAttrs: [
            kSecAttrIsPermanent: true,
            kSecAttrApplicationTag: tag.data(using: .utf8)!,
            kSecAttrAccessControl: access,
        ] as [CFString: Any],
    ]
    guard let key = SecKeyCreateRandomKey(attributes, &error) else {
        throw error!.takeRetainedValue() as Error
    }
    return key
}

private func random<Number: FixedWidthInteger>(_ type: Number.Type) -> (Number, OSStatus) {
    var number: Number = 0
    let status = SecRandomCopyBytes(kSecRandomDefault, MemoryLayout<Number>.size, &number)
    return (number, status)
}

@Suite("Creating keys and random bytes") struct KeyIdiomTests {
    @Test func `a key is created in an extension that throws the error`() throws {
        var keys: Set<SecKey> = []
        let key = try SecKey.make()
        #expect(!key.isPublic && key.stored != nil)
        #expect(try !key.signature(of: Data()).isEmpty)
        keys.insert(key)
        #expect(keys.contains(key))
    }

    @Test func `a key pair is created and its status is checked`() {
        var publicKey: SecKey?
        var privateKey: SecKey?
        let parameters = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 1024] as CFDictionary
        let status = SecKeyGeneratePair(parameters, &publicKey, &privateKey)
        guard status == errSecSuccess, let publicKey, let privateKey else {
            Issue.record("no keys were created: \(status)")
            return
        }
        #expect(SecKeyCopyPublicKey(privateKey) == publicKey)
    }

    @Test func `an access control accepts a Swift string as the protection class`() {
        let protection: String = kSecAttrAccessibleAfterFirstUnlock as String
        let control = SecAccessControlCreateWithFlags(
            nil,
            protection as CFTypeRef,
            [.devicePasscode, .or, .watch],
            nil
        )
        #expect(control != nil)
        #expect(CFGetTypeID(control!) == SecAccessControlGetTypeID())
        var flags: SecAccessControlCreateFlags = []
        flags.insert(.userPresence)
        #expect(flags.contains(.userPresence) && flags.rawValue == 1)
        #expect(SecAccessControlCreateFlags(rawValue: CFOptionFlags(1)) == .userPresence)
    }

    @Test func `random bytes can be written to every type of buffer`() {
        var unsigned = [UInt8](repeating: 0, count: 16)
        #expect(SecRandomCopyBytes(kSecRandomDefault, unsigned.count, &unsigned) == errSecSuccess)
        var signed = [Int8](repeating: 0, count: 16)
        #expect(SecRandomCopyBytes(nil, signed.count, &signed) == 0)
        #expect(random(UInt64.self).1 == errSecSuccess)
        #expect(random(Int32.self).1 == errSecSuccess)
        var data = Data(count: 16)
        let status = data.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, 16, $0.baseAddress!) }
        #expect(status == errSecSuccess)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
        defer { memory.deallocate() }
        #expect(SecRandomCopyBytes(kSecRandomDefault, 16, memory) == errSecSuccess)
        #expect(data != Data(count: 16) && data != Data(unsigned))
    }

    @Test func `algorithms can be dictionary keys`() {
        let names: [SecKeyAlgorithm: String] = [.rsaSignatureMessagePSSSHA256: "PS256", .ecdsaSignatureRFC4754: "ES"]
        #expect(names[SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:RFC4754" as CFString)] == "ES")
        let padding: SecPadding = .PKCS1
        #expect(padding != [] && SecPadding().isEmpty)
    }
}
