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
