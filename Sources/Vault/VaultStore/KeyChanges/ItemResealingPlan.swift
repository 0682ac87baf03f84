internal import VaultFormat

/// What becomes of the items in the log when keys change.
///
/// Nothing that is sealed under a key that goes can stay in the log, so each of these items is settled: its live
/// revisions go into the new sections, or, if only an absent device can read them, into a run.
struct ItemResealingPlan {
    /// What can be done with data that is sealed under a data key.
    enum Access: Equatable {
        case open
        /// It is carried unchanged.
        case closed
        /// It is left out.
        case gone
    }

    /// A revision that is past, and the log entry that ended it.
    struct Ended {
        enum Source {
            case put(Int)
            case section(ItemName, LiveRevision)
        }

        var source: Source
        var by: Int
    }

    /// The live puts that can be resealed.
    private(set) var puts: [GroupID: [Int]] = [:]
    /// The live puts that are carried, by the group whose keys they need.
    private(set) var carried: [GroupEpoch: [Int]] = [:]
    private(set) var ended: [Ended] = []
    /// Live revisions that are lost with their keys.
    private(set) var lostCount = 0
    /// Invalid records, which have no effect.
    private(set) var invalidCount = 0
    private let log: LogIndex

    init(of log: LogIndex, access: (KeyHandle) -> Access, group: (KeyHandle) -> GroupEpoch?) {
        self.log = log
        for (number, entry) in log.entries.enumerated() {
            switch entry.standing {
            case .valid: noteEnded(by: number, entry.record, group)
            case .sealed, .invalid(.outOfOrder), .invalid(.duplicate): break
            case .invalid: invalidCount += 1
            }
        }
        for number in log.items.values.flatMap({ $0.live.all.compactMap(\.put) }).sorted() {
            guard case .put(let put) = log.entries[number].record, let group = group(put.dataKey) else { continue }
            switch access(put.dataKey) {
            case .open: puts[group.group, default: []].append(number)
            case .closed: carried[group, default: []].append(number)
            case .gone: lostCount += 1
            }
        }
    }

    private mutating func noteEnded(by number: Int, _ record: Record, _ group: (KeyHandle) -> GroupEpoch?) {
        if case .put(let put) = record, put.provenance.isPast { ended.append(Ended(source: .put(number), by: number)) }
        guard let past = log.ended(byEntry: number), let name = record.name(group: group) else { return }
        let source = past.put.map { Ended.Source.put($0) } ?? .section(name, past)
        ended.append(Ended(source: source, by: number))
    }

    /// Whether an entry of a section stays live.
    func keeps(_ revision: Revision, of group: GroupEpoch) -> Bool {
        guard let state = log.items[ItemName(group: group.group, item: revision.item)] else { return true }
        return state.live.all.contains { $0.isEntry(revision, of: group) }
    }
}

extension Record {
    /// The item that a put or delete is about; `group` returns the group of a data key.
    fileprivate func name(group: (KeyHandle) -> GroupEpoch?) -> ItemName? {
        switch self {
        case .put(let put): group(put.dataKey).map { ItemName(group: $0.group, item: put.revision.item) }
        case .delete(let delete): ItemName(group: delete.group.group, item: delete.revision.item)
        case .key, .settings, .seen, .unknown, .malformed: nil
        }
    }
}
