internal import CofferBasics
internal import VaultFormat

/// A permanent reference to an item: its class, and bytes that stay the same through all changes.
///
/// ```swift
/// let bytes = stored.reference.persistentReference.bytes
/// let found = PersistentReference(bytes)?.itemClass  // .genericPassword
/// ```
public struct PersistentReference: Hashable, Sendable {
    /// The number of bytes in a reference.
    public static let byteCount = 20

    /// The class of the item; for an identity, the bytes are those of its certificate.
    public let itemClass: KeychainClass
    let item: ItemID
    /// The group in which the item was found, if it was; it is not part of the bytes.
    ///
    /// An item with the same id in another group, such as one that the holder of a grant has made, is another item.
    let group: String?

    init(_ itemClass: KeychainClass, _ item: ItemID, in group: String? = nil) {
        self.itemClass = itemClass
        self.item = item
        self.group = group
    }

    /// Creates the reference with these bytes, or nil if they are invalid.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount,
            let itemClass = KeychainClass.allCases.first(where: { bytes.starts(with: $0.rawValue.utf8) })
        else { return nil }
        self.itemClass = itemClass
        item = ItemID(bytes.span.extracting(4...))
        group = nil
    }

    /// The four letters of the class, followed by the bytes of the item.
    public var bytes: [UInt8] { itemClass.rawValue.utf8 + item.bytes }

    /// Whether two references have the same bytes.
    public static func == (one: PersistentReference, other: PersistentReference) -> Bool {
        one.itemClass == other.itemClass && one.item == other.item
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(itemClass)
        hasher.combine(item)
    }
}
