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

/// How much of the past a compaction keeps: section 8.7.
package enum HistoryPolicy: Equatable, Sendable {
    case none
    /// At most this many past revisions of each item, and none that ended more than this many days ago.
    case limited(revisions: Int, days: Int)

    /// What is written into the settings of vaults whose owner has not decided.
    package static let standard = (revisions: 10, days: 90)

    /// The past of a vault takes at most so many bytes, whatever the settings say.
    package static let maximumByteCount = 32 << 20

    private static let microsecondsPerDay: Int64 = 86_400_000_000

    /// The policy in the settings.
    init(_ settings: Settings?) {
        let revisions = settings?.historyRevisions
        let days = settings?.historyDays
        guard revisions != nil || days != nil else {
            self = .none
            return
        }
        self = .limited(revisions: revisions ?? .max, days: days ?? .max)
    }

    /// Splits past revisions of one item into those kept at `now` and those dropped.
    func parted<Entry: HistoryEntry>(_ entries: [Entry], now: Time) -> (kept: [Entry], dropped: [Entry]) {
        switch self {
        case .none: return ([], entries)
        case .limited(let revisions, let days):
            // By revision, so that copies that are merged keep the same ones.
            let newestFirst = entries.sorted { Revision.isGreater($0.number, than: $1.number) }
            var parts: (kept: [Entry], dropped: [Entry]) = ([], [])
            for entry in newestFirst {
                let isKept = parts.kept.count < revisions && Self.isYoung(entry.endTime, days: days, now: now)
                if isKept { parts.kept.append(entry) } else { parts.dropped.append(entry) }
            }
            return parts
        }
    }

    private static func isYoung(_ endTime: Time?, days: Int, now: Time) -> Bool {
        guard let endTime else { return false }
        let (age, overflow) = now.microseconds.subtractingReportingOverflow(endTime.microseconds)
        return overflow || age / microsecondsPerDay < days
    }
}

/// A past revision, of which the policy for history keeps some.
protocol HistoryEntry {
    /// The number and the salt of the revision.
    var number: (number: UInt64, salt: UInt64) { get }
    /// When the revision ended.
    var endTime: Time? { get }
}

extension Run.Entry: HistoryEntry {
    // The records of history are puts.
    var number: (number: UInt64, salt: UInt64) {
        if case .put(let put) = record { (put.revision.number, put.revision.salt) } else { (0, 0) }
    }

    var endTime: Time? { ended?.time }
}

extension PastRevision: HistoryEntry {
    var number: (number: UInt64, salt: UInt64) { (revision.number, revision.salt) }
    var endTime: Time? { ended?.time }
}

extension VaultStore {
    /// Writes the standard for what is kept of the past, unless the settings say something else or this reader may not.
    package func writeHistorySettings() throws {
        guard readOnlyReason == nil, try read({ vault in vault.lacksHistorySettings }) else { return }
        try transaction { transaction in
            guard transaction.vault.lacksHistorySettings else { return }
            var settings = transaction.vault.settings ?? Settings()
            (settings.historyRevisions, settings.historyDays) = HistoryPolicy.standard
            try transaction.change(settings)
        }
    }
}

extension OpenGeneration {
    /// Whether the settings do not say yet what is kept of the past; that keeps nothing.
    var isHistoryUndecided: Bool { settings?.historyRevisions == nil && settings?.historyDays == nil }

    /// Whether the owner has the vault open, and has to decide.
    fileprivate var lacksHistorySettings: Bool {
        isHistoryUndecided && keyring.isOwner
            && (try? keyring.teamSecret(in: prelude.keybag)) != nil
    }
}
