import Testing
import TestSupport
import VaultCrypto

/// Five stored bytes: the last block, with its length and the complement of that.
private let stored: [UInt8] = [0x01, 0x05, 0x00, 0xFA, 0xFF] + Array("hello".utf8)

/// The same for gzip: a header of ten bytes, and behind the stream the CRC-32 and the size.
private let zipped: [UInt8] =
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + stored + [0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0]

/// No bytes, in a block of fixed codes that holds only its end.
private let empty: [UInt8] = [0x03, 0x00]

@Suite("Zlib") struct ZlibTests {
    /// What a stream of a known size inflates to.
    private func inflated(_ stream: [UInt8], _ wrapping: Zlib.Wrapping = .none, byteCount: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var span = bytes.mutableSpan
        try Zlib.inflate(stream.span, wrapping, into: &span)
        return bytes
    }

    /// What a stream of at most so many bytes inflates to.
    private func inflated(_ stream: [UInt8], dictionary: [UInt8] = [], limit: Int) throws -> [UInt8] {
        try Zlib.inflated(stream.span, dictionary: dictionary.span, byteCountLimit: limit)
    }

    private func compressed(_ bytes: [UInt8], dictionary: [UInt8] = [0xDD]) throws -> [UInt8] {
        try Compressor(dictionary: dictionary).compressed(bytes)
    }

    // MARK: - Valid streams

    @Test func `a stream made by hand is inflated`() throws {
        #expect(try inflated(stored, byteCount: 5) == Array("hello".utf8))
        #expect(try inflated(stored, limit: 5) == Array("hello".utf8))
        #expect(try inflated(stored, limit: 100_000) == Array("hello".utf8))
        #expect(try inflated(zipped, .gzip, byteCount: 5) == Array("hello".utf8))
        #expect(try inflated(empty, byteCount: 0) == [])
        #expect(try inflated(empty, limit: 0) == [])
    }

    /// Made with Python's zlib.
    @Test func `a stream may refer to its dictionary`() throws {
        let stream: [UInt8] = [0xCB, 0x00, 0x11, 0x0A, 0x60, 0x12, 0x00]
        let dictionary = Array("hello".utf8)
        #expect(try inflated(stream, dictionary: dictionary, limit: 100) == Array("hello hello".utf8))
        #expect(throws: CompressionError.malformed) { try inflated(stream, limit: 100) }
        #expect(throws: CompressionError.malformed) { try inflated(stream, dictionary: [0x68, 0x65], limit: 100) }
    }

    @Test(arguments: [0, 1, 63, 1000, 2047, 2048, 2049, 32_768, 65_536])
    func `compressed bytes are inflated to the same bytes`(byteCount: Int) throws {
        let random = DeterministicRandom(seed: "zlib \(byteCount)")
        var bytes = random.bytes(byteCount)
        // One half can be compressed, the other cannot.
        for index in 0..<(byteCount / 2) { bytes[index] &= 3 }
        let dictionary = random.bytes(32_768)
        let stream = try compressed(bytes, dictionary: dictionary)
        #expect(try inflated(stream, dictionary: dictionary, limit: 65_536) == bytes)
        #expect(try inflated(stream, dictionary: dictionary, limit: byteCount) == bytes)
    }

    @Test func `a compressor makes the same stream again after others`() throws {
        let compressor = try Compressor(dictionary: Array("dictionary".utf8))
        let first = try compressor.compressed(Array("a dictionary".utf8))
        _ = try compressor.compressed([UInt8](repeating: 7, count: 100_000))
        #expect(try compressor.compressed(Array("a dictionary".utf8)) == first)
    }

    @Test func `what is in the dictionary, or repeated, compresses well`() throws {
        let bytes = DeterministicRandom(seed: "incompressible").bytes(1000)
        #expect(try compressed(bytes).count > 1000)
        #expect(try compressed(bytes, dictionary: bytes).count < 30)
        #expect(try compressed([UInt8](repeating: 7, count: 100_000)).count < 200)
    }

