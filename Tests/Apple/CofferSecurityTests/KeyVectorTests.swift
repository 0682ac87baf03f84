import Foundation
import Security
import Testing

@Suite("Keys: what other programs make") struct KeyVectorTests {
    @Test(arguments: try KeyVectors.all.get().keys)
    func `a key is read, described and written as other programs do`(vector: KeyVectors.Key) throws {
        let privateKey = try vector.secKey(kSecAttrKeyClassPrivate)
        let publicKey = try vector.secKey(kSecAttrKeyClassPublic)
        #expect(SecKeyCopyExternalRepresentation(privateKey, nil) as Data? == vector.private.data)
        #expect(SecKeyCopyExternalRepresentation(publicKey, nil) as Data? == vector.public.data)
        #expect(SecKeyCopyPublicKey(privateKey) == publicKey)
        #expect(SecKeyCopyPublicKey(publicKey) == publicKey)
        #expect(privateKey != publicKey)
        for key in [privateKey, publicKey] {
            let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
            #expect(attributes["klbl"] as? Data == vector.label.data)
            #expect(attributes["type"] as? String == String(vector.type))
            #expect(attributes["bsiz"] as? Int == vector.size)
            #expect(attributes["esiz"] as? Int == vector.size)
            #expect(SecKeyGetBlockSize(key) == (vector.size + 7) / 8)
        }
    }

    @Test(arguments: try KeyVectors.all.get().signatures)
    func `signatures of another program are valid, and changed ones are not`(vector: KeyVectors.Signature) throws {
        let key = try KeyVectors.key(vector.key).secKey(kSecAttrKeyClassPublic)
        let algorithm = vector.algorithm.algorithm
        let (input, signature) = (vector.input.data, vector.signature.data)
        #expect(SecKeyIsAlgorithmSupported(key, .verify, algorithm))
        #expect(!SecKeyIsAlgorithmSupported(key, .sign, algorithm))
        #expect(SecKeyVerifySignature(key, algorithm, input as CFData, signature as CFData, nil))
        for index in [signature.startIndex + 6, signature.endIndex - 1] {
            var changed = signature
            changed[index] ^= 1
            let status = failure {
                SecKeyVerifySignature(key, algorithm, input as CFData, changed as CFData, $0) ? 1 : nil
            }
            #expect(status == errSecVerifyFailed)
        }
        var changed = input
        if changed.isEmpty { changed.append(1) } else { changed[0] ^= 1 }
        let status = failure {
            SecKeyVerifySignature(key, algorithm, changed as CFData, signature as CFData, $0) ? 1 : nil
        }
        #expect(status == errSecVerifyFailed)
    }

    @Test(arguments: try KeyVectors.all.get().signatures)
    func `signatures of ours are valid, and equal if they are not random`(vector: KeyVectors.Signature) throws {
        let pair = try KeyVectors.key(vector.key)
        let key = try pair.secKey(kSecAttrKeyClassPrivate)
        let algorithm = vector.algorithm.algorithm
        #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm))
        let input = vector.input.data as CFData
        let signature = try #require(SecKeyCreateSignature(key, algorithm, input, nil))
        #expect(SecKeyVerifySignature(try pair.secKey(kSecAttrKeyClassPublic), algorithm, input, signature, nil))
        let isRandom = vector.algorithm.contains("ECDSA") || vector.algorithm.contains("PSS")
        #expect((signature as Data == vector.signature.data) == !isRandom)
        if !vector.algorithm.contains("X962") { #expect(CFDataGetLength(signature) == vector.signature.data.count) }
    }

    @Test(arguments: try KeyVectors.all.get().ciphertexts)
    func `ciphertexts of another program are decrypted, and changed ones are not`(
        vector: KeyVectors.Ciphertext
    ) throws {
        let key = try KeyVectors.key(vector.key).secKey(kSecAttrKeyClassPrivate)
        let algorithm = vector.algorithm.algorithm
        #expect(SecKeyIsAlgorithmSupported(key, .decrypt, algorithm))
        #expect(!SecKeyIsAlgorithmSupported(key, .encrypt, algorithm))
        let ciphertext = vector.ciphertext.data
        #expect(SecKeyCreateDecryptedData(key, algorithm, ciphertext as CFData, nil) as Data? == vector.plaintext.data)
        for index in [ciphertext.startIndex, ciphertext.startIndex + 20, ciphertext.endIndex - 1] {
            var changed = ciphertext
            changed[index] ^= 1
            let found = SecKeyCreateDecryptedData(key, algorithm, changed as CFData, nil) as Data?
            #expect(found != vector.plaintext.data)
            let hasTag = vector.algorithm.contains("AESGCM") || vector.algorithm.contains("OAEP")
            if hasTag { #expect(found == nil) }
        }
    }

    @Test(arguments: try KeyVectors.all.get().ciphertexts)
    func `what the public key encrypts, the private key decrypts`(vector: KeyVectors.Ciphertext) throws {
        let pair = try KeyVectors.key(vector.key)
        let publicKey = try pair.secKey(kSecAttrKeyClassPublic)
        let algorithm = vector.algorithm.algorithm
        #expect(SecKeyIsAlgorithmSupported(publicKey, .encrypt, algorithm))
        let plaintext = vector.plaintext.data as CFData
        let ciphertext = try #require(SecKeyCreateEncryptedData(publicKey, algorithm, plaintext, nil))
        #expect(CFDataGetLength(ciphertext) == vector.ciphertext.data.count)
        let isRandom = !vector.algorithm.hasSuffix("RSA:raw")
        #expect((ciphertext as Data == vector.ciphertext.data) == !isRandom)
        let privateKey = try pair.secKey(kSecAttrKeyClassPrivate)
        #expect(SecKeyCreateDecryptedData(privateKey, algorithm, ciphertext, nil) as Data? == vector.plaintext.data)
    }

    @Test(arguments: try KeyVectors.all.get().agreements)
    func `both sides agree on the secret of another program`(vector: KeyVectors.Agreement) throws {
        let pair = try KeyVectors.key(vector.key)
        let key = try pair.secKey(kSecAttrKeyClassPrivate)
        let other = try #require(makeKey(vector.other.data, type: pair.type, kSecAttrKeyClassPublic))
        let algorithm = vector.algorithm.algorithm
        #expect(SecKeyIsAlgorithmSupported(key, .keyExchange, algorithm))
        var parameters: [SecKeyKeyExchangeParameter: Any] = [:]
        if vector.size > 0 {
            parameters[.requestedSize] = vector.size
            if !vector.info.data.isEmpty { parameters[.sharedInfo] = vector.info.data }
        }
        let dictionary = Dictionary(uniqueKeysWithValues: parameters.map { ($0.rawValue, $1) }) as CFDictionary
        let secret = SecKeyCopyKeyExchangeResult(key, algorithm, other, dictionary, nil)
        #expect(secret as Data? == vector.result.data)
    }
}
