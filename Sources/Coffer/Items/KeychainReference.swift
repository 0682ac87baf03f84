internal import CofferBasics
internal import VaultFormat

/// What names an item for good, through all changes, and tells its class.
///
/// It is the persistent reference that `SecItem` gives, and can be kept as text.
///
/// ```swift
/// let text = stored.reference.description  // "genp-…"
/// KeychainReference<GenericPassword>(text) == stored.reference  // true
/// KeychainReference<InternetPassword>(text)  // nil
/// ```
public struct KeychainReference<Item: KeychainItem>: Hashable, Sendable {
    /// The same as `kSecValuePersistentRef` has it.
    public let persistentReference: PersistentReference

    /// The item that a persistent reference names, or nil if it names one of another class.
    public init?(_ reference: PersistentReference) {
        guard reference.itemClass == Item.itemClass else { return nil }
        persistentReference = reference
    }

    init(_ item: ItemID) { persistentReference = PersistentReference(Item.itemClass, item) }

    var item: ItemID { persistentReference.item }

    /// A query for the item alone.
    func query(returning returns: Query.Returns = []) -> Query {
        var query = Query(Item.itemClass)
        query.persistentReference = persistentReference
        query.returns = returns
        return query
    }

    /// A query for the item alone, by Apple's names.
    var request: [String: ItemValue] {
        ["class": .string(Item.itemClass.rawValue), "v_PersistentRef": .data(persistentReference.bytes)]
    }
}

extension KeychainReference: LosslessStringConvertible {
    /// The class, and the bytes of the item in hexadecimal.
    public var description: String {
        let digits = item.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return Item.itemClass.rawValue + "-" + digits.joined()
    }

    /// The reference that is described by `description`, or nil if it is none to an item of this class.
    public init?(_ description: String) {
        let digits = Array(description.utf8.dropFirst(5))
        guard digits.count == 2 * ItemID.byteCount else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        self.init(ItemID(bytes.span))
        guard self.description.utf8.elementsEqual(description.utf8) else { return nil }
    }
}

extension KeychainReference: Codable {
    /// Reads the text of a reference.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let reference = KeychainReference(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "The text is no reference to an item of class \(Item.itemClass.rawValue)."
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
