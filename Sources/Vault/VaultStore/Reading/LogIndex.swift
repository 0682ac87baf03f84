internal import VaultFormat

/// The contents of the runs and frames after a snapshot, in memory: their records, and what became of each item.
///
/// Records that this version cannot interpret stay in the file, see ``UnreadRecords``.
struct LogIndex: Sendable {
    /// A record, and when it was written.
    ///
    /// A hostile log consists of the smallest possible records, so an entry is small, and only puts have a match.
    struct Entry: Sendable {
        let sequence: UInt64
        let time: Time
        let record: Record
        /// Whether the record counts: one that is not valid is reported and ignored.
        fileprivate(set) var standing = Standing.valid
        /// The number of its run; nil if it is in a frame.
        fileprivate let run: UInt32?
        /// Its number in its run or frame.
        fileprivate let number: UInt32
        /// The number of its match data, if the record is a put whose match box is open.
        fileprivate var match: UInt32?
        /// The number of the revision that it ended.
        fileprivate var ended: UInt32?
    }

    /// Whether a record counts.
    enum Standing: Equatable, Sendable {
        case valid
        /// The record cannot be judged without keys that are not available.
        case sealed
        /// The record breaks a rule.
        case invalid(Fault.Reason)
    }

    /// What the log says about an item.
    struct ItemState: Equatable, Sendable {
        /// The live revisions, without order.
        fileprivate(set) var live: LiveRevisions
        /// The number of live revisions that the snapshot has.
        fileprivate let countInSnapshot: Int32

        /// The current revision, or nil if the item was deleted.
        var current: LiveRevision? { live.current }
        /// Whether the snapshot has the item.
        var isInSnapshot: Bool { countInSnapshot > 0 }
    }

    /// How many more live revisions there are than in the snapshot.
    private(set) var itemBalance = 0
    private(set) var entries: [Entry] = []
    /// The match data of puts, by which their items are found, in the order of the entries.
    private var matches: [ItemMatch] = []
    /// The runs that have been read.
    private var runs: [SectionID] = []
    /// The damaged runs, whose records are missing.
    private(set) var damagedRuns: [VerificationReport.Damage] = []
    private(set) var unread = UnreadRecords()
    /// Whether the limits apply to records that stay in the file; a salvage does without them.
    var limitsUnread = true
    /// The size of the records in memory.
    private var byteCount = 0
    /// How many entries there were when the index was last written.
    private var indexedCount = 0
    /// The record of the settings that count.
    private(set) var settings: SettingsRecord?
    /// When the oldest record that ended a revision was written.
    private(set) var oldestGarbageTime: Time?
    private(set) var items: [ItemName: ItemState] = [:]
    /// The revisions that entries ended, in the order of the entries.
    private var endedRevisions: [LiveRevision] = []
    /// The flags that at least one item of a group has, or had.
    private(set) var flags: [GroupID: MatchFlags] = [:]
    private var byPrimaryKey = NameIndex<PrimaryKeyDigest>()
    /// Built for the first query by the leading attribute.
    private var byLeading: NameIndex<UInt64>?

    // MARK: - Looking up

    /// Returns the put in entry `number`, and its match data.
    func put(_ number: Int) -> (put: Put, match: ItemMatch)? {
        guard case .put(let put) = entries[number].record, let match = match(ofEntry: number) else { return nil }
        return (put, match)
    }

    /// Returns the match data of entry `number`, if that is a put whose match box is open.
    func match(ofEntry number: Int) -> ItemMatch? { entries[number].match.map { matches[Int($0)] } }

    /// Returns where the record of entry `number` is.
    func place(ofEntry number: Int) -> RecordPlace {
        let entry = entries[number]
        guard let run = entry.run else { return .frame(sequence: entry.sequence, record: Int(entry.number)) }
        return .run(section: runs[Int(run)], record: Int(entry.number))
    }

    /// When the last record was written.
    var lastTime: Time? {
        guard let last = unread.last, last.sequence > entries.last?.sequence ?? 0 else { return entries.last?.time }
        return last.time
    }

    /// The number of the transaction of the last record, or 0.
    var lastSequence: UInt64 { max(unread.last?.sequence ?? 0, entries.last?.sequence ?? 0) }

    /// Returns the number of entries up to the transaction `sequence`.
    func count(upTo sequence: UInt64) -> Int { (entries.lastIndex { $0.sequence <= sequence } ?? -1) + 1 }

