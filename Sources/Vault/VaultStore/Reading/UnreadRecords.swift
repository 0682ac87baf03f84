internal import VaultFormat

/// Records that this version cannot interpret: of unknown kinds, or malformed.
///
/// They stay in the file, and a compaction reads them there again to carry them: in memory, a record of eight bytes
/// would take many times as much.
struct UnreadRecords: Sendable {
    private(set) var unknownCount = 0
    private(set) var malformedCount = 0
    private(set) var byteCount = 0
    /// The transaction that wrote the last of them, and when.
    private(set) var last: (sequence: UInt64, time: Time)?
    /// The size of the records in frames.
    private(set) var frameByteCount = 0
    /// The first malformed records.
    private(set) var failures: [RecordFailure] = []

    var count: Int { unknownCount + malformedCount }

    /// Notes a record if this version cannot interpret it, and returns whether that is so.
    mutating func note(
        _ record: Record,
        at place: RecordPlace,
        sequence: UInt64,
        time: Time
    ) -> Bool {
        switch record {
        case .put, .delete, .key, .settings, .seen: return false
        case .unknown: unknownCount += 1
        case .malformed(_, let error):
            malformedCount += 1
            if failures.count < VerificationReport.maximumListCount {
                failures.append(RecordFailure(place: place, fault: error.reason))
            }
        }
        last = (sequence, time)
        let byteCount = record.byteCount
        self.byteCount += byteCount
        if case .frame = place { frameByteCount += byteCount }
        return true
    }
}

extension OpenGeneration {
    /// Calls `body` with each record that was left in the file, those of runs first.
    func forEachUnreadRecord(
        in source: FileSource,
        _ body: (Run.Entry) -> Void
    ) throws {
        guard wholeLog.unread.count > 0 else { return }
        func pass(_ entry: Run.Entry) { if entry.record.isUnread { body(entry) } }
        do {
            for section in opening.directory.sections where section.kind == .run {
                do {
                    try opening.forEachEntry(ofRun: section, in: source, pass)
                } catch {
                    // A damaged run was also left out when the log was read.
                    let range = opening.fileRange(of: SectionPart(offset: 0, byteCount: section.byteCount), in: section)
                    guard log.damagedRuns.contains(where: { $0.range == range }) else { throw error }
                }
            }
            let source = SequentialSource(source)
            for start in frameRunStarts(in: source) {
                var reader = LogReader(at: start, in: source, keys: opening.keys)
                while reader.position.sequence < frames.end.sequence, let frame = try reader.next() {
                    for record in frame.records {
                        pass(Run.Entry(sequence: frame.sequence, time: frame.time, record: record))
                    }
                }
            }
        } catch {
            throw failure(error)
        }
    }
}

extension Record {
    fileprivate var isUnread: Bool {
        switch self {
        case .put, .delete, .key, .settings, .seen: false
        case .unknown, .malformed: true
        }
    }
}
