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
