internal import VaultFormat

/// A revision of an item that no record has ended, section 8.1.
struct LiveRevision: Equatable, Sendable {
    let number: UInt64
    let salt: UInt64
    /// The epoch of its group.
    let epoch: UInt32
    private let putNumber: UInt32

    private static let inSnapshot = UInt32.max
    private static let inIndex = UInt32.max - 1

    /// A revision in the snapshot, in put `put` of the log, or in a put that only the index of the log names.
    init(_ revision: Revision, epoch: UInt32, put: Int? = nil, isIndexed: Bool = false) {
        number = revision.number
        salt = revision.salt
        self.epoch = epoch
        putNumber = put.map(UInt32.init) ?? (isIndexed ? Self.inIndex : Self.inSnapshot)
    }

    /// The number of its put in the log; nil if the snapshot or the index has it.
    var put: Int? { putNumber < Self.inIndex ? Int(putNumber) : nil }

    /// Whether only the index of the log names it.
    var isIndexed: Bool { putNumber == Self.inIndex }

    /// Whether an entry of the snapshot in `group` is this revision.
    func isEntry(_ revision: Revision, of group: GroupEpoch) -> Bool {
        putNumber == Self.inSnapshot && number == revision.number && salt == revision.salt && epoch == group.epoch
    }
}

/// The live revisions of an item: one, none if it was deleted, or several after a merge.
struct LiveRevisions: Equatable, Sendable {
    /// The greatest, which is current.
    private(set) var current: LiveRevision?
    private(set) var conflicts: [LiveRevision] = []

    init(_ revisions: some Sequence<LiveRevision> = []) {
        for revision in revisions { insert(revision) }
    }

    var count: Int { (current == nil ? 0 : 1) + conflicts.count }

    /// All of them, the current one first.
    var all: [LiveRevision] { (current.map { [$0] } ?? []) + conflicts }

    /// The one with this salt.
    subscript(salt salt: UInt64) -> LiveRevision? {
        if current?.salt == salt { return current }
        return conflicts.isEmpty ? nil : conflicts.first { $0.salt == salt }
    }

    mutating func insert(_ revision: LiveRevision) {
        guard let other = current else { return current = revision }
        let isGreater = Revision.isGreater((revision.number, revision.salt), than: (other.number, other.salt))
        conflicts.append(isGreater ? other : revision)
        if isGreater { current = revision }
    }

    /// Removes the one with the salt of `revision`.
    mutating func remove(_ revision: LiveRevision) {
        guard current?.salt == revision.salt else { return conflicts.removeAll { $0.salt == revision.salt } }
        self = LiveRevisions(conflicts)
    }
}
