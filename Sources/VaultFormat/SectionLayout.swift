/// Where the parts of a group section lie: known before the parts are, so that they can point to each other.
struct SectionLayout {
    static let itemsPerPage = MatchPage.entriesByteCount / ItemEntry.byteCount

    private static let pagesPerPiece = BlockList.pieceByteCount / MatchPage.byteCount

    let blockListByteCount: Int
    let fenceByteCount: Int
    let itemPageCount: Int
    /// Where the first metadata block begins, from the start of the section.
    let blocksOffset: Int
    /// Where the first secret begins, from the start of the section.
    let secretsOffset: Int

    private var parts: [(entry: BlockList.Entry, bytes: [UInt8])] = []
    private var end: Int

    static func itemPageCount(itemCount: Int) -> Int {
        (itemCount + itemsPerPage - 1) / itemsPerPage
    }

    init(
        blockByteCounts: [Int],
        secretByteCounts: [Int],
        digestPageCount: Int,
        itemPageCount: Int,
        dataKeyCount: Int
    ) {
        self.itemPageCount = itemPageCount
        let pieces = Self.pieces(secretByteCounts)
        let pageEntryCount = [digestPageCount, itemPageCount].reduce(0) {
            $0 + ($1 + Self.pagesPerPiece - 1) / Self.pagesPerPiece
        }
        blockListByteCount = BlockList.byteCount(
            entryCount: 1 + pageEntryCount + blockByteCounts.count + pieces.count
        )
        fenceByteCount = Box.byteCount(
            contentByteCount: 8 * (1 + dataKeyCount) + 16 * (digestPageCount + itemPageCount)
        )
        blocksOffset = blockListByteCount + fenceByteCount + (digestPageCount + itemPageCount) * MatchPage.byteCount
        secretsOffset = blocksOffset + blockByteCounts.reduce(0, +)
        end = blockListByteCount
    }

    /// The secrets of each piece, given the size of each secret.
    private static func pieces(_ secretByteCounts: [Int]) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var start = 0
        var byteCount = 0
        for (index, secretByteCount) in secretByteCounts.enumerated() {
            if index > start, byteCount + secretByteCount > BlockList.pieceByteCount {
                pieces.append(start..<index)
                (start, byteCount) = (index, 0)
            }
            byteCount += secretByteCount
        }
        if start < secretByteCounts.count { pieces.append(start..<secretByteCounts.count) }
        return pieces
    }

    // MARK: - Adding the parts, in their order

    mutating func add(_ kind: BlockList.Kind, _ bytes: [UInt8], count: Int, dataKey: KeyHandle = .none) {
        let part = SectionPart(offset: end, byteCount: bytes.count)
        end = part.range.upperBound
        // The check follows when all parts are there.
        let entry = BlockList.Entry(kind: kind, count: count, part: part, dataKey: dataKey, check: [])
        parts.append((entry, bytes))
    }

    mutating func addPages(_ kind: BlockList.Kind, _ pages: [UInt8]) {
        for start in stride(from: 0, to: pages.count, by: BlockList.pieceByteCount) {
            let piece = Array(pages[start..<min(start + BlockList.pieceByteCount, pages.count)])
            add(kind, piece, count: piece.count / MatchPage.byteCount)
        }
    }

    mutating func addSecrets(_ secrets: some Sequence<[UInt8]>) {
        let secrets = Array(secrets)
        for piece in Self.pieces(secrets.map(\.count)) {
            add(.secrets, Array(secrets[piece].joined()), count: piece.count)
        }
    }

    /// The bytes of the section, its block list first.
    func finished<Suite: CipherSuite>(section: SectionID, key: Suite.Key, suite: Suite) -> [UInt8] {
        let entries = parts.map { entry, bytes in
            var entry = entry
            entry.check = BlockList.check(of: bytes.span, suite: suite)
            return entry
        }
        var bytes = BlockList(entries: entries).sealed(section: section, key: key, suite: suite)
        bytes.reserveCapacity(end)
        for part in parts { bytes += part.bytes }
        return bytes
    }
}
