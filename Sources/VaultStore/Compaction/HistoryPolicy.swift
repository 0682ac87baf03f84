internal import VaultFormat

/// How much of the past a compaction keeps: section 8.7.
enum HistoryPolicy: Equatable, Sendable {
    case none
    case all
    /// At most this many past revisions of each item, and none that ended more than this many days ago.
    case limited(revisions: Int, days: Int)

    private static let microsecondsPerDay: Int64 = 86_400_000_000

    /// The policy in the settings if they can be trusted, otherwise to keep everything.
    init(_ settings: Settings?, isTrusted: Bool) {
        guard isTrusted else {
            self = .all
            return
        }
        let revisions = settings?.historyRevisions
        let days = settings?.historyDays
        guard revisions != nil || days != nil else {
            self = .none
            return
        }
        self = .limited(revisions: revisions ?? .max, days: days ?? .max)
    }

    /// Splits `entries`, past revisions of one item, into those kept at `now` and those dropped.
    func parted(_ entries: [Run.Entry], now: Time) -> (kept: [Run.Entry], dropped: [Run.Entry]) {
        switch self {
        case .none: return ([], entries)
        case .all: return (entries, [])
        case .limited(let revisions, let days):
            let newestFirst = entries.sorted { ($0.sequence, $0.number) > ($1.sequence, $1.number) }
            var parts: (kept: [Run.Entry], dropped: [Run.Entry]) = ([], [])
            for entry in newestFirst {
                let isKept = parts.kept.count < revisions && Self.isYoung(entry, days: days, now: now)
                if isKept { parts.kept.append(entry) } else { parts.dropped.append(entry) }
            }
            return parts
        }
    }

    private static func isYoung(_ entry: Run.Entry, days: Int, now: Time) -> Bool {
        guard let ended = entry.ended else { return false }
        let (age, overflow) = now.microseconds.subtractingReportingOverflow(ended.time.microseconds)
        return overflow || age / microsecondsPerDay < days
    }
}

extension Run.Entry {
    /// The number of the revision, if the record is a put.
    fileprivate var number: UInt64 {
        if case .put(let put) = record { put.revision.number } else { 0 }
    }
}
