/// The reason why an operation on a keychain failed.
///
/// No case contains a secret. If Apple's keychain has a status code for an error, the case names it.
///
/// ```swift
/// do {
///     try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
/// } catch .duplicateItem {
///     try keychain.save(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
/// }
/// ```
public enum KeychainError: Error, Equatable, Sendable {
    /// The request is invalid (`errSecParam`, -50).
    case invalid(InvalidRequest)
    /// The class has no attribute with this name (`errSecNoSuchAttr`, -25303).
    case noSuchAttribute(String)
    /// The class is unknown, or differs from that of the persistent reference (`errSecNoSuchClass`, -25306).
    case noSuchClass(String)
    /// A condition is not supported for items of this class (`errSecUnimplemented`, -4).
    case unsupportedCondition(String)
    /// An item with the same primary key already exists (`errSecDuplicateItem`, -25299).
    case duplicateItem
    /// No item matches (`errSecItemNotFound`, -25300).
    case itemNotFound
    /// An item that matches, or may match, is locked (`errSecInteractionNotAllowed`, -25308).
    case locked
    /// The access control of an item demands the user, and nothing can or may ask (`errSecInteractionNotAllowed`, -25308).
    case authenticationRequired
    /// The user was not authenticated as the access control of an item demands (`errSecAuthFailed`, -25293).
    case authenticationFailed
    /// The user canceled (`errSecUserCanceled`, -128).
    case userCanceled
    /// The program may not use the group or has none, or an attribute is reserved (`errSecMissingEntitlement`, -34018).
    case notEntitled(MissingEntitlement)
    /// The entitlements of the program are invalid (`errSecMissingEntitlement`, -34018).
    case entitlements(EntitlementsError)
    /// The protection class requires a passphrase, and the vault has none (`errSecNotAvailable`, -25291).
    case noPassphrase
    /// The item was changed since the caller read it (no status code of Apple's).
    case revisionDiffers
    /// Several groups have an item with this reference, and none of them is the program's default group.
    case ambiguousReference
    /// The revision never existed or is no longer kept (`errSecItemNotFound`, -25300).
    case noSuchRevision
    /// A value of this type cannot be encoded (`errSecParam`, -50).
    case cannotEncode(String)
    /// The secret of the item is not a value of this type; the item is not changed (`errSecDecode`, -26275).
    case cannotDecode(String)
    /// The vault or the machine caused an error.
    case vault(VaultError)
}

/// The reason why a request is invalid.
///
/// ```swift
/// do {
///     _ = try keychain.items(GenericPassword.self, where: .attribute("acct", .other))
/// } catch .invalid(let reason) {
///     print(reason)  // "acct" has the wrong type or an invalid value
/// }
/// ```
public enum InvalidRequest: Equatable, Sendable {
    /// The class is missing or not text.
    case missingClass
    /// A key is unknown.
    case unknownKey(String)
    /// A key is not text.
    case keyNotText
    /// A value has a type that the key does not accept, or is invalid.
    case value(of: String)
    /// An accessibility and an access control contradict each other.
    case conflictingProtection
    /// A synchronizable item has conditions.
    case conditionsOnSynchronizableItem
    /// A key is not allowed in the operation.
    case keyNotAllowedHere(String)
    /// A persistent reference is combined with attributes.
    case referenceWithAttributes
    /// A persistent reference is invalid.
    case persistentReference
    /// There are more keys than a request can have.
    case tooManyKeys
}

/// The entitlement that a program lacks.
///
/// ```swift
/// let keychain = vault.keychain(for: AccessGroups(declared: ["TEAM.com.example.mail"]))
/// do {
///     _ = try keychain.items(GenericPassword.self, where: .group("TEAM.com.example.other"))
/// } catch .notEntitled(let missing) {
///     print(missing)  // the program may not use this access group; add it to the program's entitlements
/// }
/// ```
public enum MissingEntitlement: Equatable, Sendable {
    /// The program has no access group.
    case anyGroup
    /// The group is not one of the program's.
    case group(String)
    /// The group is not text.
    case groupNotText
    /// The attribute is reserved for parts of Apple's systems.
    case reservedAttribute(String)
}
