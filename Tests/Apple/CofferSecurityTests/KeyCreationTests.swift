import Foundation
import Security
import Testing

/// `Spec/keychain-behavior.md`, section 11.
@Suite("Keys from data") struct KeyCreationTests {
    private let pair: KeyVectors.Key

    init() throws { pair = try KeyVectors.key("P256") }

    private func status(_ data: Data, _ attributes: [CFString: Any]) -> OSStatus? {
        failure { SecKeyCreateWithData(data as CFData, attributes as CFDictionary, $0) }
    }

    private func status(_ data: Data, type: Int, _ keyClass: CFString) -> OSStatus? {
        status(data, [kSecAttrKeyType: String(type), kSecAttrKeyClass: keyClass])
    }

    @Test(arguments: [
        ["type": "73"], ["kcls": "1"], ["type": "073", "kcls": "1"], ["type": "73", "kcls": "01"],
        ["type": "x", "kcls": "1"], ["type": "", "kcls": "1"], ["type": "73", "kcls": "3"],
        ["type": "74", "kcls": "1"], [:],
    ])
    func `type and class are needed: errSecParam`(attributes: [String: String]) {
        let attributes = Dictionary(uniqueKeysWithValues: attributes.map { ($0 as CFString, $1 as Any) })
        #expect(status(pair.private.data, attributes) == errSecParam)
    }

