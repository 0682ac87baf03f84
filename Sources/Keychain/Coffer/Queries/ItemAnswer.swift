internal import CofferBasics

/// The answer of the keychain, in the form that the request asked for.
///
/// ```swift
/// import CofferSecurity
///
/// let answer = try keychain.find(["class": "genp", "acct": "kim", "r_Data": true])
/// if case .data(let secret) = answer { use(secret) }
/// ```
public enum ItemAnswer: Equatable, Sendable {
    /// The request asked for nothing.
    case notRequested
    /// The request asked for one thing that the item does not have.
    case missing
    /// The data of an item, or its persistent reference.
    case data([UInt8])
    /// The contents of a certificate, a key or an identity.
    case reference(ItemReference)
    /// Several values of an item.
    case dictionary(ItemDictionary)
    /// The answers for several items.
    case list([ItemAnswer])
}

/// Several values of an item, by Apple's names.
///
/// ```swift
/// import CofferSecurity
///
/// let answer = try keychain.find(["class": "genp", "acct": "kim", "r_Attributes": true])
/// if case .dictionary(let item) = answer { print(item.values["svce"] ?? "") }
/// ```
public struct ItemDictionary: Equatable, Sendable {
    /// Attributes, data (`v_Data`) and persistent reference (`v_PersistentRef`), if the request asked for them.
    public var values: [String: ItemValue]
    /// The contents of `v_Ref`, if the request asked for it and the class has such objects.
    public var reference: ItemReference?
}

/// The contents from which a certificate, key or identity object is made.
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
    /// The attributes of the item; for an identity, those of both items, with the certificate as `certdata`.
    public let attributes: [String: ItemValue]
    /// The data of the item, if it has any; for an identity, the data of the key.
    public private(set) var data: [UInt8]?
    /// The access control of a private key that may only be used, and demands the user for that.
    package let usageControl: AccessControl?

    /// Overwrites the data, unless an object has kept it.
    package mutating func wipe() {
        // Taking the data out first makes this its only owner, so it is not copied before it is wiped.
        guard var bytes = data else { return }
        data = nil
        bytes.wipe()
    }

    /// Creates the contents of an object that was not found in the keychain.
    package init(
        itemClass: KeychainClass,
        attributes: [String: ItemValue],
        data: [UInt8]?,
        usageControl: AccessControl? = nil
    ) {
        self.usageControl = usageControl
        self.itemClass = itemClass
        self.attributes = attributes
        self.data = data
    }
}
