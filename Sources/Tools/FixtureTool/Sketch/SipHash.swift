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
