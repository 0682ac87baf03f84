internal import VaultFormat

/// Decides which records of a group a compaction folds into its sections, and which it carries unchanged.
///
/// A record may end a revision of another epoch of the group, so all epochs are judged together.
struct RecordFolding {
    /// A revision that is past, and the log entry that ended it.
    struct Ended {
        enum Source {
            case put(Int)
            case section(ItemID, LiveRevision)
        }

        var source: Source
        var by: Int
    }

    /// The puts whose revisions are live, for the sections.
    private(set) var puts: [Int] = []
    private(set) var carried: [Int] = []
    private(set) var ended: [Ended] = []
    private var endedPuts: Set<Int> = []
    /// The live revisions of each item that the section keeps, if the log has changed any.
    private var kept: [ItemID: LiveRevisions] = [:]
    private var frozen: Set<ItemID> = []

    /// Judges the log entries with these numbers, in order; `isReadable` returns whether a revision's data key is
    /// available.
    ///
    /// Keeping an ended revision of the section takes its data key. With `keepsHistory`, the record that ended one that
    /// cannot be read is carried, with all later records of the same item. With `dropsInvalid`, invalid records are not
    /// carried.
    init(
        _ numbers: [Int],
        of log: LogIndex,
        keepsHistory: Bool,
        dropsInvalid: Bool,
        inSection: (ItemID) throws -> LiveRevisions,
        isReadable: (ItemID, LiveRevision) throws -> Bool
    ) throws {
        for number in numbers {
            let entry = log.entries[number]
            switch entry.standing {
            // They changed nothing, and never will.
            case .invalid(.outOfOrder), .invalid(.duplicate): continue
            case .invalid where dropsInvalid: continue
            case .invalid, .sealed: carried.append(number)
            case .valid:
                guard let item = entry.record.item else { continue }
                guard !frozen.contains(item) else {
                    carried.append(number)
                    continue
                }
                if let past = log.ended(byEntry: number) {
                    if past.put == nil, keepsHistory, try !isReadable(item, past) {
                        frozen.insert(item)
                        carried.append(number)
                        continue
                    }
                    try end(past, of: item, by: number, inSection)
                }
                guard case .put(let put) = entry.record else { continue }
                if put.provenance.isPast {
                    ended.append(Ended(source: .put(number), by: number))
                } else {
                    puts.append(number)
                }
            }
        }
        puts.removeAll(where: endedPuts.contains)
    }

    private mutating func end(
        _ past: LiveRevision,
        of item: ItemID,
        by number: Int,
        _ inSection: (ItemID) throws -> LiveRevisions
    ) throws {
        if let put = past.put {
            endedPuts.insert(put)
            ended.append(Ended(source: .put(put), by: number))
        } else {
            let live = if let known = kept[item] { known } else { try inSection(item) }
            kept[item] = live
            kept[item]?.remove(past)
            ended.append(Ended(source: .section(item, past), by: number))
        }
    }

    /// Whether an entry of the section stays.
    func keeps(_ revision: Revision, in group: GroupEpoch) -> Bool {
        kept[revision.item]?.all.contains { $0.isEntry(revision, of: group) } ?? true
    }
}

extension Record {
    /// The item that a put or delete is about.
    var item: ItemID? {
        switch self {
        case .put(let put): put.revision.item
        case .delete(let delete): delete.revision.item
        case .key, .settings, .seen, .unknown, .malformed: nil
        }
    }
}