    /// Returns the revision that entry `number` ended.
    func ended(byEntry number: Int) -> LiveRevision? { entries[number].ended.map { endedRevisions[Int($0)] } }

    /// Returns the existing items that have this primary key.
    func items(withPrimaryKey digest: PrimaryKeyDigest) -> [ItemName] { byPrimaryKey[digest] }

    /// Returns the existing items that match a pattern.
    mutating func items(matching pattern: MatchPattern) -> [ItemName] {
        let names = if let leading = pattern.leading { items(withLeading: leading) } else { Array(items.keys) }
        return names.filter { name in match(of: name).map { pattern.matches($0.itemClass, $0.digests) } ?? false }
    }

    private mutating func items(withLeading digest: UInt64) -> [ItemName] {
        if let byLeading { return byLeading[digest] }
        var index = NameIndex<UInt64>()
        for (name, state) in items {
            if let match = match(of: state) { index.insert(name, for: match.digests.primaryKey.leading) }
        }
        byLeading = index
        return index[digest]
    }

    /// Returns the match data of an item, from the put that counts.
    func match(of name: ItemName) -> ItemMatch? { match(of: items[name]) }

    private func match(of state: ItemState?) -> ItemMatch? {
        state?.current?.put.flatMap { match(ofEntry: $0) }
    }

    /// Whether at least `count` entries have been added since the index was written.
    func hasGrown(by count: Int) -> Bool { entries.count >= indexedCount + count }

    // MARK: - Changing

    /// Starts adding the records of another run.
    mutating func beginRun(_ section: SectionID) { runs.append(section) }

    /// Notes a damaged run, whose records are missing.
    mutating func note(_ damage: VerificationReport.Damage) { damagedRuns.append(damage) }

    /// Notes the settings of a record, which count unless others do.
    mutating func note(_ record: SettingsRecord) {
        if record.counts(before: settings) { settings = record }
    }

    /// Notes that the entries up to the transaction `sequence` are in the index.
    mutating func noteIndex(upTo sequence: UInt64) { indexedCount = count(upTo: sequence) }

    /// Adds a record of a frame, or of the run that was started last; its standing is determined later.
    mutating func append(
        _ record: Record,
        at place: RecordPlace,
        sequence: UInt64,
        time: Time
    ) throws(Fault) {
        guard !unread.note(record, at: place, sequence: sequence, time: time) else { return try checkLimits() }
        byteCount += record.byteCount
        let (run, number): (UInt32?, Int) =
            switch place {
            case .run(_, let number): (UInt32(runs.count - 1), number)
            case .frame(_, let number): (nil, number)
            case .section: preconditionFailure("a group section has no records")
            }
        entries.append(
            Entry(sequence: sequence, time: time, record: record, run: run, number: UInt32(number))
        )
        try checkLimits()
    }

    /// Returns the log with these records of frames, whose numbers in their frames are unknown.
    func appending(_ entries: [Run.Entry]) throws(Fault) -> LogIndex {
        var log = self
        for entry in entries {
            let place = RecordPlace.frame(sequence: entry.sequence, record: 0)
            try log.append(entry.record, at: place, sequence: entry.sequence, time: entry.time)
        }
        return log
    }

    /// Throws if runs and frames exceed the limits of section 14, so that the memory they take is bounded.
    private func checkLimits() throws(Fault) {
        let unread = limitsUnread ? unread : UnreadRecords()
        try Limit.unreadRecords.check(unread.count, atMost: Limits.unreadRecordCount)
        try Limit.logRecords.check(entries.count + unread.count, atMost: Limits.logRecordCount)
        try Limit.logBytes.check(byteCount + unread.byteCount, atMost: Limits.logByteCount)
    }

    /// Sets the standing of the record with this number.
    mutating func setStanding(_ standing: Standing, of number: Int) {
        entries[number].standing = standing
    }

    /// Notes the match data of a put.
    mutating func setMatch(_ match: ItemMatch, of number: Int) {
        matches.append(match)
        entries[number].match = UInt32(matches.count - 1)
    }

