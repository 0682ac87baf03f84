/// The primitives that section 1.1 of the specification names, and the memory that keys live in.
///
/// Everything that needs a key, a hash or randomness goes through a suite, so this module holds no cryptography and no
/// C. Keys are opaque here: their bytes exist in memory that the suite guards, and leave it through `withBytes(of:_:)` only.
package protocol CipherSuite: Sendable {
    /// 32 secret bytes in guarded memory.
    associatedtype Key: Sendable

    // MARK: Randomness

    /// Random bytes that need not stay secret: identifiers, salts, nonces.
    func randomBytes(_ byteCount: Int) -> [UInt8]

    /// A new random key.
    func randomKey() throws(CipherError) -> Key

    // MARK: Keys

    /// The key with the 32 bytes of `bytes`, which are wiped.
    func key(consuming bytes: inout MutableSpan<UInt8>) throws(CipherError) -> Key

    /// Argon2id over a passphrase; limits are checked by the caller.
    func passphraseKey(
        _ passphrase: Span<UInt8>,
        salt: [UInt8],
        operations: Int,
        memoryByteCount: Int
    ) throws(CipherError) -> Key

    /// `H(32, key, label, input || other)`, in guarded memory.
    func derivedKey(
        from key: Key?,
        label: Label,
        input: Span<UInt8>,
        appending other: Key?
    ) throws(CipherError) -> Key

    /// The two halves of `H(64, seed, label, input)`: a key, and 32 bytes that commit to it.
    func keyAndCommitment(
        seed: Key,
        label: Label,
        input: [UInt8]
    ) throws(CipherError) -> (key: Key, commitment: [UInt8])

    /// Lends the 32 bytes of `key` to `body`: to seal them for a recipient, or to write them to a file of their own.
    func withBytes<Result: ~Copyable, Failure: Error>(
        of key: Key,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result

    /// Overwrites a secret with zeros, also where nobody reads it again.
    func wipe(_ bytes: inout MutableSpan<UInt8>)

    // MARK: Hashing

    /// Writes `H(output.count, key, label, input)` to `output`.
    func hash(into output: inout MutableSpan<UInt8>, key: Key?, label: Label, _ input: Span<UInt8>)

    /// Compares in constant time.
    func areEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool

    // MARK: Sealing

    /// A nonce for sealing `text`, as section 1.4 makes it.
    func nonce(for text: Span<UInt8>, associatedData: [UInt8], key: Key) -> [UInt8]

    /// Seals in place: all but the last 16 bytes of `buffer` are the text, the last 16 become the tag.
    func seal(_ buffer: inout MutableSpan<UInt8>, nonce: [UInt8], associatedData: [UInt8], key: Key)

    /// Opens in place what ``seal(_:nonce:associatedData:key:)`` made; false, and no text, if it is not genuine.
    func open(_ buffer: inout MutableSpan<UInt8>, nonce: Span<UInt8>, associatedData: [UInt8], key: Key) -> Bool

    /// Seals a key with a fresh nonce: 24 bytes of nonce, 32 of key, 16 of tag.
    func wrap(_ key: Key, under wrappingKey: Key, associatedData: [UInt8]) -> [UInt8]

    /// The key in what ``wrap(_:under:associatedData:)`` made, or nil if it is not genuine.
    func unwrap(_ wrapped: Span<UInt8>, under wrappingKey: Key, associatedData: [UInt8]) throws(CipherError) -> Key?

    // MARK: Recipients

    /// The X25519 public key of a recipient whose secret key is `secret`: 32 bytes.
    func publicKey(of secret: Key) -> [UInt8]

    /// Seals `text` to the owner of a public key: ``sealedBoxExtraByteCount`` bytes more than the text.
    ///
    /// A public key of which no secret can be shared (a point of low order), or of another size than 32 bytes, is
    /// ``CipherError/unusablePublicKey``.
    func sealedBox(_ text: Span<UInt8>, to publicKey: [UInt8]) throws(CipherError) -> [UInt8]

    /// Opens in place what ``sealedBox(_:to:)`` made; false, and no text, if it was not sealed to this recipient.
    ///
    /// The text replaces all but the first ``sealedBoxExtraByteCount`` bytes of `box`, so it stays in the memory that the
    /// caller chose and wipes.
    func openSealedBox(_ box: inout MutableSpan<UInt8>, secret: Key) -> Bool

    // MARK: Signatures

    /// The Ed25519 public key of the one who signs with `seed`: 32 bytes.
    func signingPublicKey(of seed: Key) -> [UInt8]

    /// The detached Ed25519 signature of `text`: 64 bytes.
    func signature(of text: Span<UInt8>, by seed: Key) -> [UInt8]

    /// Whether `signature` is one of `text` by the owner of `publicKey`; false for sizes that neither can have.
    func verify(signature: Span<UInt8>, of text: Span<UInt8>, publicKey: [UInt8]) -> Bool
}

extension CipherSuite {
    /// How many bytes a sealed box has more than its text.
    package static var sealedBoxExtraByteCount: Int { 48 }
}

/// Why a suite could not do what it was asked.
package enum CipherError: Error, Equatable {
    /// The library could not be started.
    case libraryUnavailable
    /// The memory that a key or Argon2id needs was not to be had.
    case outOfMemory(neededByteCount: Int)
    /// Nothing can be sealed to this public key.
    case unusablePublicKey
}

extension CipherSuite {
    /// `H(32, key, label, input)` as a key.
    package func derivedKey(from key: Key?, label: Label, input: [UInt8] = []) throws(CipherError) -> Key {
        try derivedKey(from: key, label: label, input: input.span, appending: nil)
    }

    /// `H(byteCount, key, label, input)`.
    package func hash(_ byteCount: Int, key: Key?, label: Label, _ input: Span<UInt8>) -> [UInt8] {
        var digest = [UInt8](zeroByteCount: byteCount)
        var span = digest.mutableSpan
        hash(into: &span, key: key, label: label, input)
        return digest
    }

    /// `H(byteCount, key, label, input)`.
    package func hash(_ byteCount: Int, key: Key?, label: Label, _ input: [UInt8]) -> [UInt8] {
        hash(byteCount, key: key, label: label, input.span)
    }

    /// Whether `hash` is the hash without a key that the header keeps of parts of the file.
    func isFileHash(_ expected: [UInt8], of bytes: [UInt8]) -> Bool {
        let actual = hash(32, key: nil, label: .file, bytes)
        return areEqual(actual.span, expected.span)
    }
}
