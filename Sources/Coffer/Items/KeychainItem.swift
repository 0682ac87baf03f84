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
        get { attributes[text: .label] }
        set { attributes[text: .label] = newValue }
    }

    /// Another name for the item: `kSecAttrAlias`.
    public var alias: AttributeText? {
        get { attributes[text: .alias] }
        set { attributes[text: .alias] = newValue }
    }

    /// The group that the item belongs to: `kSecAttrAccessGroup`.
    ///
    /// Nil for an item that is to go to the first group of the program, or to stay where it is.
    public var accessGroup: String? {
        get { if case .string(let name)? = attributes[.accessGroup] { name } else { nil } }
        set { attributes[.accessGroup] = newValue.map { .string($0) } }
    }

    /// When the item can be read: `kSecAttrAccessible`.
    ///
    /// Nil for an item that is to get what is usual for its class, or to keep what it has. Whoever sets it takes the
    /// conditions of an ``accessControl`` away.
    public var accessibility: Accessibility? {
        get {
            if let control = attributes.accessControl { return control.accessibility }
            guard case .string(let name)? = attributes[.accessibility] else { return nil }
            return Accessibility(rawValue: name)
        }
        set {
            attributes[.accessibility] = newValue.map { .string($0.rawValue) }
            attributes[.accessControl] = nil
        }
    }

    /// When the item can be read, and what must be shown before: `kSecAttrAccessControl`; nil if nothing must.
    public var accessControl: AccessControl? {
        get { attributes.accessControl }
        set {
            guard newValue != nil || attributes.accessControl != nil else { return }
            attributes[.accessControl] = newValue.map { .accessControl($0) }
            attributes[.accessibility] = nil
        }
    }

    /// Whether the item may go to other machines of its user: `kSecAttrSynchronizable`.
    public var isSynchronizable: Bool {
        get { attributes[flag: .synchronizable] ?? false }
        set { attributes[flag: .synchronizable] = newValue ? true : nil }
    }

    /// Which part of what is synchronized the item belongs to: `kSecAttrSyncViewHint`.
    public var syncViewHint: AttributeText {
        get { attributes[keyText: .syncViewHint] }
        set { attributes[keyText: .syncViewHint] = newValue }
    }

    /// The token that the item is on: `kSecAttrTokenID`.
    public var tokenID: AttributeText {
        get { attributes[keyText: .tokenID] }
        set { attributes[keyText: .tokenID] = newValue }
    }
}
