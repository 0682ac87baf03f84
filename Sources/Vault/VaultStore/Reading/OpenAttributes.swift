internal import VaultFormat

/// A revision of an item, whose content is the same wherever it is stored.
struct RevisionKey: Hashable, Sendable {
    let group: GroupEpoch
    let revision: Revision
}

/// The attributes that have been opened, and were found to be valid, as far as there is room.
struct OpenAttributes: Sendable {
    /// The attributes of a revision, and the transaction that wrote them.
    typealias Known = (attributes: ItemAttributes, sequence: UInt64, time: Time)

    private var cache = PieceCache<RevisionKey, Known>(byteCountLimit: 24 << 20)

    subscript(key: RevisionKey) -> Known? {
        mutating get { cache[key] }
    }

    mutating func insert(_ known: Known, for key: RevisionKey) {
        cache.insert(known, for: key, byteCount: known.attributes.memoryByteCount)
    }
}
