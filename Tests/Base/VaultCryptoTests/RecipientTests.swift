import CCofferSodium
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Recipients") struct RecipientTests {
    private let secret = [UInt8](1...32)
    private let text = Array("the keys of a group".utf8)

    /// The text in `box`, or nil if it was not sealed to the owner of `secret`.
    private func opened(_ box: [UInt8], secret: [UInt8]) throws -> [UInt8]? {
        var box = box
        var span = box.mutableSpan
        guard SealedBox.open(&span, secret: try Key(secret)) else { return nil }
        return Array(box.dropFirst(SealedBox.extraByteCount))
    }

    private func sealed(_ text: [UInt8], to publicKey: [UInt8], seed: String = "box") throws -> [UInt8] {
        try SealedBox.sealed(text.span, to: publicKey, random: DeterministicRandom(seed: seed))
    }

    private func publicKey(of secret: [UInt8]) throws -> [UInt8] {
        try Key(secret).publicKey
    }

    // MARK: - Public keys

    @Test(
        arguments: [
            // RFC 7748: Bob of section 6.1, and the first iteration of section 5.2.
            (
                "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
                "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
            ),
            (
                "0900000000000000000000000000000000000000000000000000000000000000",
                "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"
            ),
        ]
    )
    func `public keys match the RFC`(secret: String, expected: String) throws {
        #expect(try publicKey(of: [UInt8](hexadecimal: secret)) == [UInt8](hexadecimal: expected))
    }

    // MARK: - Sealed boxes

    @Test(arguments: [0, 1, 32, 1000])
    func `libsodium opens our sealed box`(byteCount: Int) throws {
        let text = [UInt8](repeating: 5, count: byteCount)
        let publicKey = try publicKey(of: secret)
        let box = try sealed(text, to: publicKey)
        #expect(box.count == byteCount + SealedBox.extraByteCount)
        var buffer = [UInt8](repeating: 0, count: byteCount + 1)
        #expect(crypto_box_seal_open(&buffer, box, UInt64(box.count), publicKey, secret) == 0)
        #expect(Array(buffer.dropLast()) == text)
    }

    @Test(arguments: [0, 1, 32, 1000])
    func `we open libsodium's sealed box in place`(byteCount: Int) throws {
        let text = [UInt8](repeating: 5, count: byteCount)
        var box = [UInt8](repeating: 0, count: byteCount + SealedBox.extraByteCount)
        #expect(crypto_box_seal(&box, text, UInt64(byteCount), try publicKey(of: secret)) == 0)
        #expect(try opened(box, secret: secret) == text)
    }

    @Test func `a sealed box draws its key from the random source`() throws {
        let publicKey = try publicKey(of: secret)
        #expect(try sealed(text, to: publicKey) == sealed(text, to: publicKey))
        #expect(try sealed(text, to: publicKey).prefix(32) != sealed(text, to: publicKey, seed: "other").prefix(32))
        // The ephemeral secret is the SHA-512 of the drawn bytes, which are not in the box themselves.
        let drawn = DeterministicRandom(seed: "box").bytes(32)
        var ephemeralKey = [UInt8](repeating: 0, count: 32)
        var ephemeralSecret = [UInt8](repeating: 0, count: 32)
        #expect(crypto_box_seed_keypair(&ephemeralKey, &ephemeralSecret, drawn) == 0)
        #expect(try Array(sealed(text, to: publicKey).prefix(32)) == ephemeralKey)
    }

    @Test func `a sealed box with a changed byte is rejected, and no text remains`() throws {
        let key = try Key(secret)
        let box = try sealed(text, to: key.publicKey)
        for offset in box.indices {
            // X25519 ignores the highest bit of a public key, but the nonce depends on it.
            var changed = box.changed(at: offset) { $0 ^= 0x80 }
            var span = changed.mutableSpan
            #expect(!SealedBox.open(&span, secret: key), "offset \(offset)")
            #expect(Array(changed.dropFirst(48)) != text)
        }
    }

    @Test func `only the recipient opens a sealed box`() throws {
        let box = try sealed(text, to: try publicKey(of: secret))
        #expect(try opened(box, secret: secret) == text)
        #expect(try opened(box, secret: secret.changed(at: 1) { $0 ^= 1 }) == nil)
    }

    @Test(arguments: [0, 31, 32, 47, 48, 49])
    func `input that is too short for a sealed box is rejected`(byteCount: Int) throws {
        let box = try sealed(text, to: try publicKey(of: secret))
        #expect(try opened(Array(box.prefix(byteCount)), secret: secret) == nil)
    }

    // MARK: - Unusable public keys

    /// The points of low order, in every encoding that X25519 accepts.
    private static let pointsOfLowOrder: [[UInt8]] = {
        let points = [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ].map { [UInt8](hexadecimal: $0) }
        return points + points.map { $0.changed(at: 31) { $0 |= 0x80 } }
    }()

    @Test(arguments: pointsOfLowOrder)
    func `sealing to a point of low order is rejected`(publicKey: [UInt8]) {
        #expect(throws: CipherError.unusablePublicKey) { try sealed(text, to: publicKey) }
    }

    @Test(arguments: [0, 31, 33])
    func `sealing to a public key of the wrong size is rejected`(byteCount: Int) {
        let publicKey = [UInt8](repeating: 9, count: byteCount)
        #expect(throws: CipherError.unusablePublicKey) { try sealed(text, to: publicKey) }
    }

    @Test(arguments: pointsOfLowOrder)
    func `a sealed box whose ephemeral key is a point of low order is rejected`(ephemeralKey: [UInt8]) throws {
        // Anyone can make this box without a secret: the shared secret with such a point is zero.
        let keys = ephemeralKey + (try publicKey(of: secret))
        var nonce = [UInt8](repeating: 0, count: 24)
        #expect(crypto_generichash(&nonce, 24, keys, UInt64(keys.count), nil, 0) == 0)
        let zeros = [UInt8](repeating: 0, count: 32)
        var shared = zeros
        #expect(crypto_core_hsalsa20(&shared, zeros, zeros, nil) == 0)
        var sealed = [UInt8](repeating: 0, count: text.count + 16)
        #expect(crypto_secretbox_easy(&sealed, text, UInt64(text.count), nonce, shared) == 0)
        #expect(try opened(ephemeralKey + sealed, secret: secret) == nil)
    }
}
