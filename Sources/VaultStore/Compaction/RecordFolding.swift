internal import VaultFormat

/// Decides which records of a group a compaction folds into its section, and which it carries unchanged.
///
/// A record that cannot be judged, or that would supersede an item that cannot be read, is carried with all later
/// records of the same item: if those were folded in before it, readers who can judge it would see the item come back
/// or disappear.
struct RecordFolding {
    /// What becomes of an item of the section.
    enum Outcome: Equatable {
        /// The item is now this put of the log.
        case put(Int)
        case deleted
    }

    /// A revision that was superseded or deleted, and the log entry that did it.
    struct Ended {
        var item: ItemID
        /// The put of the log, or nil for the item of the section.
        var put: Int?
        var by: Int
    }

    private(set) var outcomes: [ItemID: Outcome] = [:]
    private(set) var carried: [Int] = []
    private(set) var ended: [Ended] = []
    private var frozen: Set<ItemID> = []

    /// Judges the log entries with these numbers, in order.
    ///
    /// `isReadable` returns whether a data key is available, and `section` whether the section's item is readable, or
    /// nil if the section has no such item. Keeping an ended revision takes a key, so with `keepsHistory` more is
    /// carried; with `dropsInvalid`, invalid records are not carried.
    init(
        _ numbers: [Int],
        of log: LogIndex,
        keepsHistory: Bool,
        dropsInvalid: Bool,
        isReadable: (KeyHandle) -> Bool,
        section: (ItemID) throws(StoreError) -> Bool?
    ) throws(StoreError) {
        for number in numbers {
            let entry = log.entries[number]
            guard let item = entry.record.item else { continue }
            switch entry.standing {
            // It changed nothing, and never will.
            case .invalid(.outOfOrder): continue
            case .invalid where dropsInvalid: continue
            case .invalid, .sealed: freeze(item, number)
            case .valid:
                guard !frozen.contains(item) else {
                    carried.append(number)
                    continue
                }
                try fold(number, item, entry.record, keepsHistory, isReadable, section)
            }
        }
    }

    private mutating func freeze(_ item: ItemID, _ number: Int) {
        frozen.insert(item)
        carried.append(number)
    }

    private mutating func fold(
        _ number: Int,
        _ item: ItemID,
        _ record: Record,
        _ keepsHistory: Bool,
        _ isReadable: (KeyHandle) -> Bool,
        _ section: (ItemID) throws(StoreError) -> Bool?
    ) throws(StoreError) {
        let before = outcomes[item]
        // The section's item, as long as no log entry before this one has replaced it.
        let isSectionReadable = before == nil ? try section(item) : nil
        switch record {
        case .put(let put):
            guard isReadable(put.dataKey), isSectionReadable ?? true else { return freeze(item, number) }
            note(before, isSectionReadable != nil, item, endedBy: number)
            outcomes[item] = .put(number)
        case .delete:
            guard isSectionReadable ?? true || !keepsHistory else { return freeze(item, number) }
            note(before, isSectionReadable != nil, item, endedBy: number)
            outcomes[item] = .deleted
        case .key, .settings, .unknown, .malformed: break
        }
    }

    private mutating func note(_ before: Outcome?, _ isInSection: Bool, _ item: ItemID, endedBy number: Int) {
        switch before {
        case .put(let put): ended.append(Ended(item: item, put: put, by: number))
        case .deleted: break
        case nil: if isInSection { ended.append(Ended(item: item, put: nil, by: number)) }
        }
    }
}

extension Record {
    /// The item that a put or delete is about.
    var item: ItemID? {
        switch self {
        case .put(let put): put.revision.item
        case .delete(let delete): delete.revision.item
        case .key, .settings, .unknown, .malformed: nil
        }
    }
}
