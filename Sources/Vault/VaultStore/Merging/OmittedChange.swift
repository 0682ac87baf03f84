internal import CofferBasics
package import VaultFormat

/// A change of a copy that does not know of a revocation, in a group that this concerns: a merge leaves it out, since
/// those who lost access could have made it.
package struct OmittedChange: Equatable, Sendable {
    package enum Kind: Sendable {
        case added
        case changed
        case deleted
        /// Only past revisions of the item are left out.
        case past
    }

    package let kind: Kind
    /// The name of the group.
    package let group: [UInt8]
    package let item: ItemID
    /// The attributes, if they can be read.
    package let attributes: ItemAttributes?
    /// Whether the vault itself has the change, and not the other copy.
    package let isOwn: Bool
}

extension [OmittedChange] {
    /// Lists the changes that a copy of a group would have made in another one, item by item.
    static func changes(
        _ merge: GroupMerge,
        of older: inout OpenGeneration,
        to newer: inout OpenGeneration,
        in group: [UInt8],
        isOwn: Bool
    ) -> [OmittedChange] {
        let added = Dictionary(grouping: merge.added, by: \.name.item)
        let ended = Dictionary(grouping: merge.ended, by: \.name.item)
        let past = Dictionary(grouping: merge.past, by: \.name.item)
        return Set(added.keys).union(ended.keys).union(past.keys).sorted().map { item in
            let kind: OmittedChange.Kind
            let attributes: ItemAttributes?
            if let revision = added[item]?.last {
                kind = revision.revision.number == 1 ? .added : .changed
                attributes = try? older.attributes(of: revision)
            } else if let revision = ended[item]?.last {
                kind = .deleted
                attributes = try? newer.attributes(of: revision)
            } else {
                kind = .past
                attributes = past[item]?.last.flatMap { try? older.attributes(of: $0) }
            }
            return OmittedChange(kind: kind, group: group, item: item, attributes: attributes, isOwn: isOwn)
        }
    }
}
