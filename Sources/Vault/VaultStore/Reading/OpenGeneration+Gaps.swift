internal import CofferBasics
internal import VaultFormat

/// Frames behind damaged ones, each of which follows the one before it.
struct FrameRun: Sendable {
    let start: LogPosition
    let end: LogPosition
    /// The number of its first record in the log.
    let firstEntry: Int
}

// Frames behind damaged ones, which only a salvage reads.
extension OpenGeneration {
    /// Adds the records of all frames behind the log that open, in runs that chain in themselves.
    ///
    /// A frame with a number that was read is a copy, and one with the next number but another chain value is of another
    /// history: both are left out.
    mutating func readFramesBehindGaps(_ source: some ByteSource) throws {
        var end = position
        // Heads that overlap could be made so that the same bytes are read over and over.
        var rereadableByteCount = 4 * source.byteCount
        while let head = try nextHead(behind: &end, in: source) {
            guard head.sequence > end.sequence + 1 || head.chain == end.chain else {
                end.offset += Padding.unit
                continue
            }
            let start = LogPosition(offset: end.offset, sequence: head.sequence - 1, chain: head.chain)
            let firstEntry = log.entries.count
            let runEnd = try addFrames(from: start, in: source)
            if runEnd == start {
                rereadableByteCount -= head.frameByteCount
                end.offset += rereadableByteCount > 0 ? Padding.unit : head.frameByteCount
            } else {
                frames.add(FrameRun(start: start, end: runEnd, firstEntry: firstEntry))
                end = runEnd
            }
        }
    }

    /// Returns the next genuine head with a number after that of `end`, whose offset moves to it.
    private func nextHead(behind end: inout LogPosition, in source: some ByteSource) throws -> FrameHead? {
        while end.offset + FrameHead.byteCount <= source.byteCount {
            let bytes = try source.bytes(in: end.offset..<end.offset + FrameHead.byteCount)
            if let head = FrameHead(genuine: bytes.span, key: opening.keys.head), head.isPlausible,
                head.sequence > end.sequence
            {
                return head
            }
            end.offset += Padding.unit
        }
        return nil
    }

    /// Whether a record of the log is behind a gap.
    func isBehindGap(_ number: Int) -> Bool {
        frames.runsBehindGaps.first.map { number >= $0.firstEntry } ?? false
    }

    /// How many puts behind gaps need a key that was lost with a damaged frame.
    var keylessPutCount: Int {
        guard let first = frames.runsBehindGaps.first?.firstEntry else { return 0 }
        return log.entries[first...].count { entry in
            guard case .put(let put) = entry.record else { return false }
            return keyring.dataKeyEntries[put.dataKey] == nil
        }
    }

    /// Where all frames that were read begin: those of the log, and those behind gaps.
    func frameRunStarts(in source: some ByteSource) -> [LogPosition] {
        [opening.log(in: source).position] + frames.runsBehindGaps.map(\.start)
    }

    /// Returns the numbers of the transactions that are known to have existed and could not be read.
    ///
    /// Transactions at the end are known from their heads, or from the anchor.
    func missingTransactions(_ source: FileSource) throws -> [ClosedRange<UInt64>] {
        var missing: [ClosedRange<UInt64>] = []
        var last = position.sequence
        for run in frames.runsBehindGaps {
            if run.start.sequence > last { missing.append(last + 1...run.start.sequence) }
            last = run.end.sequence
        }
        var greatest = last
        var end = frames.end
        let sequential = SequentialSource(source)
        while let head = try nextHead(behind: &end, in: sequential) {
            greatest = max(greatest, head.sequence)
            end.offset += Padding.unit
        }
        // An anchor is a file that anyone with the account can write.
        if let anchor = frames.anchor, anchor.generation == header.generation, anchor.sequence < Limits.sequence {
            greatest = max(greatest, anchor.sequence)
        }
        if greatest > last { missing.append(last + 1...greatest) }
        return missing
    }
}
