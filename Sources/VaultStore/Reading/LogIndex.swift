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
        /// The previous entry about the same item.
        fileprivate var previous: UInt32?
    }

    /// Whether a record counts.
    enum Standing: Equatable, Sendable {
        case valid
        /// The record cannot be judged without keys that are not available.
        case sealed
        /// The record breaks a rule.
        case invalid(Fault)
    }

    /// What the log says about an item.
    struct ItemState: Equatable, Sendable {
        /// The put that counts, or nil if the item was deleted.
        var put: Int?
        /// The last entry about the item.
        var last: Int
        /// Whether the snapshot has the item.
        let isInSnapshot: Bool
        /// Whether metadata and data of the put are known to be valid.
        var isVerified = false
    }

    /// How many more items there are than in the snapshot.
    private(set) var itemBalance = 0
    private(set) var entries: [Entry] = []
    /// The match data of puts, by which their items are found, in the order of the entries.
    private var matches: [ItemMatch] = []
    /// The runs that have been read.
    private var runs: [SectionID] = []
    private(set) var unread = UnreadRecords()
    /// Whether the limits apply to records that stay in the file; a salvage does without them.
    var limitsUnread = true
    /// The size of the records in memory.
    private var byteCount = 0
    private(set) var items: [ItemName: ItemState] = [:]
    /// The greatest revision of a put that is invalid only in its content; readers who cannot open it take it for
    /// valid.
    private(set) var invalidRevisions: [ItemName: UInt64] = [:]
    /// The flags that at least one item of a group has, or had.
    private(set) var flags: [GroupID: MatchFlags] = [:]
    private var byPrimaryKey = NameIndex<PrimaryKeyDigest>()
    /// Built for the first query by attribute.
    private var byAttribute: NameIndex<UInt64>?

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

    private func previous(_ number: Int) -> Int? { entries[number].previous.map(Int.init) }

    /// Returns the existing items that have this primary key.
    func items(withPrimaryKey digest: PrimaryKeyDigest) -> [ItemName] { byPrimaryKey[digest] }

    /// Returns the existing items that have this digest for an attribute of the primary key.
    mutating func items(withAttribute digest: UInt64) -> [ItemName] {
        if let byAttribute { return byAttribute[digest] }
        var index = NameIndex<UInt64>()
        for (name, state) in items {
            guard let match = match(of: state) else { continue }
            for digest in match.digests.attributes { index.insert(name, for: digest) }
        }
        byAttribute = index
        return index[digest]
    }

    /// Returns the match data of an item, from the put that counts.
    func match(of name: ItemName) -> ItemMatch? { match(of: items[name]) }

    /// Whether the put of an item, which may turn out to be invalid, hides another state of it.
    func hidesAnother(_ name: ItemName) -> Bool {
        guard let state = items[name], let number = state.put, !state.isVerified else { return false }
        return state.isInSnapshot || previous(number) != nil
    }

    /// Returns the last valid entry about the same item before an entry.
    private func lastValid(before number: Int) -> Int? {
        var next = previous(number)
        while let candidate = next, entries[candidate].standing != .valid { next = previous(candidate) }
        return next
    }

    private func match(of state: ItemState?) -> ItemMatch? {
        state?.put.flatMap { match(ofEntry: $0) }
    }

    // MARK: - Changing

    /// Starts adding the records of another run.
    mutating func beginRun(_ section: SectionID) { runs.append(section) }

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
        entries.append(Entry(sequence: sequence, time: time, record: record, run: run, number: UInt32(number)))
        try checkLimits()
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

    /// Lets a record determine the state of an item: a put with the match data `match`, or a delete.
    ///
    /// `isInSnapshot` is whether the snapshot has the item; it matters for the first record about the item.
    mutating func count(
        _ number: Int,
        about name: ItemName,
        match: ItemMatch?,
        isInSnapshot: Bool,
        isVerified: Bool = false
    ) {
        let former = items[name]
        let state = ItemState(
            put: match == nil ? nil : number,
            last: number,
            isInSnapshot: former?.isInSnapshot ?? isInSnapshot,
            isVerified: isVerified
        )
        items[name] = state
        entries[number].match = match.map { match in
            matches.append(match)
            return UInt32(matches.count - 1)
        }
        entries[number].previous = former.map { UInt32($0.last) }
        noteChange(of: name, from: former, to: state)
    }

    /// Notes that the put of an item is valid.
    mutating func markVerified(_ name: ItemName) {
        items[name]?.isVerified = true
    }

    /// Notes that the content of a put is invalid.
    mutating func setInvalid(_ number: Int, about name: ItemName, fault: Fault) {
        entries[number].standing = .invalid(fault)
        guard case .put(let put) = entries[number].record else { return }
        invalidRevisions[name] = max(invalidRevisions[name] ?? 0, put.revision.number)
    }

    /// Removes the put of an item that turned out to be invalid, so that the state before it counts again.
    mutating func invalidatePut(of name: ItemName, fault: Fault) {
        guard let state = items[name], let number = state.put else { return }
        setInvalid(number, about: name, fault: fault)
        guard let before = lastValid(before: number) else { return set(nil, of: name) }
        let put = match(ofEntry: before) == nil ? nil : before
        set(ItemState(put: put, last: state.last, isInSnapshot: state.isInSnapshot), of: name)
    }

    /// Removes everything from entry `count` on, and restores `states`, the former states of the items.
    mutating func remove(from count: Int, restoring states: [(name: ItemName, state: ItemState?)]) {
        for (name, state) in states.reversed() { set(state, of: name) }
        byteCount -= entries[count...].reduce(0) { $0 + $1.record.byteCount }
        if let match = entries[count...].lazy.compactMap(\.match).first { matches.removeSubrange(Int(match)...) }
        entries.removeSubrange(count...)
    }

    /// Removes a run that turned out to be damaged: everything from entry `count` on, and the records that stayed in
    /// it.
    mutating func removeRun(from count: Int, restoring unread: UnreadRecords) {
        remove(from: count, restoring: [])
        self.unread = unread
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

    /// Returns the difference to the snapshot: 1 if the log added the item, -1 if the log deleted it.
    private func balance(_ state: ItemState?) -> Int {
        guard let state else { return 0 }
        return (state.put == nil ? 0 : 1) - (state.isInSnapshot ? 1 : 0)
    }

    private mutating func addToIndex(_ name: ItemName, _ digests: MatchDigests) {
        byPrimaryKey.insert(name, for: digests.primaryKey)
        guard byAttribute != nil else { return }
        for digest in digests.attributes { byAttribute?.insert(name, for: digest) }
    }

    private mutating func removeFromIndex(_ name: ItemName, _ digests: MatchDigests) {
        byPrimaryKey.remove(name, for: digests.primaryKey)
        guard byAttribute != nil else { return }
        for digest in digests.attributes { byAttribute?.remove(name, for: digest) }
    }
}
