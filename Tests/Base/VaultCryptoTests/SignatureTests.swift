import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Signatures") struct SignatureTests {
    /// A vector of RFC 8032, section 7.1.
    struct Known: Sendable {
        let seed: [UInt8]
        let publicKey: [UInt8]
        let text: [UInt8]
        let signature: [UInt8]
    }

    private static let known = [
        Known(
            seed: [UInt8](hexadecimal: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"),
            publicKey: [UInt8](hexadecimal: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"),
            text: [],
            signature: [UInt8](
                hexadecimal: """
                    e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
                    5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
                    """
            )
        ),
        Known(
            seed: [UInt8](hexadecimal: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"),
            publicKey: [UInt8](hexadecimal: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
            text: [0x72],
            signature: [UInt8](
                hexadecimal: """
                    92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
                    085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
                    """
            )
        ),
    ]

    private func isVerified(signature: [UInt8], text: [UInt8], publicKey: [UInt8]) -> Bool {
        Ed25519.verify(signature: signature.span, of: text.span, publicKey: publicKey)
    }

    @Test(arguments: known)
    func `keys and signatures match the RFC`(known: Known) throws {
        let seed = try Key(known.seed)
        #expect(seed.signingPublicKey == known.publicKey)
        #expect(seed.signature(of: known.text.span) == known.signature)
        #expect(isVerified(signature: known.signature, text: known.text, publicKey: known.publicKey))
    }

    @Test func `a signature is rejected after any change`() throws {
        let known = Self.known[1]
        for offset in 0..<64 {
            let signature = known.signature.changed(at: offset) { $0 ^= 1 }
            #expect(!isVerified(signature: signature, text: known.text, publicKey: known.publicKey))
        }
        #expect(!isVerified(signature: known.signature, text: [0x73], publicKey: known.publicKey))
        #expect(!isVerified(signature: known.signature, text: [], publicKey: known.publicKey))
        #expect(!isVerified(signature: known.signature, text: known.text, publicKey: Self.known[0].publicKey))
    }

    @Test(arguments: [0, 63, 65])
    func `a signature of the wrong size is rejected`(byteCount: Int) throws {
        let known = Self.known[1]
        let signature = Array((known.signature + [0]).prefix(byteCount))
        #expect(!isVerified(signature: signature, text: known.text, publicKey: known.publicKey))
    }

    @Test(arguments: [0, 31, 33])
    func `a public key of the wrong size is rejected`(byteCount: Int) throws {
        let known = Self.known[1]
        let publicKey = Array((known.publicKey + [0]).prefix(byteCount))
        #expect(!isVerified(signature: known.signature, text: known.text, publicKey: publicKey))
    }

    @Test func `a signature under a public key of low order is rejected`() throws {
        // With the neutral element as the key and as R, and zero as S, the equation holds for every text.
        let neutral = [1] + [UInt8](repeating: 0, count: 31)
        let signature = neutral + [UInt8](repeating: 0, count: 32)
        #expect(!isVerified(signature: signature, text: [1, 2, 3], publicKey: neutral))
    }
}
