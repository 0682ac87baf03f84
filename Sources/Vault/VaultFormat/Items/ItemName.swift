/// The name of an item: its group and id.
package struct ItemName: Hashable, Sendable {
    package var group: GroupID
    package var item: ItemID

    package init(group: GroupID, item: ItemID) {
        self.group = group
        self.item = item
    }
}

/// The values by which an item is found, from a match box or the entry of a leaf.
package struct ItemMatch: Equatable, Sendable {
    package var itemClass: ItemClass
    package var flags: MatchFlags
    package var order: UInt64
    /// When the revision was written first.
    package var written: Time
    package var digests: MatchDigests

    package init(itemClass: ItemClass, flags: MatchFlags, order: UInt64, written: Time, digests: MatchDigests) {
        self.itemClass = itemClass
        self.flags = flags
        self.order = order
        self.written = written
        self.digests = digests
    }
}

extension ItemMatch {
    package init(_ content: MatchContent) {
        self.init(
            itemClass: content.itemClass,
            flags: content.flags,
            order: content.order,
            written: content.written,
            digests: content.digests
        )
    }

    package init(_ entry: MatchEntry) {
        let flags = entry.flags.subtracting(.contested)
        self.init(
            itemClass: entry.itemClass,
            flags: flags,
            order: entry.order,
            written: entry.written,
            digests: entry.digests
        )
    }
}
