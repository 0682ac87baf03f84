internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// Decides which past revisions a compaction keeps, and tracks how far back the history is then complete.
struct HistoryRetention {
    private let policy: HistoryPolicy
    private let purge: CompactionRequest.Purge
    private let keptChange: UInt64?
    private let now: Time
    private(set) var horizon: HistoryHorizon
    private(set) var droppedCount = 0

    /// What ended in transaction `keptChange` is kept in any case.
    init(of vault: OpenGeneration, purge: CompactionRequest.Purge, keptChange: UInt64? = nil) {
        self.purge = purge
        self.keptChange = keptChange
        policy = HistoryPolicy(vault.settings)
        now = Time(microseconds: vault.environment.time.wallMicroseconds())
        horizon = vault.opening.directory.historySince
    }

    /// Whether anything that ended since the last compaction may be kept.
    var keepsSome: Bool { keptChange != nil || policy != .none && purge != .everything }

    /// Adds the kept past revisions to runs; the horizon moves past the dropped ones.
    mutating func keep(_ entries: [GroupEpoch: [Run.Entry]], in runs: inout PlannedRuns) {
        var kept: [GroupEpoch: [[Run.Entry]]] = [:]
        for (group, entries) in entries {
            kept[group] = keptByPolicy(entries) { item in ItemName(group: group.group, item: item) }
        }
        let sizes = kept.mapValues { items in items.map { entries in entries.reduce(0) { $0 + $1.byteCount } } }
        let groupShare = Self.share(of: sizes.values.map { $0.reduce(0, +) }, in: HistoryPolicy.maximumByteCount)
        for group in kept.keys.sorted() {
            let itemShare = Self.share(of: sizes[group, default: []], in: groupShare)
            var stays: [Run.Entry] = []
            for entries in kept[group, default: []] { stays += cut(entries, to: itemShare) }
            runs.append(stays.sorted { $0.sequence < $1.sequence }, kind: .history, group: group)
        }
    }

    /// What each of several may take at most so that all fit, where those that need less leave the rest to the others.
    private static func share(of sizes: [Int], in byteCount: Int) -> Int {
        var rest = byteCount
        for (index, size) in sizes.sorted().enumerated() {
            let share = rest / (sizes.count - index)
            if size > share { return share }
            rest -= size
        }
        return byteCount
    }

    /// The newest of these past revisions of an item that fit into so many bytes.
    private mutating func cut(_ entries: [Run.Entry], to byteCount: Int) -> ArraySlice<Run.Entry> {
        var rest = byteCount
        let stays = entries.prefix { entry in
            if endedInKeptChange(entry) { return true }
            rest -= entry.byteCount
            return rest >= 0
        }
        for entry in entries[stays.endIndex...] { if let ended = entry.ended { drop(ended) } }
        return stays
    }

    /// The past revisions that the settings keep, of each item the newest first.
    private mutating func keptByPolicy(_ entries: [Run.Entry], _ name: (ItemID) -> ItemName) -> [[Run.Entry]] {
        var kept: [[Run.Entry]] = []
        for (item, all) in Dictionary(grouping: entries, by: { $0.record.item }) {
            let entries = all.filter { !endedInKeptChange($0) }
            let isPurged =
                switch purge {
                case .nothing: false
                case .everything: true
                case .items(let names): item.map { names.contains(name($0)) } ?? false
                }
            let parts = isPurged ? (kept: [], dropped: entries) : policy.parted(entries, now: now)
            kept.append(all.filter(endedInKeptChange) + parts.kept)
            for entry in parts.dropped { if let ended = entry.ended { drop(ended) } }
        }
        return kept
    }

    private func endedInKeptChange(_ entry: Run.Entry) -> Bool {
        keptChange != nil && entry.ended?.sequence == keptChange
    }

    /// Counts a dropped past revision, and moves the horizon past its end.
    mutating func drop(_ ended: Run.Ending) {
        droppedCount += 1
        guard ended.sequence > horizon.sequence else { return }
        horizon = HistoryHorizon(sequence: ended.sequence, time: ended.time)
    }

    /// Notes that part of the past could not be read, so that nothing before now is complete.
    mutating func dropUnknown(sequence: UInt64) {
        if sequence > 0 { drop(Run.Ending(sequence: sequence, time: now)) }
    }
}

/// The runs and the history of a snapshot being built.
struct PlannedRuns {
    private struct PlannedRun {
        let kind: Section.Kind
        let group: GroupEpoch
        var content = RunContent()
    }

    private var runs: [PlannedRun] = []

    /// Adds a record to the last run, or starts another run if kind or group differ, the run is full, or the record is
    /// older than the one before it.
    mutating func append(_ entry: Run.Entry, kind: Section.Kind, group: GroupEpoch) {
        let fits = runs.last.map { $0.kind == kind && $0.group == group && $0.content.hasRoom(for: entry) } ?? false
        if !fits { runs.append(PlannedRun(kind: kind, group: group)) }
        runs[runs.count - 1].content.append(entry)
    }

    mutating func append(_ entries: some Sequence<Run.Entry>, kind: Section.Kind, group: GroupEpoch) {
        for entry in entries { append(entry, kind: kind, group: group) }
    }

    /// Adds the runs to a snapshot, and releases each once it is sealed.
    consuming func write(to writer: inout GenerationWriter) {
        runs.reverse()
        while let run = runs.popLast() { writer.append(run.content, kind: run.kind, group: run.group) }
    }
}

extension Run.Entry {
    /// A log record as a run carries it.
    init(_ entry: LogIndex.Entry, ended: Run.Ending? = nil) {
        self.init(sequence: entry.sequence, time: entry.time, ended: ended, record: entry.record)
    }
}
