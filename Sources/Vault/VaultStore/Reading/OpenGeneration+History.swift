internal import CofferBasics
internal import VaultCrypto
package import VaultFormat

// The past, as far as it is still in the file: superseded and deleted revisions stay in the log until a compaction, and
// in the history of a snapshot as long as the settings say.
extension OpenGeneration {
    /// The point from which the history is complete; states before it may lack something.
    package var historySince: HistoryHorizon { opening.directory.historySince }

    /// Returns the states of an item, newest first; the first is the current one, unless the item was deleted.
    package mutating func revisions(of name: ItemName) throws -> [PastRevision] {
        try pastRevisions(of: name.group, only: name.item).sorted { $0.isNewer(than: $1) }
    }

    /// Returns what a group held at a point in the past.
    package mutating func items(in group: GroupID, at point: PastPoint) throws -> PastState {
        // Of several that another copy of the vault had at the same time, the greatest counts, as among live ones.
        var current: [ItemID: PastRevision] = [:]
        for revision in try pastRevisions(of: group, only: nil) {
            if let ended = revision.ended, point.includes(ended) { continue }
            guard point.includes(revision.written) else { continue }
            if let known = current[revision.name.item], revision.revision.precedes(known.revision) { continue }
            current[revision.name.item] = revision
        }
        let horizon = PastRevision.Moment(sequence: historySince.sequence, time: historySince.time)
        return PastState(
            items: current.values.sorted { ($0.order, $0.name.item) < ($1.order, $1.name.item) },
            isComplete: historySince == .beginning || point.includes(horizon)
        )
    }

    /// Returns the last states of the items that are gone from a group, of all classes or of one, oldest first.
    package mutating func goneItems(
        of group: GroupID,
        itemClass: ItemClass? = nil
    ) throws -> [PastRevision] {
        var last: [ItemID: PastRevision] = [:]
        for revision in try pastRevisions(of: group, only: nil, itemClass: itemClass) {
            guard itemClass ?? revision.itemClass == revision.itemClass else { continue }
            if let known = last[revision.name.item], known.isNewer(than: revision) { continue }
            last[revision.name.item] = revision
        }
        return last.values.filter { $0.ended != nil }.sorted { ($0.order, $0.name.item) < ($1.order, $1.name.item) }
    }

    /// Returns the attributes of a revision.
    package mutating func attributes(of past: PastRevision) throws -> ItemAttributes {
        switch try placed(past).content {
        case .snapshot(let item): return try attributes(of: item)
        case .put(let put, let match):
            guard let keys = try dataKeys(of: put.dataKey), let matchKeys = try matchKeys(of: past.group) else {
                throw StoreError.locked(past.name)
            }
            return try past.name.opening {
                let metadata = try put.openedMetadata(keys: keys)
                return try metadata.attributes(matching: match, keys: matchKeys)
            }
        }
    }

    /// Returns the data of a revision, or nil if it had none.
    package mutating func secret(of past: PastRevision) throws -> Secret? {
        switch try placed(past).content {
        case .snapshot(let item): return try secret(of: item)
        case .put(let put, _):
            guard !put.secret.isEmpty else { return nil }
            guard let keys = try dataKeys(of: put.dataKey) else { throw StoreError.locked(past.name) }
            return try past.name.opening { try Secret(opening: put.secret.span, of: put.revision, keys: keys) }
        }
    }

    /// Returns the revision at its current place; the file may have been replaced since it was found.
    private mutating func placed(_ past: PastRevision) throws -> PastRevision {
        guard case .snapshot(let item) = past.content, !isInPlace(item) else { return past }
        guard let found = try revisions(of: past.name).first(where: { $0.revision == past.revision }) else {
            throw StoreError.noSuchItem(past.name)
        }
        return found
    }

    // MARK: - Collecting

    /// Returns the revisions of a group that no change has ended, of all devices: of an item that was changed in several
    /// copies more than one.
    package mutating func liveRevisions(in group: GroupID) throws -> [PastRevision] {
        try revisionsOfAllDevices(in: group).filter { $0.ended == nil }
    }

    /// Returns everything known about the items of a group, of all devices, as ``pastRevisions(of:only:)``.
    mutating func revisionsOfAllDevices(in group: GroupID) throws -> [PastRevision] {
        var inSnapshot: [PastRevision] = []
        for epoch in groups(with: group) {
            guard let number = try sectionNumber(of: epoch) else { continue }
            let entries = try withSection(number: number) { section in
                try section.allEntries()
            }
            inSnapshot.reserveCapacity(inSnapshot.count + entries.count)
            for entry in entries {
                guard let item = try itemOfAnyDevice(entry, ofSection: number) else { continue }
                inSnapshot.append(PastRevision(item))
            }
        }
        return try pastRevisions(of: group, only: nil, inSnapshot: inSnapshot) { _ in true }
    }