    @Test func `type and class may be numbers, other attributes are ignored`() throws {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: 73, kSecAttrKeyClass: 1, kSecAttrKeySizeInBits: 8, kSecAttrLabel: 5, "none" as CFString: 1,
        ]
        let key = try #require(SecKeyCreateWithData(pair.private.data as CFData, attributes as CFDictionary, nil))
        let own = try #require(SecKeyCopyAttributes(key))
        #expect(SecKeyCreateWithData(pair.private.data as CFData, own, nil) == key)
    }

    @Test func `a symmetric key: errSecUnimplemented`() {
        #expect(status(Data(count: 32), type: 73, kSecAttrKeyClassSymmetric) == errSecUnimplemented)
    }

    @Test func `a key of a token: errSecParam`() {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: "73", kSecAttrKeyClass: "1", kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
        ]
        #expect(status(pair.private.data, attributes) == errSecParam)
    }

    @Test func `a public RSA key may be a SubjectPublicKeyInfo`() throws {
        let pair = try KeyVectors.key("RSA 2048")
        let key = try #require(makeKey(pair.info.data, type: 42, kSecAttrKeyClassPublic))
        #expect(SecKeyCopyExternalRepresentation(key, nil) as Data? == pair.public.data)
    }

    @Test(arguments: try KeyVectors.all.get().keys)
    func `other forms, and the other half: errSecParam`(pair: KeyVectors.Key) {
        let (publicBytes, privateBytes) = (pair.public.data, pair.private.data)
        #expect(status(privateBytes, type: pair.type, kSecAttrKeyClassPublic) == errSecParam || pair.type > 100)
        #expect(status(publicBytes, type: pair.type, kSecAttrKeyClassPrivate) == errSecParam || pair.type > 100)
        if pair.type != 42 {
            #expect(status(pair.info.data, type: pair.type, kSecAttrKeyClassPublic) == errSecParam)
        }
        for keyClass in [kSecAttrKeyClassPublic, kSecAttrKeyClassPrivate] {
            let bytes = keyClass == kSecAttrKeyClassPublic ? publicBytes : privateBytes
            #expect(status(Data(), type: pair.type, keyClass) == errSecParam)
            #expect(status(bytes.dropLast(), type: pair.type, keyClass) == errSecParam)
            #expect(status(bytes + [0], type: pair.type, keyClass) == errSecParam)
        }
    }

    @Test(arguments: ["P256", "P384", "P521"])
    func `points beside the curve, and numbers that do not belong to the point: errSecParam`(name: String) throws {
        let pair = try KeyVectors.key(name)
        let size = (pair.size + 7) / 8
        let (point, number) = (pair.public.data, pair.private.data.suffix(size))
        for index in [1, size, size + 1, 2 * size] {
            var changed = point
            changed[index] ^= 1
            #expect(status(changed, type: 73, kSecAttrKeyClassPublic) == errSecParam)
            #expect(status(changed + number, type: 73, kSecAttrKeyClassPrivate) == errSecParam)
        }
        for first in [0, 1, 2, 3, 5, 6, 7] as [UInt8] {
            #expect(status(Data([first]) + point.dropFirst(), type: 73, kSecAttrKeyClassPublic) == errSecParam)
        }
        #expect(status(Data([4]) + Data(count: 2 * size), type: 73, kSecAttrKeyClassPublic) == errSecParam)
        #expect(
            status(Data([4]) + Data(repeating: 0xFF, count: 2 * size), type: 73, kSecAttrKeyClassPublic) == errSecParam
        )
        for wrong in [Data(count: size), Data(repeating: 0xFF, count: size), Data(count: size - 1) + [1]] {
            #expect(status(point + wrong, type: 73, kSecAttrKeyClassPrivate) == errSecParam)
        }
    }

    /// DER with a length, a sign or a number that PKCS #1 does not have.
    @Test(arguments: [
        "3000", "30060201000201", "3006020100020103", "3006020103020100", "300702020001020103", "3007020103020200FF",
        "30800201030201030000", "020103",
    ])
    func `malformed RSA keys: errSecParam`(digits: String) throws {
        let data = try JSONDecoder().decode(HexData.self, from: Data("\"\(digits)\"".utf8)).data
        #expect(status(data, type: 42, kSecAttrKeyClassPublic) == errSecParam)
        #expect(status(data, type: 42, kSecAttrKeyClassPrivate) == errSecParam)
    }

    @Test func `RSA keys beyond 8192 bits, below 512 bits, or with even numbers: errSecParam`() {
        func key(_ modulus: [UInt8], _ exponent: [UInt8]) -> Data {
            func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
                [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
            }
            func number(_ digits: [UInt8]) -> [UInt8] {
                let content = digits[0] < 0x80 ? digits : [0] + digits
                guard content.count < 0x80 else {
                    return content.count < 0x100 ? [2, 0x81, UInt8(content.count)] + content : element(2, content)
                }
                return [2, UInt8(content.count)] + content
            }
            let numbers = number(modulus) + number(exponent)
            guard numbers.count >= 0x100 else {
                return Data((numbers.count < 0x80 ? [0x30] : [0x30, 0x81]) + [UInt8(numbers.count)] + numbers)
            }
            return Data(element(0x30, numbers))
        }
        let modulus = [UInt8](repeating: 0xFF, count: 256)
        #expect(makeKey(key(modulus, [1, 0, 1]), type: 42, kSecAttrKeyClassPublic) != nil)
        #expect(makeKey(key([UInt8](repeating: 0xFF, count: 1024), [3]), type: 42, kSecAttrKeyClassPublic) != nil)
        let longest = [1] + [UInt8](repeating: 0xFF, count: 1024)
        let shortest = [0x7F] + [UInt8](repeating: 0xFF, count: 63)
        for wrong in [
            key(longest, [3]), key(shortest, [3]), key(modulus.dropLast() + [0xFE], [3]), key(modulus, [2]),
            key(modulus, [1]), key(modulus, [1, 0, 0]), key(modulus, [1] + modulus),
        ] {
            #expect(status(wrong, type: 42, kSecAttrKeyClassPublic) == errSecParam)
        }
    }
}

/// `Spec/keychain-behavior.md`, section 11.
@Suite("New keys", .ownKeychain) struct RandomKeyTests {
    private func parameters(_ type: String, _ size: Any?, _ others: [CFString: Any] = [:]) -> CFDictionary {
        var parameters = others.merging([kSecAttrKeyType: type]) { $1 }
        parameters[kSecAttrKeySizeInBits] = size
        return parameters as CFDictionary
    }

