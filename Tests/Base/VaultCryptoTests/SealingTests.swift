import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Sealing") struct SealingTests {
    /// The vector of draft-irtf-cfrg-xchacha, section A.3.1.
    private static let draft = (
        key: [UInt8](0x80...0x9F),
        nonce: [UInt8](0x40...0x57),
        associatedData: [UInt8](hexadecimal: "50515253c0c1c2c3c4c5c6c7"),
        text: Array(
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
                .utf8
        ),
        sealed: [UInt8](
            hexadecimal: """
                bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39
                ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9
                21f9664c97637da9768812f615c68b13b52e c0875924c1c7987947deafd8780acf49
                """
        )
    )

    /// The buffer after opening `sealed`, and whether it was genuine.
    private func opened(
        _ sealed: [UInt8],
        nonce: [UInt8] = draft.nonce,
        associatedData: [UInt8] = draft.associatedData,
        key: [UInt8] = draft.key
    ) throws -> (isGenuine: Bool, buffer: [UInt8]) {
        var buffer = sealed
        var span = buffer.mutableSpan
        let isGenuine = try Key(key).open(&span, nonce: nonce.span, associatedData: associatedData.span)
        return (isGenuine, buffer)
    }

    // MARK: - The AEAD

    @Test func `the text of the draft is sealed in place to its ciphertext`() throws {
        var buffer = Self.draft.text + [UInt8](repeating: 0xEE, count: 16)
        var span = buffer.mutableSpan
        let (nonce, associatedData) = (Self.draft.nonce, Self.draft.associatedData)
        try Key(Self.draft.key).seal(&span, nonce: nonce.span, associatedData: associatedData.span)
        #expect(buffer == Self.draft.sealed)
    }

    @Test func `the ciphertext of the draft is opened in place to its text`() throws {
        let (isGenuine, buffer) = try opened(Self.draft.sealed)
        #expect(isGenuine)
        #expect(Array(buffer.dropLast(16)) == Self.draft.text)
    }

    @Test(arguments: [0, 57, 113, 114, 129])
    func `a changed byte is rejected, and no text remains`(offset: Int) throws {
        let (isGenuine, buffer) = try opened(Self.draft.sealed.changed(at: offset) { $0 ^= 1 })
        #expect(!isGenuine)
        #expect(zip(buffer, Self.draft.text).filter { $0 == $1 }.count < 20)
    }

    @Test func `a wrong nonce, associated data or key is rejected`() throws {
        let draft = Self.draft
        #expect(try !opened(draft.sealed, nonce: draft.nonce.changed(at: 23) { $0 ^= 1 }).isGenuine)
        #expect(try !opened(draft.sealed, associatedData: draft.associatedData + [0]).isGenuine)
        #expect(try !opened(draft.sealed, associatedData: []).isGenuine)
        #expect(try !opened(draft.sealed, key: draft.key.changed(at: 31) { $0 ^= 1 }).isGenuine)
    }

    @Test(arguments: [0, 1, 15, 16])
    func `input with a missing or wrong tag is rejected`(byteCount: Int) throws {
        #expect(try !opened([UInt8](repeating: 0, count: byteCount)).isGenuine)
    }

    @Test(arguments: [0, 12, 23, 25])
    func `a nonce of the wrong size is rejected`(byteCount: Int) throws {
        let nonce = Array((Self.draft.nonce + [0]).prefix(byteCount))
        #expect(try !opened(Self.draft.sealed, nonce: nonce).isGenuine)
    }

    @Test func `an empty text is sealed to a tag`() throws {
        var buffer = [UInt8](repeating: 0, count: 16)
        var span = buffer.mutableSpan
        let nothing: [UInt8] = []
        try Key(Self.draft.key).seal(&span, nonce: Self.draft.nonce.span, associatedData: nothing.span)
        #expect(try opened(buffer, associatedData: []).isGenuine)
        #expect(try !opened(buffer.changed(at: 0) { $0 ^= 1 }, associatedData: []).isGenuine)
    }

    // MARK: - Nonces

    private func nonce(
        for text: [UInt8],
        _ associatedData: [UInt8],
        key: Key,
        _ random: some RandomSource
    ) -> [UInt8] {
        let nonce = key.nonce(for: text.span, associatedData: associatedData.span, random: random)
        return [UInt8](copying: nonce.span)
    }

    @Test(.enabled(if: PythonOracle.isExpected, "Python is missing."), .temporaryDirectory)
    func `a nonce is made from 32 random bytes and everything that is sealed`() throws {
        let key = [UInt8](0..<32)
        let text = Array("text".utf8)
        let associatedData = Array("associated".utf8)
        let random = DeterministicRandom(seed: "nonce")
        let nonce = try nonce(for: text, associatedData, key: Key(key), random)

        let drawn = DeterministicRandom(seed: "nonce").bytes(32)
        let nonceKey = try PythonOracle.blake2b(32, key: key, label: .nonce, [])
        // SipHash itself is tested with the vectors of its authors.
        let hashed = try [drawn, associatedData, text].reduce(nonceKey) { key, input in
            let digest = try Key(key).shortHash(.first, input.span)
            return [UInt8](copying: digest.span) + [UInt8](repeating: 0, count: 16)
        }
        #expect(Array(drawn[..<8] + hashed[..<16]) == nonce)
    }

    @Test func `a machine that repeats its random bytes seals different texts with different nonces`() throws {
        func nonce(_ text: String, _ associatedData: [UInt8], _ key: UInt8 = 0) throws -> [UInt8] {
            let random = DeterministicRandom(seed: "copied machine")
            let text = Array(text.utf8)
            let key = try Key([UInt8](repeating: key, count: 32))
            return self.nonce(for: text, associatedData, key: key, random)
        }
        let nonces = try [nonce("a", [1]), nonce("b", [1]), nonce("a", [2]), nonce("a", [1], 1), nonce("", [1, 0x61])]
        #expect(Set(nonces).count == nonces.count)
        #expect(try nonce("a", [1]) == nonces[0])
    }

    @Test func `the same text gets a different nonce each time`() throws {
        let random = try SystemRandom()
        let key = try random.key()
        let text = Array("text".utf8)
        let nonces = (0..<50).map { _ in nonce(for: text, [], key: key, random) }
        #expect(Set(nonces).count == 50)
    }

    // MARK: - Wrapped keys

    private let wrappingKey = [UInt8](repeating: 7, count: 32)

    /// The bytes of the unwrapped key, or nil if it is not genuine.
    private func unwrapped(_ wrapped: [UInt8], key: [UInt8], associatedData: [UInt8] = [1, 2]) throws -> [UInt8]? {
        let key = try Key(key)
        return try key.unwrap(wrapped.span, associatedData: associatedData).map(\.bytes)
    }

    @Test func `a wrapped key is a nonce and the sealed key`() throws {
        let random = try SystemRandom()
        let key = [UInt8](100..<132)
        let wrapped = try Key(wrappingKey).wrap(try Key(key), associatedData: [1, 2], random: random)
        #expect(wrapped.count == 72)
        let nonce = Array(wrapped.prefix(24))
        let (isGenuine, buffer) = try opened(
            Array(wrapped.dropFirst(24)),
            nonce: nonce,
            associatedData: [1, 2],
            key: wrappingKey
        )
        #expect(isGenuine)
        #expect(Array(buffer.prefix(32)) == key)
        #expect(try unwrapped(wrapped, key: wrappingKey) == key)
    }

    @Test func `a wrapped key is rejected after any change`() throws {
        let random = DeterministicRandom(seed: "wrap")
        let wrapped = try Key(wrappingKey).wrap(try random.key(), associatedData: [1, 2], random: random)
        let refused = try wrapped.indices.filter { offset in
            try unwrapped(wrapped.changed(at: offset) { $0 ^= 0x80 }, key: wrappingKey) == nil
        }
        #expect(refused == Array(0..<72))
        #expect(try unwrapped(wrapped, key: wrappingKey, associatedData: [1, 3]) == nil)
        #expect(try unwrapped(wrapped, key: wrappingKey.changed(at: 0) { $0 ^= 1 }) == nil)
        #expect(try unwrapped(Array(wrapped.dropLast()), key: wrappingKey) == nil)
        #expect(try unwrapped(wrapped + [0], key: wrappingKey) == nil)
        #expect(try unwrapped([], key: wrappingKey) == nil)
    }
}
