internal import VaultFormat

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
    package func writeHistorySettings() throws(StoreError) {
        guard readOnlyReason == nil, try read({ vault in vault.lacksHistorySettings }) else { return }
        try transaction { (transaction) throws(StoreError) in
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
