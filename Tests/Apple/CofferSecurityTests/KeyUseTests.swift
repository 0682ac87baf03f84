import Foundation
import Security
import Testing

/// `Spec/keychain-behavior.md`, section 11.
@Suite("Using keys") struct KeyUseTests {
    private static let operations: [SecKeyOperationType] = [.sign, .verify, .encrypt, .decrypt, .keyExchange]
    private let message = Data("message".utf8) as CFData

    private func key(_ name: String, _ keyClass: CFString = kSecAttrKeyClassPrivate) throws -> SecKey {
        try KeyVectors.key(name).secKey(keyClass)
    }

    /// The algorithms that a key supports for an operation.
    private func supported(_ key: SecKey, _ operation: SecKeyOperationType) -> Set<String> {
        Set(everyAlgorithm.map(\.1).filter { SecKeyIsAlgorithmSupported(key, operation, $0.algorithm) })
    }

    private func names(_ prefix: String) -> Set<String> { Set(everyAlgorithm.map(\.1).filter { $0.hasPrefix(prefix) }) }

    // MARK: - Support

    @Test func `RSA keys`() throws {
        let (privateKey, publicKey) = (try key("RSA 2048"), try key("RSA 2048", kSecAttrKeyClassPublic))
        #expect(supported(privateKey, .sign) == names("algid:sign:RSA:"))
        #expect(supported(publicKey, .verify) == names("algid:sign:RSA:"))
        #expect(supported(publicKey, .encrypt) == names("algid:encrypt:RSA:"))
        #expect(supported(privateKey, .decrypt) == names("algid:encrypt:RSA:"))
        for operation in [SecKeyOperationType.encrypt, .keyExchange] { #expect(supported(privateKey, operation) == []) }
        for operation in [SecKeyOperationType.sign, .keyExchange] { #expect(supported(publicKey, operation) == []) }
    }

    @Test(arguments: ["P256", "P384", "P521"]) func `keys on curves`(name: String) throws {
        let (privateKey, publicKey) = (try key(name), try key(name, kSecAttrKeyClassPublic))
        #expect(supported(privateKey, .sign) == names("algid:sign:ECDSA:"))
        #expect(supported(publicKey, .verify) == names("algid:sign:ECDSA:"))
        #expect(supported(publicKey, .encrypt) == names("algid:encrypt:ECIES:"))
        #expect(supported(privateKey, .decrypt) == names("algid:encrypt:ECIES:"))
        #expect(supported(privateKey, .keyExchange) == names("algid:keyexchange:"))
        for operation in [SecKeyOperationType.verify, .encrypt] { #expect(supported(privateKey, operation) == []) }
        for operation in [SecKeyOperationType.sign, .decrypt, .keyExchange] {
            #expect(supported(publicKey, operation) == [])
        }
    }

    @Test func `keys on Curve25519`() throws {
        let name = "algid:sign:EdDSA:message-Curve25519:SHA512"
        for (keyClass, operation) in [
            (kSecAttrKeyClassPrivate, SecKeyOperationType.sign), (kSecAttrKeyClassPublic, .verify),
        ] {
            let key = try key("Ed25519", keyClass)
            #expect(SecKeyIsAlgorithmSupported(key, operation, name.algorithm))
            for operation in Self.operations { #expect(supported(key, operation) == []) }
        }
        let (privateKey, publicKey) = (try key("X25519"), try key("X25519", kSecAttrKeyClassPublic))
        #expect(
            supported(privateKey, .keyExchange) == names("algid:keyexchange:ECDH:").union(["algid:keyexchange:ECDH"])
        )
        #expect(supported(privateKey, .decrypt) == names("algid:encrypt:ECIES:"))
        #expect(supported(publicKey, .encrypt) == names("algid:encrypt:ECIES:"))
        #expect(supported(privateKey, .sign) == [] && supported(publicKey, .verify) == [])
    }

    @Test func `a padding that does not fit a short key: unsupported, and errSecParam`() throws {
        let (privateKey, publicKey) = (try key("RSA 1024"), try key("RSA 1024", kSecAttrKeyClassPublic))
        let pss = SecKeyAlgorithm.rsaSignatureMessagePSSSHA512
        #expect(!SecKeyIsAlgorithmSupported(privateKey, .sign, pss))
        #expect(failure { SecKeyCreateSignature(privateKey, pss, message, $0) } == errSecParam)
        #expect(SecKeyIsAlgorithmSupported(privateKey, .sign, .rsaSignatureMessagePSSSHA384))
        for oaep in [SecKeyAlgorithm.rsaEncryptionOAEPSHA512, .rsaEncryptionOAEPSHA512AESGCM] {
            #expect(!SecKeyIsAlgorithmSupported(publicKey, .encrypt, oaep))
            #expect(failure { SecKeyCreateEncryptedData(publicKey, oaep, message, $0) } == errSecParam)
        }
        #expect(SecKeyIsAlgorithmSupported(publicKey, .encrypt, .rsaEncryptionOAEPSHA384))
    }

    @Test(arguments: ["RSA 2048", "P256", "Ed25519", "X25519"])
    func `an algorithm that a key does not support, or nobody knows: errSecParam`(name: String) throws {
        let (privateKey, publicKey) = (try key(name), try key(name, kSecAttrKeyClassPublic))
        let size = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 16] as CFDictionary
        for algorithm in everyAlgorithm.map(\.0) + ["algid:sign:RSA:message-PKCS1v15:MD5".algorithm, "".algorithm] {
            for key in [privateKey, publicKey] {
                if !SecKeyIsAlgorithmSupported(key, .sign, algorithm) {
                    #expect(failure { SecKeyCreateSignature(key, algorithm, message, $0) } == errSecParam)
                }
                if !SecKeyIsAlgorithmSupported(key, .verify, algorithm) {
                    let status = failure { SecKeyVerifySignature(key, algorithm, message, message, $0) ? 1 : nil }
                    #expect(status == errSecParam)
                }
                if !SecKeyIsAlgorithmSupported(key, .encrypt, algorithm) {
                    #expect(failure { SecKeyCreateEncryptedData(key, algorithm, message, $0) } == errSecParam)
                }
                if !SecKeyIsAlgorithmSupported(key, .decrypt, algorithm) {
                    #expect(failure { SecKeyCreateDecryptedData(key, algorithm, message, $0) } == errSecParam)
                }
                if !SecKeyIsAlgorithmSupported(key, .keyExchange, algorithm) {
                    #expect(failure { SecKeyCopyKeyExchangeResult(key, algorithm, publicKey, size, $0) } == errSecParam)
                }
            }
        }
    }

    // MARK: - Signatures

    @Test(arguments: [
        ("P256", "algid:sign:ECDSA:digest-X962:SHA256"), ("P521", "algid:sign:ECDSA:digest-RFC4754:SHA512"),
        ("RSA 2048", "algid:sign:RSA:digest-PKCS1v15:SHA1"), ("RSA 2048", "algid:sign:RSA:digest-PSS:SHA256:SHA256:32"),
    ])
    func `a digest of the wrong length: errSecParam`(name: String, algorithm: String) throws {
        let (privateKey, publicKey) = (try key(name), try key(name, kSecAttrKeyClassPublic))
        let signature = try KeyVectors.all.get().signatures.first { $0.key == name && $0.algorithm == algorithm }
        let valid = try #require(signature)
        for digest in [Data(), valid.input.data.dropLast(), valid.input.data + [0]] {
            let digest = digest as CFData
            #expect(failure { SecKeyCreateSignature(privateKey, algorithm.algorithm, digest, $0) } == errSecParam)
            let signature = valid.signature.data as CFData
            let status = failure {
                SecKeyVerifySignature(publicKey, algorithm.algorithm, digest, signature, $0) ? 1 : nil
            }
            #expect(status == errSecParam)
        }
    }

    private func verify(_ name: String, _ algorithm: SecKeyAlgorithm, _ signature: Data) throws -> OSStatus? {
        let key = try key(name, kSecAttrKeyClassPublic)
        return failure { SecKeyVerifySignature(key, algorithm, message, signature as CFData, $0) ? 1 : nil }
    }

    @Test func `RSA: a signature as large as the modulus or longer is errSecParam, a short one does not match`() throws
    {
        let algorithm = SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256
        let modulus = try KeyVectors.key("RSA 2048").public.data[9..<265]
        #expect(try verify("RSA 2048", algorithm, Data(modulus)) == errSecParam)
        #expect(try verify("RSA 2048", algorithm, Data(count: 257)) == errSecParam)
        #expect(try verify("RSA 2048", algorithm, Data(count: 256)) == errSecVerifyFailed)
        #expect(try verify("RSA 2048", algorithm, Data([1])) == errSecVerifyFailed)
        #expect(try verify("RSA 2048", algorithm, Data()) == errSecVerifyFailed)
    }

    /// Forms that a careless reader of DER accepts.
    @Test func `ECDSA: a signature that is not DER does not match`() throws {
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        let signature = [UInt8](try #require(SecKeyCreateSignature(try key("P256"), algorithm, message, nil)) as Data)
        #expect(try verify("P256", algorithm, Data(signature)) == nil)
        let body = Array(signature.dropFirst(2))
        let longer: [UInt8] = [2, body[1] + 1, 0] + body.dropFirst(2)
        var forms: [[UInt8]] = [[], [0x30, 0], signature.dropLast(), signature + [0], [0x31] + signature.dropFirst()]
        forms += [[0x30, 0x81, UInt8(body.count)] + body, [0x30, 0x80] + body + [0, 0]]
        forms += [[0x30, UInt8(longer.count)] + longer, [0x30, UInt8(body.count + 2)] + body + [5, 0]]
        for (r, s) in [(0, 0), (1, 0), (0, 1), (1, 1), (0xFF, 0xFF)] as [(UInt8, UInt8)] {
            forms.append([0x30, 6, 2, 1, r, 2, 1, s])
        }
        for form in forms { #expect(try verify("P256", algorithm, Data(form)) == errSecVerifyFailed) }
    }

    @Test func `ECDSA: r and s of zero, or of the order and more, do not match`() throws {
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA256
        let signature = [UInt8](try #require(SecKeyCreateSignature(try key("P256"), algorithm, message, nil)) as Data)
        try #require(signature.count == 64)
        let (r, s) = (Array(signature.prefix(32)), Array(signature.suffix(32)))
        // The order of P-256: FIPS 186-4, D.1.2.3.
        let order = [UInt8](Data(base64Encoded: "/////wAAAAD//////////7zm+q2nF56E87nKwvxjJVE=") ?? Data())
        try #require(order.count == 32)
        let (zero, largest) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32))
        var forms: [[UInt8]] = [zero + s, r + zero, zero + zero, order + s, r + order, order + order, r + largest]
        forms += [s + r, signature.dropLast(), signature + [0], []]
        for form in forms { #expect(try verify("P256", algorithm, Data(form)) == errSecVerifyFailed) }
    }

    @Test func `Ed25519: a signature of another length, or with a part changed, does not match`() throws {
        let algorithm = "algid:sign:EdDSA:message-Curve25519:SHA512".algorithm
        let signature = try #require(SecKeyCreateSignature(try key("Ed25519"), algorithm, message, nil)) as Data
        for form in [Data(), signature.dropLast(), signature + [0], Data(count: 64)] {
            #expect(try verify("Ed25519", algorithm, Data(form)) == errSecVerifyFailed)
        }
    }

    @Test func `raw RSA signs numbers below the modulus`() throws {
        let (privateKey, publicKey) = (try key("RSA 2048"), try key("RSA 2048", kSecAttrKeyClassPublic))
        let modulus = Data(try KeyVectors.key("RSA 2048").public.data[9..<265])
        for wrong in [modulus, Data(repeating: 0xFF, count: 256), Data(count: 257)] {
            #expect(failure { SecKeyCreateSignature(privateKey, .rsaSignatureRaw, wrong as CFData, $0) } == errSecParam)
            #expect(
                failure { SecKeyCreateEncryptedData(publicKey, .rsaEncryptionRaw, wrong as CFData, $0) } == errSecParam
            )
            #expect(
                failure { SecKeyCreateDecryptedData(privateKey, .rsaEncryptionRaw, wrong as CFData, $0) } == errSecParam
            )
        }
        let long = Data(count: 256 - 10) as CFData
        #expect(failure { SecKeyCreateSignature(privateKey, .rsaSignatureDigestPKCS1v15Raw, long, $0) } == errSecParam)
    }

    // MARK: - Encryption

    @Test func `RSA encrypts at most what fits: errSecParam`() throws {
        let (privateKey, publicKey) = (try key("RSA 2048"), try key("RSA 2048", kSecAttrKeyClassPublic))
        let limits: [(SecKeyAlgorithm, Int)] = [(.rsaEncryptionPKCS1, 245), (.rsaEncryptionOAEPSHA256, 190)]
        for (algorithm, limit) in limits {
            let most = Data(repeating: 7, count: limit) as CFData
            let ciphertext = try #require(SecKeyCreateEncryptedData(publicKey, algorithm, most, nil))
            #expect(SecKeyCreateDecryptedData(privateKey, algorithm, ciphertext, nil) == most)
            let more = Data(repeating: 7, count: limit + 1) as CFData
            #expect(failure { SecKeyCreateEncryptedData(publicKey, algorithm, more, $0) } == errSecParam)
        }
    }

    @Test(arguments: ["RSA 2048", "P256", "X25519"])
    func `a ciphertext that is too short: errSecParam`(name: String) throws {
        let key = try key(name)
        for vector in try KeyVectors.all.get().ciphertexts where vector.key == name {
            guard vector.algorithm.contains("AESGCM") || vector.algorithm.contains("OAEP") else { continue }
            let whole = vector.ciphertext.data.count
            for count in [0, 1, 31, 32, 64, 65, 80, whole - 1] where count < whole {
                let short = vector.ciphertext.data.prefix(count) as CFData
                #expect(
                    failure { SecKeyCreateDecryptedData(key, vector.algorithm.algorithm, short, $0) } == errSecParam
                )
            }
        }
    }

    // MARK: - Key exchange

    private func exchange(_ key: SecKey, _ other: SecKey, _ parameters: [String: Any]) -> OSStatus? {
        failure {
            SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandardX963SHA256, other, parameters as CFDictionary, $0)
        }
    }

