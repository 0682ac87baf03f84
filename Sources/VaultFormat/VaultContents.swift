/// Everything in a vault that can be read, in the order of section 4.2, with what is wrong told precisely.
///
/// This reads the whole file. A store reads less, by the same parts.
package struct VaultContents: Sendable {
    /// An item, by the group and id that name it.
    package struct Name: Hashable, Sendable {
        package var group: GroupID
        package var item: ItemID

        package init(group: GroupID, item: ItemID) {
            self.group = group
            self.item = item
        }
    }

    /// The current revision of an item.
    package struct Item: Sendable {
        package var revision: Revision
        package var group: GroupEpoch
        package var dataKey: KeyHandle
        package var protection: ProtectionClass
        package var isOfOtherDevice: Bool
        package var match: Match
        package var sequence: UInt64
        package var time: Time
        /// Nil while the item is locked.
        package var attributes: ItemAttributes?
        /// The sealed data; empty if the item has none.
        package var secretBox: [UInt8]
    }

    /// How an item is found.
    package struct Match: Equatable, Sendable {
        package var itemClass: ItemClass
        package var flags: MatchFlags
        package var order: UInt64
        package var digests: MatchDigests

        package init(itemClass: ItemClass, flags: MatchFlags, order: UInt64, digests: MatchDigests) {
            self.itemClass = itemClass
            self.flags = flags
            self.order = order
            self.digests = digests
        }
    }

    /// A record, or an item of a section, that is not valid inside an intact structure.
    package struct RecordFailure: Equatable, Sendable {
        package var place: Place
        package var fault: Fault

        package init(place: Place, fault: Fault) {
            self.place = place
            self.fault = fault
        }
    }

    /// Where a record is.
    package enum Place: Equatable, Sendable {
        case frame(sequence: UInt64, record: Int)
        case run(section: SectionID, record: Int)
        case section(SectionID, item: ItemID)
    }

    /// The current items, also those of other devices, which are carried but count as absent here.
    package internal(set) var items: [Name: Item] = [:]
    /// Past revisions that the snapshot keeps.
    package internal(set) var history: [Run.Entry] = []
    package internal(set) var failures: [RecordFailure] = []
    package internal(set) var tail = TailVerdict.clean
    package internal(set) var lastSequence: UInt64 = 0
    package internal(set) var lastChain: ChainValue?
}

extension VaultContents {
    /// Items whose attributes and data can be read, by id.
    package var readableItems: [Item] {
        items.values.filter { $0.attributes != nil }.sorted { $0.revision.item < $1.revision.item }
    }

    /// How many items exist that are locked.
    package var lockedItemCount: Int { items.values.count { $0.attributes == nil && !$0.isOfOtherDevice } }
}
