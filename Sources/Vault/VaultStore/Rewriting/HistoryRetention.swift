internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// Decides which past revisions a compaction keeps, and tracks how far back the history is then complete.
struct HistoryRetention {
    private let policy: HistoryPolicy
    private let purge: CompactionRequest.Purge
    private let keptChange: UInt64?
    private let now: Time
    /// The last transaction; whoever has the match key can write that a revision ended later.
    private let lastSequence: UInt64
    private(set) var horizon: HistoryHorizon
    private(set) var droppedCount = 0

    /// What ended in transaction `keptChange` is kept in any case.
    init(of vault: OpenGeneration, purge: CompactionRequest.Purge, keptChange: UInt64? = nil) {
        self.purge = purge
        self.keptChange = keptChange
        policy = HistoryPolicy(vault.settings)
        now = Time(microseconds: vault.environment.time.wallMicroseconds())
        lastSequence = vault.frames.end.sequence
        horizon = vault.opening.directory.historySince
    }

    /// Decides which past revisions of a section are kept by the settings.
    mutating func choose(_ plan: inout SectionPlan) {
        var rest = plan.past.sorted { $0.revision.item < $1.revision.item }[...]
        plan.past = []
        while let item = rest.first?.revision.item {
            let all = rest.prefix { $0.revision.item == item }
            rest = rest.dropFirst(all.count)
            let kept = kept(Array(all), of: ItemName(group: plan.group.group, item: item))
            if !kept.isEmpty { plan.kept.append(kept) }
        }
    }

    /// Cuts the past of all sections so that it fits; the horizon moves past what is dropped.
    mutating func share(_ plans: inout [SectionPlan]) {
        let sizes = plans.map { plan in plan.kept.map { item in item.reduce(0) { $0 + $1.byteCount } } }
        let groupShare = Self.share(of: sizes.map { $0.reduce(0, +) }, in: HistoryPolicy.maximumByteCount)
        for index in plans.indices {
            let itemShare = Self.share(of: sizes[index], in: groupShare)
            plans[index].kept = plans[index].kept.map { cut($0, to: itemShare) }
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
    private mutating func cut(_ revisions: [PastCandidate], to byteCount: Int) -> [PastCandidate] {
        var (stays, rest) = ([PastCandidate](), byteCount)
        for revision in revisions {
            let isKept = endedInKeptChange(revision)
            if !isKept { rest -= revision.byteCount }
            if isKept || rest >= 0 { stays.append(revision) } else { drop(revision.ended) }
        }
        return stays
    }

    /// The past revisions of an item that the settings keep, the newest first.
    private mutating func kept(_ all: [PastCandidate], of name: ItemName) -> [PastCandidate] {
        let all = Self.distinct(all)
        let others = all.filter { !endedInKeptChange($0) }
        let isPurged =
            switch purge {
            case .nothing: false
            case .everything: true
            case .items(let names): names.contains(name)
            }
        let parts = isPurged ? (kept: [], dropped: others) : policy.parted(others, now: now)
        for revision in parts.dropped { drop(revision.ended) }
        return (all.filter(endedInKeptChange) + parts.kept).sorted { $1.revision.precedes($0.revision) }
    }

    /// Of each revision the end that was first: whoever has the match key can append a past put as often as they like.
    private static func distinct(_ revisions: [PastCandidate]) -> [PastCandidate] {
        guard revisions.count > 1 else { return revisions }
        var known: Set<Revision> = []
        return revisions.sorted { $0.ended.sequence < $1.ended.sequence }.filter { known.insert($0.revision).inserted }
    }

    private func endedInKeptChange(_ revision: PastCandidate) -> Bool {
        keptChange != nil && revision.ended.sequence == keptChange
    }

    /// Counts a dropped past revision, and moves the horizon past its end.
    mutating func drop(_ ended: Run.Ending) {
        drop(sequence: min(ended.sequence, lastSequence), time: ended.time)
    }

    /// Notes that part of the past could not be read, so that nothing before now is complete.
    mutating func dropUnknown(sequence: UInt64) {
        if sequence > 0 { drop(sequence: sequence, time: now) }
    }

    private mutating func drop(sequence: UInt64, time: Time) {
        droppedCount += 1
        if sequence > horizon.sequence { horizon = HistoryHorizon(sequence: sequence, time: time) }
    }
}

/// How much of the past a compaction keeps: section 10.1.
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

extension PastCandidate: HistoryEntry {
    var number: (number: UInt64, salt: UInt64) { (revision.number, revision.salt) }
    var endTime: Time? { ended.time }
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
