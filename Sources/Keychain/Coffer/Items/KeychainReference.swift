internal import CofferBasics
internal import VaultFormat

/// A permanent reference to an item of a known class, which stays the same through all changes.
///
/// It is the persistent reference that `SecItem` returns, and can be stored as text.
///
/// ```swift
/// let text = stored.reference.description  // "genp-…"
/// KeychainReference<GenericPassword>(text) == stored.reference  // true
/// KeychainReference<InternetPassword>(text)  // nil
/// ```
public struct KeychainReference<Item: KeychainItem>: Hashable, Sendable {
    /// The same reference as in `kSecValuePersistentRef`.
    public let persistentReference: PersistentReference

    /// Creates a reference from a persistent reference, or nil if that names an item of another class.
    public init?(_ reference: PersistentReference) {
        guard reference.itemClass == Item.itemClass else { return nil }
        persistentReference = reference
    }

    init(_ item: ItemID, in group: String? = nil) {
        persistentReference = PersistentReference(Item.itemClass, item, in: group)
    }

    var item: ItemID { persistentReference.item }
}

extension KeychainReference: LosslessStringConvertible {
    /// The class, and the bytes of the item in hexadecimal.
    public var description: String {
        Item.itemClass.rawValue + "-" + item.bytes.hexDigits
    }

    /// Creates the reference with this description, or nil if that is not a reference to an item of this class.
    public init?(_ description: String) {
        guard let bytes = [UInt8](hexDigits: description.dropFirst(5)), bytes.count == ItemID.byteCount else {
            return nil
        }
        self.init(ItemID(bytes.span))
        guard self.description.utf8.elementsEqual(description.utf8) else { return nil }
    }
}

extension KeychainReference: Codable {
    /// Reads a reference that was written as text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let reference = KeychainReference(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "The text is not a reference to an item of class \(Item.itemClass.rawValue)."
            )
        }
        self = reference
    }

    /// Writes the reference as text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

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

    /// The reference to the identity whose certificate this is.
    package var toIdentity: PersistentReference { PersistentReference(.identity, item) }

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
