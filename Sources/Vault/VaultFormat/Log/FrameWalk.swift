internal import CofferBasics

/// Finds the frames of a file by magic and length, without believing them: section 16.
struct FrameWalk<Source: ByteSource> {
    /// The greatest piece of the file in memory, without the head that may follow it.
    private static var pieceByteCount: Int { 1 << 18 }

    private let source: Source
    /// The sequence number of the next frame; nil if that is not known.
    private var expected: UInt64?
    /// The frames, what is between and behind them, and the reserve.
    private(set) var parts: [VaultPart] = []

    /// Prepares to find the frames that follow the transaction `sequence`.
    init(_ source: Source, after sequence: UInt64?) {
        self.source = source
        expected = sequence.map { $0 + 1 }
    }

    /// Adds the parts from `start` to the end of the file.
    mutating func walk(from start: Int) throws(VaultFormatError) {
        var end = start
        while let (offset, head) = try nextFrame(from: end) {
            let isMissing = expected.map { head.contradicts(gapAt: $0) } ?? false
            if offset > end { parts.append(VaultPart(.unknown, end..<offset, isDamaged: isMissing)) }
            let isMisplaced = offset == end && expected.map { $0 != head.sequence } ?? false
            end = offset + head.frameByteCount
            parts.append(VaultPart(.frame(sequence: head.sequence), offset..<end, isDamaged: isMisplaced))
            expected = head.sequence + 1
        }
        let reserveStart = try offsetOfReserve(from: end)
        if reserveStart > end { parts.append(VaultPart(.unknown, end..<reserveStart)) }
        if reserveStart < source.byteCount { parts.append(VaultPart(.reserve, reserveStart..<source.byteCount)) }
    }

    /// The first complete frame that begins at or behind `start`, at a multiple of 64 bytes from there.
    private func nextFrame(from start: Int) throws(VaultFormatError) -> (offset: Int, head: FrameHead)? {
        var pieceStart = start
        // Most frames follow the one before, so the first piece is a single head.
        var byteCount = Padding.unit
        while pieceStart + FrameHead.byteCount <= source.byteCount {
            let pieceEnd = min(source.byteCount, pieceStart + byteCount + FrameHead.byteCount)
            let piece = try source.read(pieceStart..<pieceEnd)
            for offset in stride(from: 0, to: min(byteCount, piece.count - FrameHead.byteCount + 1), by: Padding.unit) {
                let bytes = piece.span.extracting(offset...)
                guard FrameHead.hasMagic(bytes) else { continue }
                let head = FrameHead(unauthenticated: bytes)
                guard head.isPlausible, pieceStart + offset + head.frameByteCount <= source.byteCount else { continue }
                return (pieceStart + offset, head)
            }
            pieceStart += byteCount
            byteCount = min(2 * byteCount, Self.pieceByteCount)
        }
        return nil
    }

    /// The multiple of 64 bytes from `start` at which the zero bytes at the end of the file begin.
    private func offsetOfReserve(from start: Int) throws(VaultFormatError) -> Int {
        var end = source.byteCount
        while end > start {
            let pieceStart = max(start, end - Self.pieceByteCount)
            let piece = try source.read(pieceStart..<end)
            if let index = piece.span.lastNonZeroIndex {
                let byteCount = Padding.roundedUp(pieceStart + index + 1 - start, to: Padding.unit)
                return min(source.byteCount, start + byteCount)
            }
            end = pieceStart
        }
        return start
    }
}

extension FrameHead {
    /// Whether a frame `expected` that cannot be found before this one was changed or removed.
    ///
    /// Otherwise it may never have been written: section 7.
    fileprivate func contradicts(gapAt expected: UInt64) -> Bool {
        sequence <= expected || syncedSequence >= expected
    }
}
