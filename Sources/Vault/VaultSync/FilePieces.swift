internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles

/// A piece of a file, named by its hash.
struct FilePiece: Equatable, Sendable {
    static let hashByteCount = 16
    static let leastByteCount = 2048
    static let greatestByteCount = 65_536
    /// A piece ends where these bits of the rolling hash are zero: every 8 KiB on average.
    private static let mask: UInt64 = (1 << 13 - 1) << 40

    let hash: [UInt8]
    let byteCount: Int

    /// Cuts a part of a file where its content says so, so that the same bytes give the same pieces in another place.
    static func cut(_ content: FileContent, in range: Range<Int>) throws -> [FilePiece] {
        var pieces: [FilePiece] = []
        var rest: [UInt8] = []
        func cutRest(isLast: Bool) {
            var start = 0
            while rest.count - start >= greatestByteCount || (isLast && start < rest.count) {
                let bytes = rest.span.extracting(start...)
                let byteCount = length(of: bytes)
                let hash = Label.piece.hash(hashByteCount, bytes.extracting(..<byteCount))
                pieces.append(FilePiece(hash: hash, byteCount: byteCount))
                start += byteCount
            }
            rest.removeFirst(start)
        }
        try content.forEachChunk(in: range) { bytes in
            rest.append(copying: bytes)
            cutRest(isLast: false)
        }
        cutRest(isLast: true)
        return pieces
    }

    /// The length of the piece with which `bytes` begin.
    private static func length(of bytes: Span<UInt8>) -> Int {
        let end = min(bytes.count, greatestByteCount)
        var hash: UInt64 = 0
        var index = 0
        while index < end {
            hash = hash &<< 1 &+ table[Int(bytes[index])]
            index += 1
            if index >= leastByteCount, hash & mask == 0 { return index }
        }
        return end
    }

    /// A number for each byte, by the generator SplitMix64.
    private static let table: [UInt64] = (1...256).map { (index: UInt64) in
        var value = index &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

/// Where pieces are in the files that are here already.
struct PieceIndex {
    private var places: [[UInt8]: (content: FileContent, offset: Int)] = [:]

    init(of contents: [FileContent]) throws {
        for content in contents {
            var offset = 0
            for piece in try FilePiece.cut(content, in: 0..<content.byteCount) {
                places[piece.hash] = (content, offset)
                offset += piece.byteCount
            }
        }
    }

    func has(_ piece: FilePiece) -> Bool { places[piece.hash] != nil }

    /// Returns the bytes of a piece; nil if it is not here.
    ///
    /// If they have changed since, the digest of the whole differs.
    func bytes(of piece: FilePiece) throws -> [UInt8]? {
        guard let place = places[piece.hash] else { return nil }
        let range = place.offset..<place.offset + piece.byteCount
        return try place.content.file.bytes(in: range)
    }
}
