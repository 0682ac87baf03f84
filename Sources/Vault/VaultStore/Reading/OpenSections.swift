internal import VaultFormat

/// An epoch of a group, with what a lookup in it needs.
struct OpenEpoch: Sendable {
    let group: GroupEpoch
    let keys: MatchKeys
    /// The number of its section, if it has one.
    let section: Int?
}

/// The sections of the snapshot, and of the index of the log, that have been opened, and what is known of them.
///
/// A section keeps its number as long as the generation is open.
struct OpenSections: Sendable {
    private var sections: [SnapshotSection] = []
    /// The sections of the snapshot.
    private var numbers: [GroupEpoch: Int] = [:]
    /// The group that was looked into last: mostly the next lookup is in the same one.
    private var last: (group: GroupID, epochs: [OpenEpoch])?

    subscript(number: Int) -> SnapshotSection {
        _read { yield sections[number] }
        _modify { yield &sections[number] }
    }

    /// Returns the number of the section of a group in the snapshot, if it is open.
    func number(of group: GroupEpoch) -> Int? { numbers[group] }

    /// Adds the section of a group in the snapshot.
    mutating func add(_ section: SnapshotSection) -> Int {
        let number = addIndexed(section)
        numbers[section.group] = number
        return number
    }

    /// Adds a section of the index of the log.
    mutating func addIndexed(_ section: SnapshotSection) -> Int {
        sections.append(section)
        return sections.count - 1
    }

    /// The epochs of a group, if it is the one that was looked into last.
    func epochs(ofLast group: GroupID) -> [OpenEpoch]? { last?.group == group ? last?.epochs : nil }

    mutating func noteLast(_ group: GroupID, _ epochs: [OpenEpoch]) { last = (group, epochs) }

    /// Forgets what depends on the available keys, after some were added or taken back.
    mutating func forgetKeys() {
        last = nil
        for number in sections.indices { sections[number].entryKeys = [] }
    }

    /// Releases what was opened of the items.
    mutating func forgetDictionaries() {
        for number in sections.indices { sections[number].forgetDictionaries() }
    }
}
