import CofferBasics
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

    /// `AEAD(key, nonce, associatedData, text)` of section 1.1.
    static func aead(_ key: [UInt8], _ nonce: [UInt8], _ associatedData: [UInt8], _ text: [UInt8]) -> [UInt8] {
        var sealed = text + zeros(16)
        if areLeftOut { return sealed }
        var span = sealed.mutableSpan
        guarded(key).seal(&span, nonce: nonce, associatedData: associatedData)
        return sealed
    }

    /// `Argon2id(passphrase, salt, ops, mem)` of section 1.1.
    static func argon2id(_ passphrase: [UInt8], _ salt: [UInt8], ops: Int, mem: Int) -> [UInt8] {
        if areLeftOut { return zeros(32) }
        let key = try? Key.ofPassphrase(passphrase.span, salt: salt, operations: ops, memoryByteCount: mem * 1024)
        guard let key else { preconditionFailure("no memory for Argon2id") }
        return key.withBytes { [UInt8](copying: $0) }
    }

    /// The Ed25519 public key of the one who signs with `seed`.
    static func signingPublicKey(_ seed: [UInt8]) -> [UInt8] { guarded(seed).signingPublicKey }

    /// `Sign(seed, text)` of section 1.1.
    static func signature(_ seed: [UInt8], _ text: [UInt8]) -> [UInt8] {
        guarded(seed).signature(of: text.span)
    }

    /// The X25519 public key of `secret`.
    static func publicKey(_ secret: [UInt8]) -> [UInt8] { guarded(secret).publicKey }

    /// `SealedBox(publicKey, text)` of section 1.1, whose own key pair follows from `ephemeral`.
    static func sealedBox(_ publicKey: [UInt8], _ text: [UInt8], ephemeral: [UInt8]) -> [UInt8] {
        let random = FixedBytes(bytes: ephemeral)
        guard let box = try? SealedBox.sealed(text.span, to: publicKey, random: random) else {
            preconditionFailure("nothing can be sealed to this key")
        }
        return box
    }

    /// A zlib stream of `bytes`.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        guard let stream = try? Zlib.compressed(bytes, level: 9) else { preconditionFailure("no memory") }
        return stream
    }

    private static func guarded(_ bytes: [UInt8]) -> Key {
        guard let key = try? Key(copying: bytes.span) else { preconditionFailure("no memory for a key") }
        return key
    }
}

/// What takes the place of the system's randomness, once.
private struct FixedBytes: RandomSource {
    let bytes: [UInt8]

    func fill(_ output: inout MutableSpan<UInt8>) {
        output.copy(from: bytes.span)
    }
}