    /// Returns everything known about the items of a group that are present here.
    package mutating func knownRevisions(in group: GroupID) throws -> [PastRevision] {
        try pastRevisions(of: group, only: nil)
    }

    /// Returns everything known about the items of a group, or about one of them, in the order in which it was written.
    ///
    /// Of the revisions in the snapshot, only those of `itemClass` are returned, if it is not nil.
    private mutating func pastRevisions(
        of group: GroupID,
        only wanted: ItemID?,
        itemClass: ItemClass? = nil
    ) throws -> [PastRevision] {
        let keyring = keyring
        let inSnapshot = try snapshotRevisions(of: group, only: wanted, itemClass)
        return try pastRevisions(of: group, only: wanted, inSnapshot: inSnapshot) {
            keyring.presence(of: $0) != .otherDevice
        }
    }

    /// Returns everything known about items; `isShown` says whether the items of a data key matter.
    private mutating func pastRevisions(
        of group: GroupID,
        only wanted: ItemID?,
        inSnapshot: [PastRevision],
        isShown: (KeyHandle) -> Bool
    ) throws -> [PastRevision] {
        try completeLog()
        var found = try history(of: group, only: wanted, isShown: isShown)
        // The revisions that were live before the log entry being examined, by item and salt.
        var live: [ItemID: [UInt64: PastRevision]] = [:]
        for revision in inSnapshot {
            live[revision.name.item, default: [:]][revision.revision.salt] = revision
        }
        for (number, entry) in wholeLog.entries.enumerated() where entry.standing == .valid {
            guard let item = entry.record.item, wanted ?? item == item else { continue }
            let moment = PastRevision.Moment(sequence: entry.sequence, time: entry.time)
            switch entry.record {
            case .put(let put):
                guard let match = wholeLog.match(ofEntry: number), let key = keyring.dataKeyEntries[put.dataKey],
                    key.group.group == group, isShown(put.dataKey)
                else { continue }
                let revision = PastRevision(put, match, in: key.group, sequence: entry.sequence)
                guard !put.provenance.isPast else {
                    found.append(revision.ending(at: moment))
                    continue
                }
                live[item, default: [:]][put.revision.salt] = revision
            case .delete(let delete) where delete.group.group == group: break
            case .delete, .key, .settings, .seen, .unknown, .malformed: continue
            }
            guard let past = wholeLog.ended(byEntry: number) else { continue }
            if let before = live[item]?.removeValue(forKey: past.salt) { found.append(before.ending(at: moment)) }
        }
        return found + live.values.flatMap(\.values)
    }

    /// Returns the past revisions in the snapshot.
    private mutating func history(
        of group: GroupID,
        only wanted: ItemID?,
        isShown: (KeyHandle) -> Bool
    ) throws -> [PastRevision] {
        var found: [PastRevision] = []
        for epoch in groups(with: group) {
            guard let number = try sectionNumber(of: epoch) else { continue }
            for entry in try withSection(number: number, { try $0.pastEntries(of: wanted) }) {
                guard let ended = entry.ended, let item = try itemOfAnyDevice(entry, ofSection: number),
                    isShown(item.dataKey)
                else { continue }
                found.append(
                    PastRevision(item).ending(at: PastRevision.Moment(sequence: ended.sequence, time: ended.time))
                )
            }
        }
        return found
    }

    /// Returns the live revisions in the snapshot, whatever the log says.
    private mutating func snapshotRevisions(
        of group: GroupID,
        only wanted: ItemID?,
        _ itemClass: ItemClass?
    ) throws -> [PastRevision] {
        var found: [PastRevision] = []
        for epoch in groups(with: group) {
            let items: [StoredItem]
            if let wanted {
                guard let number = try sectionNumber(of: epoch) else { continue }
                var some: [StoredItem] = []
                for entry in try entries(withID: wanted, in: epoch) {
                    if let item = try item(entry, ofSection: number) { some.append(item) }
                }
                items = some
            } else {
                items = try sectionItems(of: epoch)
            }
            for item in items where itemClass ?? item.itemClass == item.itemClass {
                found.append(PastRevision(item))
            }
        }
        return found
    }
}

extension PastRevision {
    /// A revision that the transaction `sequence` wrote into this copy of the vault.
    fileprivate init(_ put: Put, _ match: ItemMatch, in group: GroupEpoch, sequence: UInt64) {
        name = ItemName(group: group.group, item: put.revision.item)
        self.group = group
        revision = put.revision
        itemClass = match.itemClass
        order = match.order
        dataKey = put.dataKey
        written = Moment(sequence: sequence, time: match.written)
        ended = nil
        content = .put(put, match)
    }

    fileprivate init(_ item: StoredItem) {
        name = item.name
        group = item.group
        revision = item.revision
        itemClass = item.itemClass
        order = item.order
        dataKey = item.dataKey
        written = item.written
        ended = nil
        content = .snapshot(item)
    }

    fileprivate func ending(at moment: Moment) -> PastRevision {
        var past = self
        past.ended = moment
        return past
    }
}
