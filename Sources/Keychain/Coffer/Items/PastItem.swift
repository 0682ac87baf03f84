internal import VaultFormat
internal import VaultStore

/// A revision of an item, past or current.
///
/// You can keep it as long as you like: its attributes stay readable even if a compaction drops the revision.
///
/// ```swift
/// let past = try keychain.history(of: stored.reference).revisions
/// let readable = past.filter(\.isReadable).map(\.revision.number)
/// ```
public struct PastItem<Item: KeychainItem>: Sendable {
    /// The attributes of the item; nil if they are locked or damaged.
    public let item: Item?
    /// The permanent reference to the item.
    public let reference: KeychainReference<Item>
    /// The revision of the item.
    public let revision: ItemRevision
    /// The group that the item was in.
    public let accessGroup: String
    /// When the revision was written, by the clock of the machine that wrote it.
    public let written: KeychainDate
    /// When the item was changed, deleted or moved to another group; nil for the current revision and for conflicts.
    public let ended: KeychainDate?
    /// Whether this was changed or added in another copy of the vault, and lost against the current revision.
    public internal(set) var isConflict = false
    /// When the item was added; nil if the attributes are locked or damaged.
    package let created: KeychainDate?
    /// When the item was changed, which may be before it was written here; nil if the attributes are locked or damaged.
    package let modified: KeychainDate?
    let past: PastRevision

    /// Whether the item had a secret, which may have been empty.
    package var hasSecret: Bool { past.hasData }
    /// Whether this is the current revision of the item.
    public var isCurrent: Bool { ended == nil && !isConflict }
    /// Whether the attributes can be read.
    public var isReadable: Bool { item != nil }

    init(_ past: PastRevision, _ attributes: ItemAttributes?, in vault: borrowing OpenGeneration) {
        let group = String(decoding: vault.opening.keyring.groupNames[past.group] ?? [], as: UTF8.self)
        let protection = vault.opening.keyring.dataKeyEntries[past.dataKey]?.protection
        item =
            if let attributes, let protection {
                Item(
                    attributes: AttributeValues(attributes, group: group, accessibility: Accessibility(protection))
                )
            } else { nil }
        reference = KeychainReference(past.name.item, in: group)
        revision = ItemRevision(past.revision)
        accessGroup = group
        created = attributes.map { KeychainDate($0[.creationDate]) }
        modified = attributes.map { KeychainDate($0[.modificationDate]) }
        written = KeychainDate(past.written.time)
        ended = past.ended.map { KeychainDate($0.time) }
        self.past = past
    }
}

/// The revisions of an item, as far as they are known.
///
/// ```swift
/// let history = try keychain.history(of: stored.reference)
/// if history.isDeleted { try keychain.undo(stored.reference) }
/// ```
public struct ItemHistory<Item: KeychainItem>: Sendable {
    /// The revisions of the item, newest first, then the items that lost against it: those with its primary key.
    public let revisions: [PastItem<Item>]
    /// Whether the history is complete: no revision was dropped, or is in a group that the program may not use.
    public let isComplete: Bool

    /// The changes that were made, and the items that were added, in other copies of the vault and lost against the
    /// current revision.
    public var conflicts: [PastItem<Item>] { revisions.filter(\.isConflict) }

    /// Whether the item was deleted, or moved out of the groups of the program.
    public var isDeleted: Bool { revisions.first.map { !$0.isCurrent } ?? true }
}

/// The items that a keychain contained at a point in the past.
///
/// ```swift
/// let then = try keychain.items(GenericPassword.self, at: stored.created, where: .service("mail"))
/// let secrets = try then.items.map { try keychain.secret(of: $0) }
/// ```
public struct PastItems<Item: KeychainItem>: Sendable {
    /// The items as they were, oldest first.
    public let items: [PastItem<Item>]
    /// Whether the list is complete: no item of that time was dropped since, or is damaged.
    public let isComplete: Bool
}

extension KeychainDate {
    init(_ time: Time) { self.init(secondsSince1970: Double(time.microseconds) / 1e6) }

    /// The date in the units of the store, limited to the range of the store.
    var time: Time {
        let microseconds = (secondsSince1970 * 1e6).rounded()
        let bound = 0x1p62
        guard microseconds > -bound else { return Time(microseconds: -1 << 62) }
        return Time(microseconds: microseconds < bound ? Int64(microseconds) : 1 << 62)
    }
}
