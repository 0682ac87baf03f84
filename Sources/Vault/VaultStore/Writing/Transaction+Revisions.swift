internal import CofferBasics
internal import VaultCrypto
package import VaultFormat

/// The item that gets revisions which it had in another vault.
package struct ForeignItem: Sendable {
    let id: ItemID
    let order: UInt64
}

/// What a revision is among those of its item.
package enum RevisionStanding: Sendable {
    case current
    /// It is live, and lost against the current one.
    case conflict
    case past
}

extension Transaction {
    /// Adds a revision that an item had in another vault, and that replaces none here.
    ///
    /// Only the current revision must not have the primary key of another item. Its number must be greater than those of
    /// the other live ones.
    ///
    /// - Parameters:
    ///   - number: The number of the revision, from 1.
    ///   - item: The item; nil for its first revision, which creates it.
    ///   - standing: What the revision is among those of the item.
    ///   - written: When it was written first; nil if that is now.
    ///   - attributes: Its attributes.
    ///   - secret: Its data; nil if it has none.
    ///   - name: The name of its group.
    ///   - protection: Its protection class.
    ///   - owner: The device that it is bound to, if its protection class is bound to one.
    ///   - password: The application password of the data, if it has one.
    /// - Throws: `StoreError` if the revision cannot be added.
    package mutating func addRevision(
        _ number: UInt64,
        of item: inout ForeignItem?,
        as standing: RevisionStanding,
        written: Time?,
        _ attributes: ItemAttributes,
        secret: Span<UInt8>?,
        group name: [UInt8],
        protection: ProtectionClass,
        owner: DeviceID = .none,
        password: ApplicationPasswordKey? = nil
    ) throws {
        try checkItemCount()
        let keys = try keys(Place(name: name, protection: protection, owner: owner))
        let digests =
            standing == .current
            ? try uniqueDigests(of: attributes, in: keys.group, replacing: nil)
            : MatchDigests(attributes, keys: keys.match)
        let place = try nextPlace(in: keys.group.group)
        let target = item ?? ForeignItem(id: Revision(newItemWith: cipher.random).item, order: place)
        let revision = Revision(item: target.id, number: number, random: cipher.random)
        let box = try sealed(secret, of: revision, password, keys)
        try put(
            revision,
            replacing: nil,
            attributes,
            digests,
            secret: box,
            order: target.order,
            written: written,
            isNew: item == nil,
            isPast: standing == .past,
            keys
        )
        item = target
    }
}
