internal import VaultFormat

/// What the runs and frames behind a snapshot say, in memory: their records, and what became of each item.
struct LogIndex: Sendable {
    /// One record, and when it was written.
    struct Entry: Sendable {
        let sequence: UInt64
        let time: Time
        /// Its number in its transaction, or its place in a run.
        let place: VaultContents.Place
        let record: Record
        /// How the item is found, if the record is a put whose match box is open.
        var match: VaultContents.Match?
        /// The entry before that concerns the same item.
        var previous: Int?
        /// Whether the record counts: one that is not valid is reported, and stands for nothing.
        var standing = Standing.valid
    }

    /// What a record is worth.
    enum Standing: Equatable, Sendable {
        case valid
        /// The record cannot be judged without keys that are not here.
        case sealed
        /// The record breaks a rule.
        case invalid(Fault)
    }

    /// What the log says about an item.
    struct ItemState: Equatable, Sendable {
        /// The put that counts, or nil if the item was deleted.
        var put: Int?
        /// The last entry that concerns the item.
        var last: Int
        /// Whether the snapshot has the item.
        let isInSnapshot: Bool
        /// Whether metadata and data of the put are known to be valid.
        var isVerified = false
    }

    /// How many more items there are than in the snapshot.
    private(set) var itemBalance = 0
    private(set) var entries: [Entry] = []
    private(set) var items: [ItemName: ItemState] = [:]
    /// The greatest revision that a put has which is invalid for its content alone: who cannot open it takes it for valid.
    private(set) var invalidRevisions: [ItemName: UInt64] = [:]
    /// What at least one item of a group has, or had.
    private(set) var flags: [GroupID: MatchFlags] = [:]
    private var byPrimaryKey = NameIndex<PrimaryKeyDigest>()
    /// Built when the first query by an attribute comes.
    private var byAttribute: NameIndex<UInt64>?

    // MARK: - Looking up

    /// The put that is entry `number`, and how its item is found.
    func put(_ number: Int) -> (put: Put, match: VaultContents.Match)? {
        guard case .put(let put) = entries[number].record, let match = entries[number].match else { return nil }
        return (put, match)
    }

    /// The items that are there and have this primary key.
    func items(withPrimaryKey digest: PrimaryKeyDigest) -> [ItemName] { byPrimaryKey[digest] }

    /// The items that are there and of which an attribute of the primary key has this digest.
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

    /// The numbers of the entries about an item, the last first.
    func entryNumbers(of name: ItemName) -> [Int] {
        var numbers: [Int] = []
        var next = items[name]?.last
        while let number = next {
            numbers.append(number)
            next = entries[number].previous
        }
        return numbers
    }

    /// How an item is found by the put that counts.
    func match(of name: ItemName) -> VaultContents.Match? { match(of: items[name]) }

    /// Whether the put of an item, which may turn out not to be valid, stands before another state of it.
    func hidesAnother(_ name: ItemName) -> Bool {
        guard let state = items[name], let number = state.put, !state.isVerified else { return false }
        return state.isInSnapshot || entries[number].previous != nil
    }

    /// The last valid entry about the same item before an entry.
    private func lastValid(before number: Int) -> Int? {
        var next = entries[number].previous
        while let candidate = next, entries[candidate].standing != .valid { next = entries[candidate].previous }
        return next
    }

    private func match(of state: ItemState?) -> VaultContents.Match? {
        state?.put.flatMap { entries[$0].match }
    }

    // MARK: - Changing

    /// Adds a record that concerns no item, or is judged later.
    mutating func append(_ entry: Entry) {
        entries.append(entry)
    }

    /// Notes what the record with this number is worth.
    mutating func setStanding(_ standing: Standing, of number: Int) {
        entries[number].standing = standing
    }

    /// Lets a record say what an item is now: a put that is found by `match`, or a delete.
    ///
    /// `isInSnapshot` is whether the snapshot has the item; it counts for the first record about it.
    mutating func count(
        _ number: Int,
        about name: ItemName,
        match: VaultContents.Match?,
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
        entries[number].match = match
        entries[number].previous = former?.last
        noteChange(of: name, from: former, to: state)
    }

    /// Notes that the put of an item is what it should be.
    mutating func markVerified(_ name: ItemName) {
        items[name]?.isVerified = true
    }

    /// Notes that a put is invalid for its content.
    mutating func setInvalid(_ number: Int, about name: ItemName, fault: Fault) {
        entries[number].standing = .invalid(fault)
        guard case .put(let put) = entries[number].record else { return }
        invalidRevisions[name] = max(invalidRevisions[name] ?? 0, put.revision.number)
    }

    /// Takes the put of an item away that turned out not to be valid; what was before it counts again.
    mutating func invalidatePut(of name: ItemName, fault: Fault) {
        guard let state = items[name], let number = state.put else { return }
        setInvalid(number, about: name, fault: fault)
        guard let before = lastValid(before: number) else { return set(nil, of: name) }
        let put = entries[before].match == nil ? nil : before
        set(ItemState(put: put, last: state.last, isInSnapshot: state.isInSnapshot), of: name)
    }

    /// Takes back everything from entry `count` on, after `states` were what the items had.
    mutating func remove(from count: Int, restoring states: [(name: ItemName, state: ItemState?)]) {
        for (name, state) in states.reversed() { set(state, of: name) }
        entries.removeSubrange(count...)
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

    /// How many items more than in the snapshot an item makes: one if the log added it, one less if it was deleted.
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
