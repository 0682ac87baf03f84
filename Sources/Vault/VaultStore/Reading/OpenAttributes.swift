internal import VaultFormat

/// A revision of an item, whose content is the same wherever it is stored.
struct RevisionKey: Hashable, Sendable {
    let group: GroupEpoch
    let revision: Revision
}

/// The attributes that have been opened, and were found to be valid, as far as there is room.
struct OpenAttributes: Sendable {
    private var cache = PieceCache<RevisionKey, ItemAttributes>(byteCountLimit: 24 << 20)

    subscript(key: RevisionKey) -> ItemAttributes? {
        mutating get { cache[key] }
    }

    mutating func insert(_ attributes: ItemAttributes, for key: RevisionKey) {
        cache.insert(attributes, for: key, byteCount: attributes.memoryByteCount)
    }
}
