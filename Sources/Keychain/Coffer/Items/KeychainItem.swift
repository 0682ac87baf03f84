/// The attributes of a keychain item.
///
/// It is a ``GenericPassword``, an ``InternetPassword``, a ``Certificate`` or a ``CryptographicKey``: a value that does
/// not contain the secret, so it can be shown. To store it, pass it to a ``Keychain``.
///
/// Text is `String`. Apple's keychain takes any bytes in its place: those that are not UTF-8 are read as U+FFFD, and are
/// exact in properties such as ``KeychainPassword/accountBytes``, and in ``attributes``. Text is found by its bytes: an é
/// written as one character and an é written as two are different accounts, although the two strings are equal.
///
/// ```swift
/// func title(of item: some KeychainItem) -> String {
///     item.label ?? "an item without a name"
/// }
/// ```
public protocol KeychainItem: Equatable, Sendable {
    /// The class of these items.
    static var itemClass: KeychainClass { get }

    /// The attributes, by Apple's names; the other properties read and write them.
    var attributes: AttributeValues { get set }

    /// Creates an item with these attributes.
    init(attributes: AttributeValues)
}

// Attributes that all items have.
extension KeychainItem {
    /// The name of the item, as shown to people: `kSecAttrLabel`.
    public var label: String? {
        get { attributes[text: .label] }
        set { attributes[text: .label] = newValue }
    }

    /// Another name for the item: `kSecAttrAlias`.
    public var alias: String? {
        get { attributes[text: .alias] }
        set { attributes[text: .alias] = newValue }
    }

    /// The access group that the item belongs to: `kSecAttrAccessGroup`.
    ///
    /// If it is nil, a new item goes to the first group of the program, and an existing item stays in its group.
    public var accessGroup: String? {
        get { if case .string(let name)? = attributes[.accessGroup] { name } else { nil } }
        set { attributes[.accessGroup] = newValue.map { .string($0) } }
    }

    /// When the item can be read: `kSecAttrAccessible`.
    ///
    /// If it is nil, a new item gets the default of its class, and an existing item keeps its accessibility. Setting it
    /// removes the conditions of an ``accessControl``.
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

    /// When the item can be read, and under which conditions: `kSecAttrAccessControl`; nil if there are no conditions.
    public var accessControl: AccessControl? {
        get { attributes.accessControl }
        set {
            guard newValue != nil || attributes.accessControl != nil else { return }
            attributes[.accessControl] = newValue.map { .accessControl($0) }
            attributes[.accessibility] = nil
        }
    }

    /// Whether the item may be copied to the user's other machines: `kSecAttrSynchronizable`.
    public var isSynchronizable: Bool {
        get { attributes[flag: .synchronizable] ?? false }
        set { attributes[flag: .synchronizable] = newValue ? true : nil }
    }

    /// The part of the synchronized items that the item belongs to: `kSecAttrSyncViewHint`.
    public var syncViewHint: String {
        get { attributes[keyText: .syncViewHint] }
        set { attributes[keyText: .syncViewHint] = newValue }
    }

    /// The token that the item is on: `kSecAttrTokenID`.
    public var tokenID: String {
        get { attributes[keyText: .tokenID] }
        set { attributes[keyText: .tokenID] = newValue }
    }
}
