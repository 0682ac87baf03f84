internal import CofferBasics
internal import VaultCrypto

/// Section 7: what follows the last frame that verifies.
package enum TailVerdict: Equatable, Sendable {
    /// Nothing, or a reserve of zero bytes.
    case clean
    /// An interrupted append; the next writer cuts off these bytes, including any reserve.
    case torn(byteCount: Int)
    /// Bytes up to the end of the file that do not verify; they may hold changes that were acknowledged.
    case damaged(byteCount: Int)
    /// A genuine frame after the bad spot: an earlier one was changed, removed, duplicated or moved.
    case inconsistent(offset: Int, sequence: UInt64)
}

/// Finds the verdict on the bytes after the last frame that verifies.
struct TailExamination<Source: ByteSource> {
    /// Storage devices write this many bytes as a unit.
    private static var mediumUnit: Int { 512 }
    private static var chunkByteCount: Int { 1 << 18 }

    let source: Source
    /// The end of the last verified frame.
    let start: Int
    /// The sequence number expected there.
    let expected: UInt64
    let headKey: Key

    func verdict() throws(VaultFormatError) -> TailVerdict {
        let end = source.byteCount
        var lastNonZero: Int?
        for chunkStart in stride(from: start, to: end, by: Self.chunkByteCount) {
            // Chunks overlap by a head, so that each head lies entirely in one of them.
            let chunk = try source.read(chunkStart..<min(end, chunkStart + Self.chunkByteCount + FrameHead.byteCount))
            if let offset = chunk.span.lastNonZeroIndex { lastNonZero = chunkStart + offset }
            if let verdict = contradiction(in: chunk, at: chunkStart) { return verdict }
        }
        guard let lastNonZero else { return .clean }
        let frameEnd = try frameEnd(lastNonZero: lastNonZero)
        let byteCount = end - start
        if frameEnd > end { return .torn(byteCount: byteCount) }
        return try hasZeroUnit(before: frameEnd) ? .torn(byteCount: byteCount) : .damaged(byteCount: byteCount)
    }

    /// The verdict `inconsistent` if `chunk` has a genuine head that cannot come from an interrupted append.
    private func contradiction(in chunk: [UInt8], at chunkStart: Int) -> TailVerdict? {
        let offsets = stride(from: 0, to: min(chunk.count, Self.chunkByteCount), by: Padding.unit)
        for offset in offsets where FrameHead.hasMagic(chunk.span.extracting(offset...)) {
            let bytes = chunk.span.extracting(offset...)
            guard let head = FrameHead(genuine: bytes, key: headKey) else { continue }
            guard contradicts(head, at: chunkStart + offset) else { continue }
            return .inconsistent(offset: chunkStart + offset, sequence: head.sequence)
        }
        return nil
    }

    /// Whether a genuine head at `offset` cannot come from an interrupted append.
    private func contradicts(_ head: FrameHead, at offset: Int) -> Bool {
        head.sequence < expected
            || head.sequence == expected && offset > start
            || head.sequence > expected && head.syncedSequence >= expected
    }

    /// The end of the frame that was being written.
    private func frameEnd(lastNonZero: Int) throws(VaultFormatError) -> Int {
        if start + FrameHead.byteCount <= source.byteCount {
            let bytes = try source.read(start..<start + FrameHead.byteCount)
            if let head = FrameHead(genuine: bytes.span, key: headKey), head.isPlausible {
                return start + head.frameByteCount
            }
        }
        let nonZeroByteCount = Padding.roundedUp(lastNonZero + 1 - start, to: Padding.unit)
        return start + max(FrameHead.leastFrameByteCount, nonZeroByteCount)
    }

    /// Whether some unit of the medium is all zero in its part between the start and `end`.
    private func hasZeroUnit(before end: Int) throws(VaultFormatError) -> Bool {
        var unitStart = start
        while unitStart < end {
            let unitEnd = min(end, (unitStart / Self.mediumUnit + 1) * Self.mediumUnit)
            let unit = try source.read(unitStart..<unitEnd)
            if unit.span.isZero { return true }
            unitStart = unitEnd
        }
        return false
    }
}

extension TailVerdict: CustomStringConvertible {
    /// What follows the last valid change, and what to do about it.
    package var description: String {
        switch self {
        case .clean: "the vault ends cleanly after its last change"
        case .torn(let byteCount):
            """
            the last \(byteCount.grouped) bytes look like a change that was interrupted before it was saved; the next \
            change removes them
            """
        case .damaged(let byteCount):
            """
            the last \(byteCount.grouped) bytes are damaged and may contain saved changes; look for a backup before \
            you discard them, until then the vault is read-only
            """
        case .inconsistent(let offset, let sequence):
            """
            change \(sequence), at byte \(offset), does not follow the one before it: something was altered, removed \
            or repeated; restore the vault from a backup, or salvage what can be read into a new vault
            """
        }
    }
}
