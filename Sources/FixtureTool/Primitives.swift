import VaultCompression
import VaultCrypto
import VaultFormat

/// `H(byteCount, key, "coffer1.<name>", input)` of section 1.1.
func H(_ byteCount: Int, _ key: [UInt8]?, _ name: String, _ input: [UInt8] = []) -> [UInt8] {
    // What items are found by stays, or all would have one name.
    if Primitives.areLeftOut, name != "pkey", name != "attr" { return zeros(byteCount) }
    return Blake2b.hash(byteCount, key: key ?? [], personal: label(name), input)
}

/// The primitives that are not worth a second implementation, over plain bytes.
enum Primitives {
    /// Whether nothing is sealed and hashes are zero, as in the build of `./dev fuzz vault-inside`.
    static let areLeftOut = CommandLine.arguments.contains("--unsealed")

    private static let suite: SodiumSuite = {
        guard let suite = try? SodiumSuite() else { preconditionFailure("libsodium does not start") }
        return suite
    }()

    /// `AEAD(key, nonce, associatedData, text)` of section 1.1.
    static func aead(_ key: [UInt8], _ nonce: [UInt8], _ associatedData: [UInt8], _ text: [UInt8]) -> [UInt8] {
        var sealed = text + zeros(16)
        if areLeftOut { return sealed }
        var span = sealed.mutableSpan
        suite.seal(&span, nonce: nonce, associatedData: associatedData, key: guarded(key))
        return sealed
    }

    /// `Argon2id(passphrase, salt, ops, mem)` of section 1.1.
    static func argon2id(_ passphrase: [UInt8], _ salt: [UInt8], ops: Int, mem: Int) -> [UInt8] {
        if areLeftOut { return zeros(32) }
        let key = try? suite.passphraseKey(passphrase.span, salt: salt, operations: ops, memoryByteCount: mem * 1024)
        guard let key else { preconditionFailure("no memory for Argon2id") }
        return plain(key)
    }

    /// The Ed25519 public key of the one who signs with `seed`.
    static func signingPublicKey(_ seed: [UInt8]) -> [UInt8] { suite.signingPublicKey(of: guarded(seed)) }

    /// `Sign(seed, text)` of section 1.1.
    static func signature(_ seed: [UInt8], _ text: [UInt8]) -> [UInt8] {
        suite.signature(of: text.span, by: guarded(seed))
    }

    /// The X25519 public key of `secret`.
    static func publicKey(_ secret: [UInt8]) -> [UInt8] { suite.publicKey(of: guarded(secret)) }

    /// `SealedBox(publicKey, text)` of section 1.1, whose own key pair follows from `ephemeral`.
    static func sealedBox(_ publicKey: [UInt8], _ text: [UInt8], ephemeral: [UInt8]) -> [UInt8] {
        let suite = try? SodiumSuite(random: FixedBytes(bytes: ephemeral))
        guard let box = try? suite?.sealedBox(text.span, to: publicKey) else {
            preconditionFailure("nothing can be sealed to this key")
        }
        return box
    }

    /// A zlib stream of `bytes`.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        guard let stream = try? ZlibCompressor(level: 9).compressed(bytes) else { preconditionFailure("no memory") }
        return stream
    }

    private static func guarded(_ bytes: [UInt8]) -> SodiumSuite.Key {
        var copy = bytes
        var span = copy.mutableSpan
        guard let key = try? suite.key(consuming: &span) else { preconditionFailure("no memory for a key") }
        return key
    }

    /// The bytes of `key`, which the suite gives only to who can open them.
    private static func plain(_ key: SodiumSuite.Key) -> [UInt8] {
        let known = guarded(zeros(32))
        let wrapped = suite.wrap(key, under: known, associatedData: [])
        var bytes = Array(wrapped.dropFirst(24))
        var span = bytes.mutableSpan
        let isOpen = suite.open(
            &span,
            nonce: wrapped.span.extracting(..<24),
            associatedData: [],
            key: known
        )
        precondition(isOpen, "what was sealed opens")
        return Array(bytes.prefix(32))
    }
}

/// What takes the place of the system's randomness, once.
private struct FixedBytes: RandomSource {
    let bytes: [UInt8]

    func fill(_ output: inout MutableSpan<UInt8>) {
        for index in output.indices { output[index] = bytes[index] }
    }
}
