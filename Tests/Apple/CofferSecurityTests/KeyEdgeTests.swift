import Foundation
import Security
import TestSupport
import Testing

/// Signatures and points at the edges of what is valid: `Fixtures/keys/edges.py` says how each is built.
private struct KeyEdges: Decodable {
    struct Signature: Decodable, CustomTestStringConvertible {
        let name: String
        let `public`: HexData
        let type: Int
        let algorithm: String
        let input: HexData
        let signature: HexData
        let valid: Bool

        var testDescription: String { name }
    }

    struct Secret: Decodable, CustomTestStringConvertible {
        let name: String
        let `public`: HexData
        /// Missing if the points do not fit together.
        let shared: HexData?

        var testDescription: String { name }
    }

    let signatures: [Signature]
    let secrets: [Secret]

    static let all = Result {
        let file = Repository.root.appending(path: "Fixtures/keys/edges.json")
        return try JSONDecoder().decode(KeyEdges.self, from: Data(contentsOf: file))
    }
}

@Suite("Edges of keys") struct KeyEdgeTests {
    @Test(arguments: try KeyEdges.all.get().signatures)
    fileprivate func `a signature that is nearly right`(edge: KeyEdges.Signature) throws {
        let key = try #require(makeKey(edge.public.data, type: edge.type, kSecAttrKeyClassPublic))
        let (input, signature) = (edge.input.data as CFData, edge.signature.data as CFData)
        var error: Unmanaged<CFError>?
        #expect(SecKeyVerifySignature(key, edge.algorithm.algorithm, input, signature, &error) == edge.valid)
        #expect((error == nil) == edge.valid)
        let status = error.map { OSStatus($0.takeRetainedValue().code) }
        // A number that is not below the modulus, or is too long, is no input for RSA at all.
        #expect([nil, errSecVerifyFailed, edge.type == 42 ? errSecParam : errSecVerifyFailed].contains(status))
    }

    @Test(arguments: try KeyEdges.all.get().secrets)
    fileprivate func `a point of X25519 that is not in its usual form`(edge: KeyEdges.Secret) throws {
        let key = try KeyVectors.key("X25519").secKey(kSecAttrKeyClassPrivate)
        let other = try #require(makeKey(edge.public.data, type: 106, kSecAttrKeyClassPublic))
        var error: Unmanaged<CFError>?
        let shared = SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, other, [:] as CFDictionary, &error)
        #expect(shared.map { $0 as Data } == edge.shared?.data)
        #expect(error.map { OSStatus($0.takeRetainedValue().code) } == (edge.shared == nil ? errSecDecode : nil))
    }
}
