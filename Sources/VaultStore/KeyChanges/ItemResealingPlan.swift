internal import VaultFormat

/// What becomes of the items in the log when keys change.
///
/// Nothing that is sealed under a key that goes can stay in the log, so each of these items is settled: its last record
/// determines it. Only for an item of an absent device are the records carried, and that device settles it later.
struct ItemResealingPlan {
    enum Fate: Equatable {
        /// The item is now this put of the log.
        case put(Int)
        /// The item belongs to an absent device; `keepsSection` is whether the entry of the section stays.
        case carried(keepsSection: Bool)
        case gone
    }

    /// What can be done with data that is sealed under a data key.
    enum Access: Equatable {
        case open
        /// It is carried unchanged.
        case closed
        /// It is left out.
        case gone
    }

    /// Where the snapshot has an item.
    struct SectionPlace {
        var group: GroupEpoch
        var access: Access
    }

    /// A revision that was superseded or deleted, and the log entry that did it.
    struct Ended {
        enum Source {
            case put(Int)
            case section(GroupEpoch)
        }

        var item: ItemName
        var source: Source
        var by: Int
    }

    private(set) var fates: [ItemName: Fate] = [:]
    /// The carried records, by the group whose keys they need.
    private(set) var carried: [GroupEpoch: [Int]] = [:]
    private(set) var ended: [Ended] = []
    /// Items that are lost with their keys.
    private(set) var lostCount = 0
    /// Invalid records, which count for nobody.
    private(set) var invalidCount = 0

    private let log: LogIndex
    private let access: (KeyHandle) -> Access
    private let group: (KeyHandle) -> GroupEpoch?

    init(
        of log: LogIndex,
        access: @escaping (KeyHandle) -> Access,
        group: @escaping (KeyHandle) -> GroupEpoch?,
        section: (ItemName) throws(StoreError) -> SectionPlace?
    ) throws(StoreError) {
        self.log = log
        self.access = access
        self.group = group
        var numbers: [ItemName: [Int]] = [:]
        for (number, entry) in log.entries.enumerated() {
            switch entry.standing {
            case .valid: if let name = name(of: entry.record) { numbers[name, default: []].append(number) }
            case .sealed, .invalid(.outOfOrder): break
            case .invalid: invalidCount += 1
            }
        }
        for (name, numbers) in numbers { settle(name, numbers, try section(name)) }
        for group in carried.keys { carried[group]?.sort() }
    }

    private func name(of record: Record) -> ItemName? {
        switch record {
        case .put(let put): group(put.dataKey).map { ItemName(group: $0.group, item: put.revision.item) }
        case .delete(let delete): ItemName(group: delete.group.group, item: delete.revision.item)
        case .key, .settings, .unknown, .malformed: nil
        }
    }

    private mutating func settle(_ name: ItemName, _ numbers: [Int], _ section: SectionPlace?) {
        let puts = numbers.filter { access(of: $0) != nil }
        let isCarried = section?.access == .closed || puts.contains { access(of: $0) == .closed }
        let fate: Fate
        switch numbers.last.map({ (access(of: $0), $0) }) {
        case (.open, let put)?: fate = .put(put)
        case (.gone, _)?:
            fate = .gone
            lostCount += 1
        case (.closed, _)?: fate = .carried(keepsSection: section?.access == .closed)
        case (nil, _)?, nil: fate = isCarried ? .carried(keepsSection: section?.access == .closed) : .gone
        }
        fates[name] = fate
        if case .carried = fate { carry(numbers, section) }
        noteEnded(name, numbers, section, fate)
    }

    /// Returns what can be done with a put, or nil for a delete.
    private func access(of number: Int) -> Access? {
        guard case .put(let put) = log.entries[number].record else { return nil }
        return access(put.dataKey)
    }

    /// Carries what is sealed under keys that stay closed, and the deletes of the same groups.
    private mutating func carry(_ numbers: [Int], _ section: SectionPlace?) {
        var groups = Set(section.flatMap { $0.access == .closed ? $0.group : nil }.map { [$0] } ?? [])
        for number in numbers {
            guard case .put(let put) = log.entries[number].record, access(put.dataKey) == .closed,
                let group = group(put.dataKey)
            else { continue }
            groups.insert(group)
            carried[group, default: []].append(number)
        }
        for number in numbers {
            guard case .delete(let delete) = log.entries[number].record, groups.contains(delete.group) else { continue }
            carried[delete.group, default: []].append(number)
        }
    }

    private mutating func noteEnded(_ name: ItemName, _ numbers: [Int], _ section: SectionPlace?, _ fate: Fate) {
        var isCarried = false
        if case .carried = fate { isCarried = true }
        var before: (source: Ended.Source, access: Access)? = section.map { (.section($0.group), $0.access) }
        for number in numbers {
            // The device that settles a carried item records what has ended of it.
            if let before, before.access == .open || (before.access == .closed && !isCarried) {
                ended.append(Ended(item: name, source: before.source, by: number))
            }
            before = access(of: number).map { (.put(number), $0) }
        }
    }
}