    /// Lets a record change the live revisions of an item, which are in the snapshot if the log says nothing about it.
    ///
    /// - Returns: What the log said about the item before.
    @discardableResult
    mutating func count(
        _ number: Int,
        about name: ItemName,
        adding added: LiveRevision?,
        ending ended: LiveRevision?,
        live: LiveRevisions
    ) -> ItemState? {
        let former = items[name]
        var state = former ?? ItemState(live: live, countInSnapshot: Int32(live.count))
        if let ended {
            state.live.remove(ended)
            endedRevisions.append(ended)
            entries[number].ended = UInt32(endedRevisions.count - 1)
            // The revision stays in the file until a compaction.
            oldestGarbageTime = min(oldestGarbageTime ?? entries[number].time, entries[number].time)
        }
        if let added { state.live.insert(added) }
        items[name] = state
        noteChange(of: name, from: former, to: state)
        return former
    }

    /// A point to which the log can be rolled back.
    struct Mark: Sendable {
        let entryCount: Int
        let unread: UnreadRecords
        fileprivate let settings: SettingsRecord?
        fileprivate let oldestGarbageTime: Time?
    }

    /// The current point.
    var mark: Mark {
        Mark(entryCount: entries.count, unread: unread, settings: settings, oldestGarbageTime: oldestGarbageTime)
    }

    /// Removes everything that was added since `mark`, and restores `states`, the states that items had then.
    mutating func rollBack(to mark: Mark, restoring states: some Sequence<(name: ItemName, state: ItemState?)> = []) {
        for (name, state) in states.reversed() { set(state, of: name) }
        let removed = entries[mark.entryCount...]
        byteCount -= removed.reduce(0) { $0 + $1.record.byteCount }
        if let match = removed.lazy.compactMap(\.match).first { matches.removeSubrange(Int(match)...) }
        if let ended = removed.lazy.compactMap(\.ended).first { endedRevisions.removeSubrange(Int(ended)...) }
        entries.removeSubrange(mark.entryCount...)
        (unread, settings, oldestGarbageTime) = (mark.unread, mark.settings, mark.oldestGarbageTime)
    }

    private mutating func set(_ state: ItemState?, of name: ItemName) {
        let former = items[name]
        items[name] = state
        noteChange(of: name, from: former, to: state)
    }

    private mutating func noteChange(of name: ItemName, from former: ItemState?, to state: ItemState?) {
        itemBalance += balance(state) - balance(former)
        if let old = match(of: former) { removeFromIndex(name, old.digests) }
        if let new = match(of: state) {
            addToIndex(name, new.digests)
            if !new.flags.isEmpty { flags[name.group, default: []].formUnion(new.flags) }
        }
    }

    /// Returns how many more live revisions an item has than in the snapshot.
    private func balance(_ state: ItemState?) -> Int { state.map { $0.live.count - Int($0.countInSnapshot) } ?? 0 }

    private mutating func addToIndex(_ name: ItemName, _ digests: MatchDigests) {
        byPrimaryKey.insert(name, for: digests.primaryKey)
        byLeading?.insert(name, for: digests.primaryKey.leading)
    }

    private mutating func removeFromIndex(_ name: ItemName, _ digests: MatchDigests) {
        byPrimaryKey.remove(name, for: digests.primaryKey)
        byLeading?.remove(name, for: digests.primaryKey.leading)
    }
}

extension Record {
    /// Whether it adds a key.
    var isKey: Bool { if case .key = self { true } else { false } }
}

/// Items by digest: mostly one for each digest, sometimes several.
struct NameIndex<Digest: Hashable & Sendable>: Sendable {
    private var firsts: [Digest: ItemName] = [:]
    /// Further items with the same digest.
    private var others: [Digest: Set<ItemName>] = [:]

    /// The items with this digest.
    subscript(digest: Digest) -> [ItemName] {
        guard let first = firsts[digest] else { return [] }
        guard !others.isEmpty, let rest = others[digest] else { return [first] }
        return [first] + rest
    }

    mutating func insert(_ name: ItemName, for digest: Digest) {
        if !Self.isFirst(name, &firsts[digest]) { others[digest, default: []].insert(name) }
    }

    /// Whether an item is the first with a digest; it becomes the first if none exists.
    private static func isFirst(_ name: ItemName, _ first: inout ItemName?) -> Bool {
        if first == nil { first = name }
        return first == name
    }

    mutating func remove(_ name: ItemName, for digest: Digest) {
        guard firsts[digest] == name else {
            others[digest]?.remove(name)
            if others[digest]?.isEmpty == true { others[digest] = nil }
            return
        }
        firsts[digest] = others[digest]?.popFirst()
        if others[digest]?.isEmpty == true { others[digest] = nil }
    }
}