    @Test(arguments: [0, -1, .null, "16", 1.5, true, 2_000_000] as [CallValue])
    func `a size that is no positive number, or is too large: errSecParam`(size: CallValue) throws {
        let (key, other) = (try key("P256"), try key("P256", kSecAttrKeyClassPublic))
        #expect(exchange(key, other, ["requestedSize": size.object]) == errSecParam)
    }

    @Test func `parameters are needed for derivation alone: errSecParam`() throws {
        let (key, other) = (try key("P256"), try key("P256", kSecAttrKeyClassPublic))
        #expect(exchange(key, other, [:]) == errSecParam)
        #expect(exchange(key, other, ["requestedSize": 16, "sharedInfo": "text"]) == errSecParam)
        let plain: [String: Any] = ["requestedSize": "ignored", "sharedInfo": 1]
        let secret = SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, other, plain as CFDictionary, nil)
        #expect(secret?.length == 32)
    }

    @Test func `keys that do not fit together`() throws {
        let size = ["requestedSize": 16]
        let (key, publicKey) = (try key("P256"), try self.key("P256", kSecAttrKeyClassPublic))
        #expect(exchange(key, try self.key("P384", kSecAttrKeyClassPublic), size) == errSecDecode)
        #expect(exchange(key, try self.key("RSA 2048", kSecAttrKeyClassPublic), size) == errSecParam)
        #expect(exchange(key, try self.key("X25519", kSecAttrKeyClassPublic), size) == errSecParam)
        #expect(exchange(key, key, size) == errSecParam)
        #expect(exchange(publicKey, publicKey, size) == errSecParam)
    }

    @Test func `X25519: a point of low order: errSecDecode`() throws {
        let key = try key("X25519")
        for point in [Data(count: 32), Data([1]) + Data(count: 31)] {
            let other = try #require(makeKey(point, type: 106, kSecAttrKeyClassPublic))
            let status = failure {
                SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, other, [:] as CFDictionary, $0)
            }
            #expect(status == errSecDecode)
        }
    }

    // MARK: - The older functions

    private func written(
        capacity: Int = 600,
        _ call: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int>) -> OSStatus
    ) -> (status: OSStatus, bytes: Data?) {
        var output = [UInt8](repeating: 7, count: 600)
        var count = capacity
        let status = call(&output, &count)
        if status != 0 {
            #expect(count == capacity)
            #expect(output.allSatisfy { $0 == 7 })
            return (status, nil)
        }
        return (0, Data(output[..<count]))
    }

    @Test(
        arguments: [
            ("RSA 2048", SecPadding([]), "algid:sign:RSA:raw"), ("RSA 2048", .PKCS1, "algid:sign:RSA:digest-PKCS1v15"),
            ("RSA 2048", .PKCS1SHA1, "algid:sign:RSA:digest-PKCS1v15:SHA1"),
            ("RSA 2048", .PKCS1SHA224, "algid:sign:RSA:digest-PKCS1v15:SHA224"),
            ("RSA 2048", .PKCS1SHA256, "algid:sign:RSA:digest-PKCS1v15:SHA256"),
            ("RSA 2048", .PKCS1SHA384, "algid:sign:RSA:digest-PKCS1v15:SHA384"),
            ("RSA 2048", .PKCS1SHA512, "algid:sign:RSA:digest-PKCS1v15:SHA512"),
            ("P256", [], "algid:sign:ECDSA:digest-X962:SHA256"),
            ("P256", .PKCS1, "algid:sign:ECDSA:digest-X962:SHA384"),
            ("P256", .OAEP, "algid:sign:ECDSA:digest-X962"),
            ("P256", .PKCS1SHA256, "algid:sign:ECDSA:digest-X962:SHA256"),
            ("P384", .sigRaw, "algid:sign:ECDSA:digest-RFC4754:SHA384"),
        ] as [(String, SecPadding, String)]
    )
    func `paddings stand for signatures`(name: String, padding: SecPadding, algorithm: String) throws {
        let (privateKey, publicKey) = (try key(name), try key(name, kSecAttrKeyClassPublic))
        let vector = try #require(
            try KeyVectors.all.get().signatures.first {
                $0.key == name && $0.algorithm == algorithm && !$0.input.data.isEmpty
            }
        )
        let (digest, signature) = ([UInt8](vector.input.data), [UInt8](vector.signature.data))
        #expect(SecKeyRawVerify(publicKey, padding, digest, digest.count, signature, signature.count) == 0)
        var changed = signature
        changed[changed.count - 1] ^= 1
        #expect(SecKeyRawVerify(publicKey, padding, digest, digest.count, changed, changed.count) == -9809)
        let made = written { SecKeyRawSign(privateKey, padding, digest, digest.count, $0, $1) }
        let bytes = [UInt8](try #require(made.bytes))
        #expect(SecKeyRawVerify(publicKey, padding, digest, digest.count, bytes, bytes.count) == 0)
        #expect(
            written(capacity: 10) { SecKeyRawSign(privateKey, padding, digest, digest.count, $0, $1) }.status
                == errSecParam
        )
    }

    @Test func `paddings that do not sign: errSecParam`() throws {
        let key = try key("RSA 2048")
        for padding in [.OAEP, .sigRaw, [.PKCS1, .OAEP]] as [SecPadding] {
            let made = written { SecKeyRawSign(key, padding, [1], 1, $0, $1) }
            #expect(made.status == errSecParam)
        }
    }

    @Test(arguments: [
        (SecPadding([]), SecKeyAlgorithm.rsaEncryptionRaw), (.PKCS1, .rsaEncryptionPKCS1),
        (.OAEP, .rsaEncryptionOAEPSHA1),
    ])
    func `paddings stand for encryption`(padding: SecPadding, algorithm: SecKeyAlgorithm) throws {
        let (privateKey, publicKey) = (try key("RSA 2048"), try key("RSA 2048", kSecAttrKeyClassPublic))
        let plaintext = [UInt8]("plaintext".utf8)
        let made = written { SecKeyEncrypt(publicKey, padding, plaintext, plaintext.count, $0, $1) }
        let ciphertext = try #require(made.bytes)
        let found = try #require(SecKeyCreateDecryptedData(privateKey, algorithm, ciphertext as CFData, nil)) as Data
        #expect(found.suffix(plaintext.count) == Data(plaintext))
        let bytes = [UInt8](ciphertext)
        #expect(written { SecKeyDecrypt(privateKey, padding, bytes, bytes.count, $0, $1) }.bytes == Data(plaintext))
        let short = written(capacity: 8) { SecKeyDecrypt(privateKey, padding, bytes, bytes.count, $0, $1) }
        #expect(short.status == errSecParam)
        let curve = try key("P256", kSecAttrKeyClassPublic)
        #expect(written { SecKeyEncrypt(curve, padding, plaintext, plaintext.count, $0, $1) }.status == errSecParam)
    }
}