    // MARK: - Invalid streams

    @Test(arguments: [6, 7, 1000])
    func `a stream of fewer bytes than declared is too short`(byteCount: Int) {
        #expect(throws: CompressionError.tooShort) { try inflated(stored, byteCount: byteCount) }
    }

    @Test(arguments: 0...4)
    func `a stream of more bytes than declared is too long`(byteCount: Int) {
        #expect(throws: CompressionError.tooLong) { try inflated(stored, byteCount: byteCount) }
        #expect(throws: CompressionError.tooLong) { try inflated(stored, limit: byteCount) }
    }

    @Test func `an empty stream is too short for a declared byte`() {
        #expect(throws: CompressionError.tooShort) { try inflated(empty, byteCount: 1) }
    }

    @Test(arguments: 0..<10)
    func `a truncated stream is too short`(byteCount: Int) throws {
        let stream = Array(stored.prefix(byteCount))
        #expect(throws: CompressionError.tooShort) { try inflated(stream, byteCount: 5) }
        #expect(throws: CompressionError.tooShort) { try inflated(stream, limit: 5) }
        #expect(throws: CompressionError.tooShort) { try inflated(stream, limit: 100_000) }
    }

    @Test(arguments: 0..<2)
    func `a truncated empty stream is too short`(byteCount: Int) throws {
        #expect(throws: CompressionError.tooShort) { try inflated(Array(empty.prefix(byteCount)), byteCount: 0) }
        #expect(throws: CompressionError.tooShort) { try inflated(Array(empty.prefix(byteCount)), limit: 0) }
    }

    @Test(arguments: [[0], stored, empty])
    func `bytes after a stream are rejected`(bytes: [UInt8]) {
        #expect(throws: CompressionError.trailingBytes) { try inflated(stored + bytes, byteCount: 5) }
        #expect(throws: CompressionError.trailingBytes) { try inflated(stored + bytes, limit: 100_000) }
        #expect(throws: CompressionError.trailingBytes) { try inflated(empty + bytes, byteCount: 0) }
        #expect(throws: CompressionError.trailingBytes) { try inflated(zipped + [0], .gzip, byteCount: 5) }
    }

    @Test func `a decompression bomb is rejected at the first excess byte`() throws {
        let bomb = try compressed([UInt8](repeating: 0, count: 50_000_000))
        #expect(bomb.count < 100_000)
        #expect(throws: CompressionError.tooLong) { try inflated(bomb, byteCount: 262_144) }
        #expect(throws: CompressionError.tooLong) { try inflated(bomb, dictionary: [0xDD], limit: 65_536) }
        // The bytes after the first excess byte are not read, so they need not be a valid stream.
        #expect(throws: CompressionError.tooLong) {
            try inflated(Array(bomb.prefix(10_000)) + [0xFF, 0xFF], byteCount: 1000)
        }
    }

    @Test(arguments: 20..<28)
    func `a file of gzip with a wrong checksum or size is malformed`(offset: Int) {
        let stream = zipped.changed(at: offset) { $0 ^= 1 }
        #expect(throws: CompressionError.malformed) { try inflated(stream, .gzip, byteCount: 5) }
    }

    @Test(
        arguments: [
            // A block of type 3, a length without its complement, text.
            [0x07], [0x01, 0x05, 0x00, 0xFA, 0xFE, 0, 0, 0, 0, 0], Array("hello".utf8),
        ] as [[UInt8]]
    )
    func `data that is no stream is malformed`(stream: [UInt8]) {
        #expect(throws: CompressionError.malformed) { try inflated(stream, byteCount: 5) }
        #expect(throws: CompressionError.malformed) { try inflated(stream, limit: 100_000) }
    }

    @Test func `a stream without what gzip puts around it is malformed, and the other way round`() {
        #expect(throws: CompressionError.malformed) { try inflated(stored, .gzip, byteCount: 5) }
        #expect(throws: CompressionError.malformed) { try inflated(zipped, byteCount: 5) }
    }
}
