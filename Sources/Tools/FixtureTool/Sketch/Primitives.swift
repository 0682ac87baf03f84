import CofferBasics
import VaultCrypto
import VaultFormat

/// Computes `H(byteCount, key, "coffer1.<name>", input)` of section 1.1.
func H(_ byteCount: Int, _ key: [UInt8]?, _ name: String, _ input: [UInt8] = []) -> [UInt8] {
    // The ids of groups are always computed; otherwise all would be the same.
    if Primitives.skipsCryptography, name != "groupid" { return zeros(byteCount) }
    return Blake2b.hash(byteCount, key: key ?? [], personal: label(name), input)
}

/// The primitives that do not need a second implementation, over plain bytes.
enum Primitives {
    /// Whether nothing is sealed and hashes are zero, as in the build of `./dev fuzz vault-inside`.
    static let skipsCryptography = CommandLine.arguments.contains("--unsealed")

    /// Computes `AEAD(key, nonce, associatedData, text)` of section 1.1.
    static func aead(_ key: [UInt8], _ nonce: [UInt8], _ associatedData: [UInt8], _ text: [UInt8]) -> [UInt8] {
        var sealed = Mutation.applied(to: text) + zeros(16)
        if skipsCryptography { return sealed }
        var span = sealed.mutableSpan
        guarded(key).seal(&span, nonce: nonce.span, associatedData: associatedData.span)
        return sealed
    }

    /// Computes `Argon2id(passphrase, salt, ops, mem)` of section 1.1.
    static func argon2id(_ passphrase: [UInt8], _ salt: [UInt8], ops: Int, mem: Int) -> [UInt8] {
        if skipsCryptography { return zeros(32) }
        let key = try? Key.ofPassphrase(passphrase.span, salt: salt, operations: ops, memoryByteCount: mem * 1024)
        guard let key else { preconditionFailure("no memory for Argon2id") }
        return key.withBytes { [UInt8](copying: $0) }
    }

    /// Returns the Ed25519 public key that belongs to `seed`.
    static func signingPublicKey(_ seed: [UInt8]) -> [UInt8] { guarded(seed).signingPublicKey }

    /// Computes `Sign(seed, text)` of section 1.1.
    static func signature(_ seed: [UInt8], _ text: [UInt8]) -> [UInt8] {
        guarded(seed).signature(of: text.span)
    }

    /// Returns the X25519 public key of `secret`.
    static func publicKey(_ secret: [UInt8]) -> [UInt8] { guarded(secret).publicKey }

    /// Computes `SealedBox(publicKey, text)` of section 1.1; its key pair is derived from `ephemeral`.
    static func sealedBox(_ publicKey: [UInt8], _ text: [UInt8], ephemeral: [UInt8]) -> [UInt8] {
        let random = FixedBytes(bytes: ephemeral)
        guard let box = try? SealedBox.sealed(text.span, to: publicKey, random: random) else {
            preconditionFailure("cannot seal to this key")
        }
        return box
    }

    /// Returns a zlib stream of `bytes`.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        guard let stream = try? Zlib.compressed(bytes, level: 9) else { preconditionFailure("no memory") }
        return stream
    }

    private static func guarded(_ bytes: [UInt8]) -> Key {
        guard let key = try? Key(copying: bytes.span) else { preconditionFailure("no memory for a key") }
        return key
    }
}

/// A one-time replacement for the system's randomness.
private struct FixedBytes: RandomSource {
    let bytes: [UInt8]

    func fill(_ output: inout MutableSpan<UInt8>) {
        output.copy(from: bytes.span)
    }
}
