import Foundation
import Security
import Testing

/// What our keys make, for other programs to check: `./dev keys`.
@Suite("Keys: for other programs") struct KeyOutputTests {
    private static let file = ProcessInfo.processInfo.environment["COFFER_KEY_OUTPUT"]

    @Test(.enabled(if: file != nil)) func `signatures, ciphertexts and agreements are written to a file`() throws {
        let vectors = try KeyVectors.all.get()
        var entries: [[String: String]] = []
        for vector in vectors.signatures {
            let key = try KeyVectors.key(vector.key).secKey(kSecAttrKeyClassPrivate)
            let made = SecKeyCreateSignature(key, vector.algorithm.algorithm, vector.input.data as CFData, nil)
            entries.append([
                "key": vector.key, "algorithm": vector.algorithm, "input": vector.input.data.base64EncodedString(),
                "signature": try #require(made as Data?).base64EncodedString(),
            ])
        }
        for vector in vectors.ciphertexts {
            let key = try KeyVectors.key(vector.key).secKey(kSecAttrKeyClassPublic)
            let made = SecKeyCreateEncryptedData(key, vector.algorithm.algorithm, vector.plaintext.data as CFData, nil)
            entries.append([
                "key": vector.key, "algorithm": vector.algorithm,
                "plaintext": vector.plaintext.data.base64EncodedString(),
                "ciphertext": try #require(made as Data?).base64EncodedString(),
            ])
        }
        let path = try #require(Self.file)
        try JSONEncoder().encode(entries).write(to: URL(filePath: path))
    }
}
