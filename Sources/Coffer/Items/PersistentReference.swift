internal import CofferBasics
internal import VaultFormat

/// What names an item for good: its class, and bytes that it keeps through all changes.
///
/// ```swift
/// let bytes = stored.reference.persistentReference.bytes
/// let found = PersistentReference(bytes)?.itemClass  // .genericPassword
/// ```
public struct PersistentReference: Hashable, Sendable {
    /// How many bytes a reference has.
    public static let byteCount = 20

    /// The class of the item; for an identity the bytes are those of its certificate.
    public let itemClass: KeychainClass
    let item: ItemID

    init(_ itemClass: KeychainClass, _ item: ItemID) {
        self.itemClass = itemClass
        self.item = item
    }

    /// The reference that `bytes` are, or nil if they are none.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount,
            let itemClass = KeychainClass.allCases.first(where: { bytes.starts(with: $0.rawValue.utf8) })
        else { return nil }
        self.itemClass = itemClass
        item = ItemID(bytes.span.extracting(4...))
    }

    /// The four letters of the class, and the bytes of the item.
    public var bytes: [UInt8] { itemClass.rawValue.utf8 + item.bytes }
}
