public import Coffer
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
    let usageControl: AccessControl?

    /// Overwrites the data, unless an object has kept it.
    mutating func wipe() {
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

// MARK: - Answering

extension ItemAnswer {
    /// Creates the answer to a query.
    init(_ found: [QueryMatch], to query: Query) {
        let returns = query.returns
        let answers = returns.isEmpty ? [] : found.compactMap { ItemAnswer($0, returns) }
        self =
            if query.limit != .one { .list(answers) } else if returns.isEmpty { .notRequested } else {
                answers.first ?? .missing
            }
    }

    /// Creates the answer to an addition.
    init(_ added: ItemContent, to query: Query) {
        switch query.returns {
        case []: self = .notRequested
        // For an item without data, an addition returns empty data, while a query returns nothing.
        case .data: self = .data(query.data ?? [])
        default: self = ItemAnswer(QueryMatch(added), query.returns, isNew: true) ?? .missing
        }
    }

    /// Creates the answer about one item; nil if the item does not have the one thing that was asked for.
    private init?(_ match: QueryMatch, _ returns: Query.Returns, isNew: Bool = false) {
        switch returns {
        case .data:
            guard let data = match.data else { return nil }
            self = .data(data)
        case .persistentReference: self = .data(match.persistentReference)
        case .reference:
            guard let reference = match.reference else { return nil }
            self = .reference(reference)
        default: self = .dictionary(ItemDictionary(match, returns, isNew: isNew))
        }
    }
}

extension ItemDictionary {
    fileprivate init(_ match: QueryMatch, _ returns: Query.Returns, isNew: Bool) {
        // A request for data and persistent reference returns the attributes too, as in Apple's keychain.
        values = isNew ? match.item.values : match.values
        if returns.contains(.data) {
            if let data = match.data { values[Query.dataKey] = .data(data) }
            if let data = match.certificateData { values[ItemReference.certificateData] = .data(data) }
        }
        if returns.contains(.persistentReference) { values["v_PersistentRef"] = .data(match.persistentReference) }
        if returns.contains(.reference) {
            values["class"] = .string(match.itemClass.rawValue)
            reference = match.reference
        }
    }
}

extension ItemReference {
    /// Apple's name for the data of the certificate, next to the data of the key.
    static let certificateData = "certdata"
}

extension QueryMatch {
    fileprivate var itemClass: KeychainClass { key == nil ? item.reference.itemClass : .identity }

    fileprivate var persistentReference: [UInt8] { (key == nil ? item.reference : item.reference.toIdentity).bytes }

    /// The attributes as a query returns them; if both items of an identity have one, that of the certificate.
    fileprivate var values: [String: ItemValue] {
        key.map { $0.foundValues.merging(item.foundValues) { $1 } } ?? item.foundValues
    }

    /// The data of the item, or of the key of an identity.
    fileprivate var data: [UInt8]? { (key ?? item).visibleData }

    /// The data of the certificate of an identity.
    fileprivate var certificateData: [UInt8]? { key.flatMap { _ in item.visibleData } }

    /// The contents for an object, unless the item is a password.
    fileprivate var reference: ItemReference? {
        guard itemClass != .genericPassword, itemClass != .internetPassword else { return nil }
        let object = key ?? item
        var attributes = values
        if let data = certificateData { attributes[ItemReference.certificateData] = .data(data) }
        return ItemReference(
            itemClass: itemClass,
            attributes: attributes,
            data: object.copiedData,
            usageControl: object.isPrivateKeyForUse ? object.accessControl : nil
        )
    }
}

extension ItemContent {
    /// The attributes as a query returns them; an addition returns an access control only if the caller gave one.
    fileprivate var foundValues: [String: ItemValue] {
        var values = values
        values[.accessControl] = .accessControl(accessControl)
        values[.tombstone] = values[.tombstone] ?? .integer(0)
        values[.user] = .data([])
        return values
    }

    /// A copy of the data for an answer.
    fileprivate var copiedData: [UInt8]? { secret?.withSpan { [UInt8](copying: $0) } }

    /// The data, unless it is a key that is not extractable, or only to be used.
    fileprivate var visibleData: [UInt8]? { isHiddenKey ? nil : copiedData }
}
