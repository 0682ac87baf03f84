/// The offsets of the parts of a group section, computed before the parts exist so that they can refer to each other.
struct SectionLayout {
    static let itemsPerPage = MatchPage.entriesByteCount / ItemEntry.byteCount
    static let pagesPerPiece = BlockList.pieceByteCount / MatchPage.byteCount

    let blockListByteCount: Int
    let fenceByteCount: Int
    let itemPageCount: Int
    /// The offset of the first metadata block from the start of the section.
    let blocksOffset: Int
    /// The offset of the first secret from the start of the section.
    let secretsOffset: Int
    let byteCount: Int
    /// The numbers of the secrets in each piece of the block list.
    let secretPieces: [Range<Int>]

    /// The entry for a page, made from one whose offsets count from the first block and the first secret.
    func placed(_ entry: MatchEntry) -> MatchEntry {
        var entry = entry
        entry.block.part.offset += blocksOffset
        entry.secret?.offset += secretsOffset
        return entry
    }

    static func itemPageCount(itemCount: Int) -> Int {
        (itemCount + itemsPerPage - 1) / itemsPerPage
    }

    init(
        blockByteCounts: some Collection<Int>,
        secretByteCounts: some Collection<Int>,
        digestPageCount: Int,
        itemPageCount: Int,
        dataKeyCount: Int,
        writerCount: Int
    ) {
        self.itemPageCount = itemPageCount
        secretPieces = Self.pieces(secretByteCounts)
        let pageEntryCount = [digestPageCount, itemPageCount].reduce(0) {
            $0 + ($1 + Self.pagesPerPiece - 1) / Self.pagesPerPiece
        }
        blockListByteCount = BlockList.byteCount(
            entryCount: 1 + pageEntryCount + blockByteCounts.count + secretPieces.count
        )
        fenceByteCount = Box.byteCount(
            contentByteCount: 8 * (1 + dataKeyCount) + 16 * (writerCount + digestPageCount + itemPageCount)
        )
        blocksOffset = blockListByteCount + fenceByteCount + (digestPageCount + itemPageCount) * MatchPage.byteCount
        secretsOffset = blocksOffset + blockByteCounts.reduce(0, +)
        byteCount = secretsOffset + secretByteCounts.reduce(0, +)
    }

    /// The numbers of the secrets in each piece, given the size of each secret.
    private static func pieces(_ secretByteCounts: some Collection<Int>) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var start = 0
        var byteCount = 0
        var index = 0
        for secretByteCount in secretByteCounts {
            if index > start, byteCount + secretByteCount > BlockList.pieceByteCount {
                pieces.append(start..<index)
                (start, byteCount) = (index, 0)
            }
            byteCount += secretByteCount
            index += 1
        }
        if start < secretByteCounts.count { pieces.append(start..<secretByteCounts.count) }
        return pieces
    }
}
