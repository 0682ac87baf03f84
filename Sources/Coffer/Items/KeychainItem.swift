/// What an item of the keychain says: a ``GenericPassword``, an ``InternetPassword``, a ``Certificate`` or a
/// ``CryptographicKey``.
///
/// It is a value without a secret: what it says may be shown. To be stored it is given to ``Keychain``.
///
/// ```swift
/// func title(of item: some KeychainItem) -> String {
///     item.label?.string ?? "an item without a name"
/// }
/// ```
public protocol KeychainItem: Equatable, Sendable {
    /// The class of such items.
    static var itemClass: KeychainClass { get }

    /// The attributes by Apple's names, of which the other properties are views.
    var attributes: AttributeValues { get set }

    /// An item with these attributes.
    init(attributes: AttributeValues)
}

// What all items have.
extension KeychainItem {
    /// How people call the item: `kSecAttrLabel`.
    public var label: AttributeText? {
        get { attributes[text: "labl"] }
        set { attributes[text: "labl"] = newValue }
    }

    /// Another name for the item: `kSecAttrAlias`.
    public var alias: AttributeText? {
        get { attributes[text: "alis"] }
        set { attributes[text: "alis"] = newValue }
    }

    /// The group that the item belongs to: `kSecAttrAccessGroup`.
    ///
    /// Nil for an item that is to go to the first group of the program, or to stay where it is.
    public var accessGroup: String? {
        get { if case .string(let name)? = attributes["agrp"] { name } else { nil } }
        set { attributes["agrp"] = newValue.map { .string($0) } }
    }

    /// When the item can be read: `kSecAttrAccessible`.
    ///
    /// Nil for an item that is to get what is usual for its class, or to keep what it has. Whoever sets it takes the
    /// conditions of an ``accessControl`` away.
    public var accessibility: Accessibility? {
        get {
            if let control = attributes.accessControl { return control.accessibility }
            guard case .string(let name)? = attributes["pdmn"] else { return nil }
            return Accessibility(rawValue: name)
        }
        set {
            attributes["pdmn"] = newValue.map { .string($0.rawValue) }
            attributes["accc"] = nil
        }
    }

    /// When the item can be read, and what must be shown before: `kSecAttrAccessControl`; nil if nothing must.
    public var accessControl: AccessControl? {
        get { attributes.accessControl }
        set {
            guard newValue != nil || attributes.accessControl != nil else { return }
            attributes["accc"] = newValue.map { .accessControl($0) }
            attributes["pdmn"] = nil
        }
    }

    /// Whether the item may go to other machines of its user: `kSecAttrSynchronizable`.
    public var isSynchronizable: Bool {
        get { attributes[flag: "sync"] ?? false }
        set { attributes[flag: "sync"] = newValue ? true : nil }
    }

    /// Which part of what is synchronized the item belongs to: `kSecAttrSyncViewHint`.
    public var syncViewHint: AttributeText {
        get { attributes[keyText: "vwht"] }
        set { attributes[keyText: "vwht"] = newValue }
    }

    /// The token that the item is on: `kSecAttrTokenID`.
    public var tokenID: AttributeText {
        get { attributes[keyText: "tkid"] }
        set { attributes[keyText: "tkid"] = newValue }
    }
}
