internal import VaultFormat

/// Which records of a group a compaction folds into its section, and which it carries as they are.
///
/// A record that cannot be judged, or that would supersede what cannot be read, is carried, with all later records of the
/// same item: folded in before it, they would come back to life, or die, for who can judge it.
struct RecordFolding {
    /// What becomes of an item of the section.
    enum Outcome: Equatable {
        /// This put of the log is the item now.
        case put(Int)
        case deleted
    }

    /// A revision that was superseded or deleted, and the entry of the log that did it.
    struct Ended {
        var item: ItemID
        /// The put of the log, or nil for what the section had.
        var put: Int?
        var by: Int
    }

    private(set) var outcomes: [ItemID: Outcome] = [:]
    private(set) var carried: [Int] = []
    private(set) var ended: [Ended] = []
    private var frozen: Set<ItemID> = []

    /// Judges the entries of the log with these numbers, in their order.
    ///
    /// `isReadable` says whether a data key is here, and `section` whether the item that the section has is readable: nil
    /// if it has none. To keep what ends takes a key, so where `keepsHistory` more is carried; where `dropsInvalid`, records
    /// that are invalid are not.
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
        // What the section has of the item, as long as nothing of the log stands before it.
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
    /// The item that a put or a delete is about.
    var item: ItemID? {
        switch self {
        case .put(let put): put.revision.item
        case .delete(let delete): delete.revision.item
        case .key, .settings, .unknown, .malformed: nil
        }
    }
}
