internal import VaultFormat
internal import VaultStore

/// A state that an item had, or has.
///
/// It may be kept as long as one likes: a compaction does not take away what was found before it.
///
/// ```swift
/// let past = try keychain.history(of: stored.reference).revisions
/// let readable = past.filter(\.isReadable).map(\.revision.number)
/// ```
public struct PastItem<Item: KeychainItem>: Sendable {
    /// What the item said; nil if that is locked, or damaged.
    public let item: Item?
    /// What names the item for good.
    public let reference: KeychainReference<Item>
    /// Which state of the item this was.
    public let revision: ItemRevision
    /// The group in which it was.
    public let accessGroup: String
    /// When this state was written, as the clock of who wrote it had it; nil if that is locked.
    public let written: KeychainDate?
    /// When it was superseded, deleted or moved to another group; nil for the current state.
    public let ended: KeychainDate?
    /// When the item was added; nil if that is locked, or damaged.
    package let created: KeychainDate?
    let past: PastRevision

    /// Whether it had a secret, which may have been empty.
    package var hasSecret: Bool { past.hasData }
    /// Whether the item is so now.
    public var isCurrent: Bool { ended == nil }
    /// Whether what it said can be read.
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
        reference = KeychainReference(past.name.item)
        revision = ItemRevision(past.revision)
        accessGroup = group
        created = attributes.map { KeychainDate($0[.creationDate]) }
        written = past.written.map { KeychainDate($0.time) }
        ended = past.ended.map { KeychainDate($0.time) }
        self.past = past
    }
}

/// What is known of the past of an item.
///
/// ```swift
/// let history = try keychain.history(of: stored.reference)
/// if history.isDeleted { try keychain.undo(stored.reference) }
/// ```
public struct ItemHistory<Item: KeychainItem>: Sendable {
    /// The states that the item had, the newest first.
    public let revisions: [PastItem<Item>]
    /// Whether nothing of its past has been dropped, or lies in a group of others.
    public let isWhole: Bool

    /// Whether the item is gone from the groups of the program.
    public var isDeleted: Bool { revisions.first.map { !$0.isCurrent } ?? true }
}

/// What a keychain held at a moment in the past.
///
/// ```swift
/// let then = try keychain.items(GenericPassword.self, at: stored.created, where: .service("mail"))
/// let secrets = try then.items.map { try keychain.secret(of: $0) }
/// ```
public struct PastItems<Item: KeychainItem>: Sendable {
    /// The items as they were, the oldest first.
    public let items: [PastItem<Item>]
    /// Whether nothing that was there then has been dropped since, or is damaged.
    public let isWhole: Bool
}

extension KeychainDate {
    init(_ time: Time) { self.init(secondsSince1970: Double(time.microseconds) / 1e6) }

    /// The moment as the store counts; the first or the last one that it has if it is further away.
    var time: Time {
        let microseconds = (secondsSince1970 * 1e6).rounded()
        let bound = 0x1p62
        guard microseconds > -bound else { return Time(microseconds: -1 << 62) }
        return Time(microseconds: microseconds < bound ? Int64(microseconds) : 1 << 62)
    }
}
