import CofferBasics

/// BLAKE2b (RFC 7693) with a key and a personalization.
///
/// This is a second implementation, so that the labels and parameters of the vectors come from the text of the
/// specification and not from the code under test.
enum Blake2b {
    private static let start: [UInt64] = [
        0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
        0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F, 0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179,
    ]

    private static let order: [[Int]] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ]

    static func hash(
        _ byteCount: Int,
        key: [UInt8] = [],
        personal: [UInt8] = zeros(16),
        _ input: [UInt8]
    ) -> [UInt8] {
        var state = start
        state[0] ^= UInt64(byteCount) | UInt64(key.count) << 8 | 0x0101_0000
        state[6] ^= word(personal, 0)
        state[7] ^= word(personal, 8)
        var text = (key.isEmpty ? [] : key + zeros(128 - key.count)) + input
        let textByteCount = text.count
        text += zeros(text.isEmpty ? 128 : (128 - text.count % 128) % 128)
        for offset in stride(from: 0, to: text.count, by: 128) {
            let isLast = offset + 128 == text.count
            let block = (0..<16).map { word(text, offset + 8 * $0) }
            compress(&state, block, count: UInt64(isLast ? textByteCount : offset + 128), isLast: isLast)
        }
        return Array(state.flatMap { littleEndian($0, 8) }.prefix(byteCount))
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in stride(from: offset + 7, through: offset, by: -1) { word = word << 8 | UInt64(bytes[index]) }
        return word
    }

    // Sixteen variables instead of an array: the vectors are written by an unoptimized build.
    private static func compress(_ state: inout [UInt64], _ block: [UInt64], count: UInt64, isLast: Bool) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        var (i, j, k, l) = (start[0], start[1], start[2], start[3])
        var (m, n, o, p) = (start[4] ^ count, start[5], isLast ? ~start[6] : start[6], start[7])
        for round in 0..<12 {
            let order = order[round % 10]
            mix(&a, &e, &i, &m, block[order[0]], block[order[1]])
            mix(&b, &f, &j, &n, block[order[2]], block[order[3]])
            mix(&c, &g, &k, &o, block[order[4]], block[order[5]])
            mix(&d, &h, &l, &p, block[order[6]], block[order[7]])
            mix(&a, &f, &k, &p, block[order[8]], block[order[9]])
            mix(&b, &g, &l, &m, block[order[10]], block[order[11]])
            mix(&c, &h, &i, &n, block[order[12]], block[order[13]])
            mix(&d, &e, &j, &o, block[order[14]], block[order[15]])
        }
        for (index, word) in [a ^ i, b ^ j, c ^ k, d ^ l, e ^ m, f ^ n, g ^ o, h ^ p].enumerated() {
            state[index] ^= word
        }
    }

    private static func mix(
        _ a: inout UInt64,
        _ b: inout UInt64,
        _ c: inout UInt64,
        _ d: inout UInt64,
        _ x: UInt64,
        _ y: UInt64
    ) {
        a = a &+ b &+ x
        d = rotate(d ^ a, 32)
        c = c &+ d
        b = rotate(b ^ c, 24)
        a = a &+ b &+ y
        d = rotate(d ^ a, 16)
        c = c &+ d
        b = rotate(b ^ c, 63)
    }

    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
        value &>> count | value &<< (64 - count)
    }
}
