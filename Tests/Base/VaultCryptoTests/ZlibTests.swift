import Testing
import TestSupport
import VaultCrypto

/// Five stored bytes: a header, the last block with its length and the complement of that, the Adler-32.
private let stored: [UInt8] =
    [0x78, 0x01] + [0x01, 0x05, 0x00, 0xFA, 0xFF] + Array("hello".utf8) + [0x06, 0x2C, 0x02, 0x15]

/// No bytes, in a block of fixed codes that holds only its end.
private let empty: [UInt8] = [0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01]

@Suite("Zlib") struct ZlibTests {
    private func inflated(_ stream: [UInt8], byteCount: Int) throws -> [UInt8] {
        try Zlib.inflated(stream.span, byteCount: byteCount)
    }

    // MARK: - Valid streams

    @Test func `a stream made by hand is inflated`() throws {
        #expect(try inflated(stored, byteCount: 5) == Array("hello".utf8))
        #expect(try inflated(empty, byteCount: 0) == [])
    }

    @Test(arguments: [0, 1, 63, 1000, 32_768, 262_144], 1...9)
    func `compressed bytes are inflated to the same bytes`(byteCount: Int, level: Int) throws {
        let random = DeterministicRandom(seed: "zlib \(byteCount)")
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var span = bytes.mutableSpan
        random.fill(&span)
        // One half can be compressed, the other cannot.
        for index in 0..<(byteCount / 2) { bytes[index] &= 3 }
        let stream = try Zlib.compressed(bytes, level: Int32(level))
        #expect(try inflated(stream, byteCount: byteCount) == bytes)
    }

    @Test func `repeated bytes compress well`() throws {
        let stream = try Zlib.compressed([UInt8](repeating: 7, count: 100_000))
        #expect(stream.count < 200)
    }

    // MARK: - Invalid streams

    @Test(arguments: [6, 7, 1000])
    func `a stream of fewer bytes than declared is too short`(byteCount: Int) {
        #expect(throws: CompressionError.tooShort) { try inflated(stored, byteCount: byteCount) }
    }

    @Test(arguments: 0...4)
    func `a stream of more bytes than declared is too long`(byteCount: Int) {
        #expect(throws: CompressionError.tooLong) { try inflated(stored, byteCount: byteCount) }
    }

    @Test func `an empty stream is too short for a declared byte`() {
        #expect(throws: CompressionError.tooShort) { try inflated(empty, byteCount: 1) }
    }

    @Test(arguments: 0..<16)
    func `a truncated stream is too short`(byteCount: Int) throws {
        #expect(throws: CompressionError.tooShort) { try inflated(Array(stored.prefix(byteCount)), byteCount: 5) }
    }

    @Test(arguments: 0..<8)
    func `a truncated empty stream is too short`(byteCount: Int) throws {
        #expect(throws: CompressionError.tooShort) { try inflated(Array(empty.prefix(byteCount)), byteCount: 0) }
    }

    @Test(arguments: [[0], stored, empty])
    func `bytes after a stream are rejected`(bytes: [UInt8]) {
        #expect(throws: CompressionError.trailingBytes) { try inflated(stored + bytes, byteCount: 5) }
        #expect(throws: CompressionError.trailingBytes) { try inflated(empty + bytes, byteCount: 0) }
    }

    @Test func `a decompression bomb is rejected at the first excess byte`() throws {
        let bomb = try Zlib.compressed([UInt8](repeating: 0, count: 50_000_000))
        #expect(bomb.count < 100_000)
        #expect(throws: CompressionError.tooLong) { try inflated(bomb, byteCount: 262_144) }
        // The bytes after the first excess byte are not read, so they need not be a valid stream.
        #expect(throws: CompressionError.tooLong) {
            try inflated(Array(bomb.prefix(10_000)) + [0xFF, 0xFF], byteCount: 1000)
        }
    }

    @Test(arguments: 12..<16)
    func `a stream with a wrong checksum is malformed`(offset: Int) {
        var stream = stored
        stream[offset] ^= 1
        #expect(throws: CompressionError.malformed) { try inflated(stream, byteCount: 5) }
    }

    @Test(
        arguments: [
            // Another method, a header that is not a multiple of 31, a dictionary, a block of type 3, gzip, no header.
            [0x79, 0x9C], [0x78, 0x9D], [0x78, 0xBB, 0, 0, 0, 1], [0x78, 0x01, 0x07], [0x1F, 0x8B, 0x08, 0x00],
            Array(empty.dropFirst(2)), Array("hello".utf8),
        ] as [[UInt8]]
    )
    func `data that is not a zlib stream is malformed`(stream: [UInt8]) {
        #expect(throws: CompressionError.malformed) { try inflated(stream, byteCount: 5) }
        #expect(throws: CompressionError.malformed) { try inflated(stream, byteCount: 0) }
    }

    @Test(arguments: UInt64(0)..<200)
    func `a changed byte never inflates to different bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<500).map { _ in UInt8.random(in: 0...9, using: &generator) }
        var stream = try Zlib.compressed(bytes)
        let offset = Int.random(in: 2..<stream.count, using: &generator)
        stream[offset] ^= UInt8.random(in: 1...255, using: &generator)
        // Some bits have no meaning, such as the last ones before the checksum; changing them has no effect.
        guard let changed = try? inflated(stream, byteCount: 500) else { return }
        #expect(changed == bytes)
    }
}
