import Foundation
import Security
import TestSupport
import Testing

/// Bytes that the vectors hold as hexadecimal digits.
struct HexData: Decodable {
    let data: Data

    init(from decoder: any Decoder) throws {
        let digits = Array(try decoder.singleValueContainer().decode(String.self).utf8)
        data = Data(
            stride(from: 0, to: digits.count, by: 2).compactMap { index in
                UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
            }
        )
    }
}

/// What other programs make with keys: `Fixtures/keys`.
struct KeyVectors: Decodable {
    struct Key: Decodable, CustomTestStringConvertible {
        let name: String
        let type: Int
        let size: Int
        let `private`: HexData
        let `public`: HexData
        /// The SubjectPublicKeyInfo.
        let info: HexData
        let label: HexData

        var testDescription: String { name }

        func secKey(_ keyClass: CFString) throws -> SecKey {
            let data = keyClass == kSecAttrKeyClassPublic ? `public` : `private`
            return try #require(makeKey(data.data, type: type, keyClass))
        }
    }

    struct Signature: Decodable, CustomTestStringConvertible {
        let key: String
        let algorithm: String
        let input: HexData
        let signature: HexData

        var testDescription: String { "\(key) \(algorithm) \(input.data.count)" }
    }

    struct Ciphertext: Decodable, CustomTestStringConvertible {
        let key: String
        let algorithm: String
        let plaintext: HexData
        let ciphertext: HexData

        var testDescription: String { "\(key) \(algorithm) \(plaintext.data.count)" }
    }

    struct Agreement: Decodable, CustomTestStringConvertible {
        let key: String
        let other: HexData
        let algorithm: String
        let size: Int
        let info: HexData
        let result: HexData

        var testDescription: String { "\(key) \(algorithm) \(size)" }
    }

    let keys: [Key]
    let signatures: [Signature]
    let ciphertexts: [Ciphertext]
    let agreements: [Agreement]

    static let all = Result {
        let file = Repository.root.appending(path: "Fixtures/keys/vectors.json")
        return try JSONDecoder().decode(KeyVectors.self, from: Data(contentsOf: file))
    }

    static func key(_ name: String) throws -> Key {
        try #require(try all.get().keys.first { $0.name == name })
    }
}

/// A key from its bytes.
func makeKey(
    _ data: Data,
    type: Int,
    _ keyClass: CFString,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>? = nil
) -> SecKey? {
    let attributes = [kSecAttrKeyType: String(type) as CFString, kSecAttrKeyClass: keyClass]
    return SecKeyCreateWithData(data as CFData, attributes as CFDictionary, error)
}

extension String {
    var algorithm: SecKeyAlgorithm { SecKeyAlgorithm(rawValue: self as CFString) }
}
