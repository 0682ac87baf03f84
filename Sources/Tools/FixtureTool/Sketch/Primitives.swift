import CofferBasics
import VaultCrypto

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

/// SipHash-2-4 with 16 bytes of output, from the paper of Aumasson and Bernstein and its later version for 128 bits.
///
/// A second implementation, like ``Blake2b``.
enum SipHash {
    static func hash(_ input: [UInt8], key: some Collection<UInt8>) -> [UInt8] {
        let key = Array(key)
        let (low, high) = (word(key[..<8]), word(key[8...]))
        var state = [
            low ^ 0x736F_6D65_7073_6575, high ^ 0x646F_7261_6E64_6F6D ^ 0xEE, low ^ 0x6C79_6765_6E65_7261,
            high ^ 0x7465_6462_7974_6573,
        ]
        let lastStart = input.count / 8 * 8
        for start in stride(from: 0, to: lastStart, by: 8) { absorb(word(input[start..<start + 8]), &state) }
        absorb(word(input[lastStart...]) | UInt64(input.count & 0xFF) << 56, &state)
        state[2] ^= 0xEE
        for _ in 0..<4 { mix(&state) }
        let first = state.reduce(0, ^)
        state[1] ^= 0xDD
        for _ in 0..<4 { mix(&state) }
        return u64(first) + u64(state.reduce(0, ^))
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func absorb(_ word: UInt64, _ state: inout [UInt64]) {
        state[3] ^= word
        for _ in 0..<2 { mix(&state) }
        state[0] ^= word
    }

    private static func mix(_ state: inout [UInt64]) {
        func add(_ target: Int, _ other: Int, turnedBy count: UInt64) {
            state[target] &+= state[other]
            state[other] = (state[other] << count | state[other] >> (64 - count)) ^ state[target]
        }
        func turn(_ index: Int) { state[index] = state[index] << 32 | state[index] >> 32 }
        add(0, 1, turnedBy: 13)
        turn(0)
        add(2, 3, turnedBy: 16)
        add(0, 3, turnedBy: 21)
        add(2, 1, turnedBy: 17)
        turn(2)
    }
}

// The notation of section 1 of the vault format: `||` is `+`, and integers have their lowest byte first.

/// Returns the low `byteCount` bytes of `value`, lowest byte first.
func littleEndian(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
}

func u8(_ value: some BinaryInteger) -> [UInt8] { littleEndian(UInt64(truncatingIfNeeded: value), 1) }
func u16(_ value: some BinaryInteger) -> [UInt8] { littleEndian(UInt64(truncatingIfNeeded: value), 2) }
func u32(_ value: some BinaryInteger) -> [UInt8] { littleEndian(UInt64(truncatingIfNeeded: value), 4) }
func u64(_ value: some BinaryInteger) -> [UInt8] { littleEndian(UInt64(truncatingIfNeeded: value), 8) }

func zeros(_ byteCount: Int) -> [UInt8] { [UInt8](repeating: 0, count: byteCount) }

/// Returns `coffer1.` followed by `name`, padded to 16 bytes.
func label(_ name: String) -> [UInt8] {
    let text = Array("coffer1.\(name)".utf8)
    precondition(text.count <= 16, "the label \(name) is too long")
    return text + zeros(16 - text.count)
}

/// Returns the padded size of `byteCount` bytes, section 1.2.
func pad(_ byteCount: Int) -> Int {
    var step = 64
    if byteCount >= 1024 {
        let exponent = Int.bitWidth - 1 - byteCount.leadingZeroBitCount
        let digits = Int.bitWidth - exponent.leadingZeroBitCount
        step = 1 << (exponent - digits)
    }
    return (byteCount + step - 1) / step * step
}

extension [UInt8] {
    /// These bytes, padded with zeros to a multiple of 64.
    var filledToUnit: [UInt8] { self + zeros((64 - count % 64) % 64) }

    /// Hexadecimal digits, without spaces.
    var hex: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Writes `bytes` at `offset`.
    mutating func put(_ bytes: [UInt8], at offset: Int) {
        replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }

    /// Replaces the last bytes with `bytes`.
    mutating func replaceEnd(with bytes: some Collection<UInt8>) {
        replaceSubrange((count - bytes.count)..., with: bytes)
    }

    /// Changes one bit of the byte at `offset`.
    mutating func flip(_ offset: Int) { self[offset] ^= 0x10 }

    /// Sets the bytes in `range` to zero.
    mutating func erase(_ range: Range<Int>) { replaceSubrange(range, with: zeros(range.count)) }
}
