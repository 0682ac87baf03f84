import VaultFormat

/// A suite without cryptography: nothing is sealed, every tag is genuine, every hash is zero and equal to any other.
///
/// With it a search by chance gets behind the MACs, where otherwise only the holder of a key comes. It exists in this
/// program alone.
struct NullSuite: CipherSuite {
    typealias Key = [UInt8]

    private static let nonceByteCount = 24
    private static let tagByteCount = 16
    private static let zeroKey = zeros(32)

    private static func zeros(_ byteCount: Int) -> [UInt8] { [UInt8](repeating: 0, count: byteCount) }

    // MARK: - Randomness and keys

    func randomBytes(_ byteCount: Int) -> [UInt8] { Self.zeros(byteCount) }

    func randomKey() -> Key { Self.zeroKey }

    func key(consuming bytes: inout MutableSpan<UInt8>) -> Key {
        let key = [UInt8](copying: bytes.span)
        wipe(&bytes)
        return key
    }

    func passphraseKey(_ passphrase: Span<UInt8>, salt: [UInt8], operations: Int, memoryByteCount: Int) -> Key {
        Self.zeroKey
    }

    func derivedKey(from key: Key?, label: Label, input: Span<UInt8>, appending other: Key?) -> Key { Self.zeroKey }

    func keyAndCommitment(seed: Key, label: Label, input: [UInt8]) -> (key: Key, commitment: [UInt8]) {
        (Self.zeroKey, Self.zeroKey)
    }

    func withBytes<Result: ~Copyable, Failure: Error>(
        of key: Key,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(key.span)
    }

    func wipe(_ bytes: inout MutableSpan<UInt8>) {
        for index in bytes.indices { bytes[index] = 0 }
    }

    // MARK: - Hashing

    func hash(into output: inout MutableSpan<UInt8>, key: Key?, label: Label, _ input: Span<UInt8>) {
        wipe(&output)
    }

    func areEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool { one.count == other.count }

    // MARK: - Sealing

    func nonce(for text: Span<UInt8>, associatedData: [UInt8], key: Key) -> [UInt8] {
        Self.zeros(Self.nonceByteCount)
    }

    func seal(_ buffer: inout MutableSpan<UInt8>, nonce: [UInt8], associatedData: [UInt8], key: Key) {
        precondition(buffer.count >= Self.tagByteCount, "there is no room for a tag")
    }

    func open(_ buffer: inout MutableSpan<UInt8>, nonce: Span<UInt8>, associatedData: [UInt8], key: Key) -> Bool {
        nonce.count == Self.nonceByteCount && buffer.count >= Self.tagByteCount
    }

    func wrap(_ key: Key, under wrappingKey: Key, associatedData: [UInt8]) -> [UInt8] {
        Self.zeros(Self.nonceByteCount) + key + Self.zeros(Self.tagByteCount)
    }

    func unwrap(_ wrapped: Span<UInt8>, under wrappingKey: Key, associatedData: [UInt8]) -> Key? {
        let key = Self.nonceByteCount..<Self.nonceByteCount + Self.zeroKey.count
        guard wrapped.count == key.upperBound + Self.tagByteCount else { return nil }
        return [UInt8](copying: wrapped.extracting(key))
    }

    // MARK: - Recipients and signatures

    func publicKey(of secret: Key) -> [UInt8] { Self.zeroKey }

    func sealedBox(_ text: Span<UInt8>, to publicKey: [UInt8]) -> [UInt8] {
        Self.zeros(Self.sealedBoxExtraByteCount) + [UInt8](copying: text)
    }

    func openSealedBox(_ box: inout MutableSpan<UInt8>, secret: Key) -> Bool {
        box.count >= Self.sealedBoxExtraByteCount
    }

    func signingPublicKey(of seed: Key) -> [UInt8] { Self.zeroKey }

    func signature(of text: Span<UInt8>, by seed: Key) -> [UInt8] { Self.zeros(64) }

    func verify(signature: Span<UInt8>, of text: Span<UInt8>, publicKey: [UInt8]) -> Bool { signature.count == 64 }
}