    @Test(arguments: [("73", 256), ("73", 384), ("73", 521), ("42", 1024), ("42", 1032), ("42", 2048)])
    func `a new key has the size, another each time, and can be read back`(type: String, size: Int) throws {
        let key = try #require(SecKeyCreateRandomKey(parameters(type, size), nil))
        let attributes = try #require(SecKeyCopyAttributes(key) as? [CFString: Any])
        #expect(attributes[kSecAttrKeySizeInBits] as? Int == size)
        #expect(attributes[kSecAttrKeyClass] as? String == kSecAttrKeyClassPrivate as String)
        #expect(key != SecKeyCreateRandomKey(parameters(type, String(size)), nil))
        let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil))
        #expect(SecKeyCreateWithData(bytes, attributes as CFDictionary, nil) == key)
        #expect(Call.find(.keys()) == errSecItemNotFound)
    }

    @Test(arguments: ["105", "106"]) func `keys on Curve25519 need no size`(type: String) throws {
        let key = try #require(SecKeyCreateRandomKey(parameters(type, nil), nil))
        #expect(SecKeyCopyExternalRepresentation(key, nil)?.length == 32)
        #expect(key != SecKeyCreateRandomKey(parameters(type, nil), nil))
    }

    @Test(
        arguments: [
            ("73", nil), ("73", 255), ("73", 520), ("73", 512), ("42", nil), ("42", 0), ("42", -1), ("42", 511),
            ("42", 8193), ("42", .max), ("1", 256), ("2147483649", 256),
        ] as [(String, Int?)]
    )
    func `a size or type that does not exist: errSecParam`(type: String, size: Int?) {
        #expect(failure { SecKeyCreateRandomKey(parameters(type, size), $0) } == errSecParam)
        #expect(SecKeyGeneratePair(parameters(type, size), nil, nil) == errSecParam)
    }

    @Test func `a key without a type: errSecParam`() {
        #expect(failure { SecKeyCreateRandomKey([kSecAttrKeySizeInBits: 256] as CFDictionary, $0) } == errSecParam)
    }

    @Test func `a permanent private key is found by its tag, and the public one is not stored`() throws {
        let tag = Data("com.example.key".utf8)
        let private_: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag]
        let key = try #require(
            SecKeyCreateRandomKey(parameters("73", 256, [kSecPrivateKeyAttrs: private_]), nil)
        )
        #expect(try Call.count(.keys()) == 1)
        let found = try Call.found(.keys([kSecAttrApplicationTag: tag, kSecReturnRef: true]))
        #expect(found as? SecKey == key)
        let attributes = try Call.attributes(.keys())
        let own = try #require(SecKeyCopyAttributes(key) as? [String: Any])
        for name in ["klbl", "bsiz", "kcls", "type", "sign", "drve", "extr"] {
            #expect("\(attributes[name] ?? "")" == "\(own[name] ?? "")".replacing("true", with: "1"), "\(name)")
        }
        #expect(Call.find([kSecValueRef: key]) == 0)
        #expect(Call.delete([kSecValueRef: key]) == 0)
        #expect(Call.find(.keys()) == errSecItemNotFound)
    }

    @Test func `attributes at the top are for both halves, and those of a half win`() throws {
        let both: [CFString: Any] = [
            kSecAttrIsPermanent: true, kSecAttrLabel: "both", kSecPublicKeyAttrs: [kSecAttrLabel: "public"],
        ]
        var (publicKey, privateKey) = (SecKey?.none, SecKey?.none)
        #expect(SecKeyGeneratePair(parameters("73", 256, both), &publicKey, &privateKey) == 0)
        #expect(try Call.count(.keys()) == 2)
        let query: [CFString: Any] = [kSecReturnRef: true]
        #expect(try Call.found(.keys(query.with([kSecAttrLabel: "both"]))) as? SecKey == privateKey)
        #expect(try Call.found(.keys(query.with([kSecAttrLabel: "public"]))) as? SecKey == publicKey)
        let label = try Call.attributes(.keys([kSecAttrLabel: "public"]))["klbl"] as? Data
        #expect(try Call.attributes(.keys([kSecAttrLabel: "both"]))["klbl"] as? Data == label)
    }

    @Test(arguments: [1, "true", 0] as [CallValue]) func `only a boolean makes a key permanent`(value: CallValue) {
        let attributes: [CFString: Any] = [kSecAttrIsPermanent: value.object]
        #expect(SecKeyCreateRandomKey(parameters("73", 256, attributes), nil) != nil)
        #expect(Call.find(.keys()) == errSecItemNotFound)
    }

    @Test func `a key that cannot be stored is not returned`() throws {
        let attributes: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrAccessible: "none"]
        #expect(failure { SecKeyCreateRandomKey(parameters("73", 256, attributes), $0) } == errSecParam)
        #expect(Call.find(.keys()) == errSecItemNotFound)
    }

    @Test func `an imported key is a duplicate unless its tag differs`() throws {
        let key = try KeyVectors.key("P256").secKey(kSecAttrKeyClassPrivate)
        let item: [CFString: Any] = [kSecValueRef: key]
        #expect(Call.add(item) == 0)
        #expect(Call.add(item) == errSecDuplicateItem)
        #expect(Call.add(item.with([kSecAttrApplicationTag: Data("other")])) == 0)
        #expect(try Call.found(.keys([kSecReturnRef: true])) as? SecKey == key)
    }

    @Test func `the data of a key that is not extractable is not returned`() throws {
        let attributes: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrIsExtractable: false]
        let key = try #require(
            SecKeyCreateRandomKey(parameters("73", 256, [kSecPrivateKeyAttrs: attributes]), nil)
        )
        #expect(try Call.found(.keys([kSecReturnData: true])) == nil)
        let query: [CFString: Any] = .keys([kSecReturnData: true, kSecReturnAttributes: true])
        #expect(try #require(try Call.found(query) as? [String: Any])["v_Data"] == nil)
        let found = try #require(try Call.found(.keys([kSecReturnRef: true])) as? SecKey)
        #expect(found == key)
        #expect(failure { SecKeyCopyExternalRepresentation(found, $0) } == errSecKeyIsSensitive)
        let message = Data("m".utf8) as CFData
        let signature = try #require(SecKeyCreateSignature(found, .ecdsaSignatureMessageX962SHA256, message, nil))
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, signature, nil))
    }

    @Test func `a key for the Secure Enclave is stored, works, and cannot be read`() throws {
        let enclave: [CFString: Any] = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
        let key = try #require(SecKeyCreateRandomKey(parameters("73", 256, enclave), nil))
        #expect(failure { SecKeyCopyExternalRepresentation(key, $0) } == errSecKeyIsSensitive)
        #expect(try Call.count(.keys()) == 1)
        let attributes = try Call.attributes(.keys())
        #expect(attributes["tkid"] as? String == "com.apple.setoken")
        #expect(try Call.found(.keys([kSecReturnData: true])) == nil)
        let found = try #require(try Call.found(.keys([kSecReturnRef: true])) as? SecKey)
        #expect(found == key)
        #expect(failure { SecKeyCopyExternalRepresentation(found, $0) } == errSecKeyIsSensitive)
        #expect(SecKeyCreateSignature(found, .ecdsaSignatureMessageX962SHA256, Data() as CFData, nil) != nil)
        for (type, size) in [("73", 384), ("42", 2048)] {
            #expect(failure { SecKeyCreateRandomKey(parameters(type, size, enclave), $0) } == errSecParam)
        }
        let other: [CFString: Any] = [kSecAttrTokenID: "com.example.token"]
        #expect(failure { SecKeyCreateRandomKey(parameters("73", 256, other), $0) } == errSecParam)
    }
}
