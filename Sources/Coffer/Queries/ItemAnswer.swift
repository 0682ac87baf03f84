/// What the keychain gives back, in the shape that the request asked for.
///
/// ```swift
/// import CofferSecurity
///
/// let answer = try keychain.find(["class": "genp", "acct": "kim", "r_Data": true])
/// if case .data(let secret) = answer { use(secret) }
/// ```
public enum ItemAnswer: Equatable, Sendable {
    /// Nothing was asked for.
    case none
    /// One thing was asked for, of one item that does not have it.
    case nothing
    /// The data of an item, or its persistent reference.
    case data([UInt8])
    /// A certificate, a key or an identity, as what can be made of the item.
    case reference(ItemReference)
    /// Several things about an item.
    case dictionary(ItemDictionary)
    /// The answers for several items.
    case list([ItemAnswer])
}

/// Several things about an item, by Apple's names.
///
/// ```swift
/// import CofferSecurity
///
/// let answer = try keychain.find(["class": "genp", "acct": "kim", "r_Attributes": true])
/// if case .dictionary(let item) = answer { print(item.values["svce"] ?? "") }
/// ```
public struct ItemDictionary: Equatable, Sendable {
    /// Attributes, data (`v_Data`) and persistent reference (`v_PersistentRef`), as far as they were asked for.
    public var values: [String: ItemValue]
    /// What `v_Ref` is made of, if that was asked for and the class has such objects.
    public var reference: ItemReference?
}

/// What a certificate, a key or an identity is made of.
///
/// ```swift
/// import CofferSecurity
///
/// let answer = try keychain.find(["class": "cert", "labl": "example.com", "r_Ref": true])
/// if case .reference(let certificate) = answer { use(certificate.data ?? []) }
/// ```
public struct ItemReference: Equatable, Sendable {
    /// The class of the item.
    public let itemClass: KeychainClass
    /// The attributes of the item; of an identity those of both halves, with the certificate as `certdata`.
    public let attributes: [String: ItemValue]
    /// The data of the item, if it has any; of an identity those of the key.
    public let data: [UInt8]?

    /// What an object is made of that the keychain did not find itself.
    package init(itemClass: KeychainClass, attributes: [String: ItemValue], data: [UInt8]?) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.data = data
    }
}
