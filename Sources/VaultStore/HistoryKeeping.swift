internal import VaultFiles
internal import VaultFormat

/// Which of the past a replacement keeps, and how far back it is whole then.
struct HistoryKeeping {
    private let policy: HistoryPolicy
    private let purge: CompactionRequest.Purge
    private let now: Time
    private(set) var horizon: HistoryHorizon
    private(set) var droppedCount = 0

    init(of vault: OpenGeneration, purge: CompactionRequest.Purge) {
        self.purge = purge
        policy = HistoryPolicy(vault.settings, isTrusted: vault.keyring.isOwner)
        now = Time(microseconds: vault.environment.time.wallMicroseconds())
        horizon = vault.opening.directory.historySince
    }

    /// Whether something of what ended since the last replacement may be kept.
    var keepsSome: Bool { policy != .none && purge != .everything }

    /// What of the past of a group is kept; the horizon moves behind what is not.
    mutating func kept(_ entries: [Run.Entry], of group: GroupEpoch) -> [Run.Entry] {
        var kept: [Run.Entry] = []
        for (item, entries) in Dictionary(grouping: entries, by: { $0.record.item }) {
            let isPurged =
                switch purge {
                case .nothing: false
                case .everything: true
                case .items(let names): item.map { names.contains(ItemName(group: group.group, item: $0)) } ?? false
                }
            let parts = isPurged ? (kept: [], dropped: entries) : policy.parted(entries, now: now)
            kept += parts.kept
            for entry in parts.dropped { if let ended = entry.ended { drop(ended) } }
        }
        return kept.sorted { $0.sequence < $1.sequence }
    }

    /// Counts a past revision that is dropped; the horizon moves behind its end.
    mutating func drop(_ ended: Run.Ending) {
        droppedCount += 1
        guard ended.sequence > horizon.sequence else { return }
        horizon = HistoryHorizon(sequence: ended.sequence, time: ended.time)
    }

    /// Notes that a part of the past could not be read, so that nothing before now is whole.
    mutating func dropUnknown(sequence: UInt64) {
        if sequence > 0 { drop(Run.Ending(sequence: sequence, time: now)) }
    }
}

/// Records that a snapshot carries as they are.
struct PlannedRecords {
    var kind: Section.Kind
    var group: GroupEpoch
    var run: Run

    /// Records in as many runs as it takes: the content of one is bounded.
    static func runs(_ entries: [Run.Entry], kind: Section.Kind, group: GroupEpoch) -> [PlannedRecords] {
        var runs: [PlannedRecords] = []
        var run = Run(entries: [])
        var byteCount = 0
        for entry in entries {
            if byteCount + entry.byteCount > Limits.runByteCount {
                runs.append(PlannedRecords(kind: kind, group: group, run: run))
                (run, byteCount) = (Run(entries: []), 0)
            }
            run.entries.append(entry)
            byteCount += entry.byteCount
        }
        if !run.entries.isEmpty { runs.append(PlannedRecords(kind: kind, group: group, run: run)) }
        return runs
    }
}

extension Run.Entry {
    /// What the entry takes in a run.
    fileprivate var byteCount: Int { 32 + record.byteCount }

    /// A record of the log, as a run carries it.
    init(_ entry: LogIndex.Entry, ended: Run.Ending? = nil) {
        self.init(sequence: entry.sequence, time: entry.time, ended: ended, record: entry.record)
    }
}
