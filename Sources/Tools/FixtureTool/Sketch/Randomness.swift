/// A replacement for randomness in a vector: bytes derived from the name of the vector and their purpose.
///
/// A vector is therefore the same whenever it is made, and adding or changing one leaves all others unchanged.
struct Randomness {
    let seed: String

    /// Returns `byteCount` bytes for `purpose`.
    func bytes(_ byteCount: Int, _ purpose: String) -> [UInt8] {
        bytes(byteCount, Array(purpose.utf8))
    }

    private func bytes(_ byteCount: Int, _ purpose: [UInt8]) -> [UInt8] {
        let start = Array(seed.utf8) + [0] + purpose
        var bytes: [UInt8] = []
        var counter = 0
        while bytes.count < byteCount {
            bytes += Blake2b.hash(64, start + u64(counter))
            counter += 1
        }
        return Array(bytes.prefix(byteCount))
    }

    /// Returns R of section 18.1.
    func nonceRandom(_ key: [UInt8], _ associatedData: [UInt8], _ text: [UInt8]) -> [UInt8] {
        bytes(32, Array("nonce".utf8) + key + associatedData + text)
    }

    /// Returns the nonce of section 18.1.
    func nonce(_ key: [UInt8], _ associatedData: [UInt8], _ text: [UInt8]) -> [UInt8] {
        let random = nonceRandom(key, associatedData, text)
        let hashed = [random, associatedData, text].reduce(Array(H(32, key, "nonce").prefix(16))) { key, input in
            SipHash.hash(input, key: key)
        }
        return random.prefix(8) + hashed
    }

    /// Returns a nonce followed by `text` sealed with it.
    func sealed(_ key: [UInt8], _ associatedData: [UInt8], _ text: [UInt8]) -> [UInt8] {
        let nonce = nonce(key, associatedData, text)
        return nonce + Primitives.aead(key, nonce, associatedData, text)
    }
}

/// Changes at random what is sealed or hashed, so that the seals and hashes over a change fit.
///
/// A change depends on the seed and the bytes only. About one in twenty parts is changed.
enum Mutation {
    /// The seed of `--mutated=SEED`; nil if nothing is changed.
    static let seed = CommandLine.arguments.lazy.compactMap { argument in
        argument.hasPrefix("--mutated=") ? String(argument.dropFirst("--mutated=".count)) : nil
    }.first

    /// Returns `bytes`, perhaps with a change in one place.
    static func applied(to bytes: [UInt8]) -> [UInt8] {
        guard let seed, let last = bytes.lastIndex(where: { $0 != 0 }) else { return bytes }
        let random = Blake2b.hash(16, Array(seed.utf8) + [0] + bytes)
        guard random[0] < 13 else { return bytes }
        var bytes = bytes
        // What follows the last byte that is not zero is padding, which needs few changes.
        let range = min(bytes.count, last + 5)
        let place = (Int(random[1]) << 16 | Int(random[2]) << 8 | Int(random[3])) % range
        switch random[4] % 6 {
        case 0, 1: bytes[place] ^= 1 << (random[5] % 8)
        case 2: bytes[place] = 0
        case 3: bytes[place] = 0xFF
        case 4: bytes[place] &+= 1
        default: bytes.swapAt(place, (place + 8) % range)
        }
        return bytes
    }
}
