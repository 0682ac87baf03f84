/// Why the keychain did not do what it was asked.
///
/// No case carries a secret. Where Apple's keychain answers with a number, the case says with which.
///
/// ```swift
/// do {
///     try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
/// } catch .duplicateItem {
///     try keychain.save(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
/// }
/// ```
public enum KeychainError: Error, Equatable, Sendable {
    /// What was asked makes no sense (`errSecParam`, -50).
    case invalid(InvalidRequest)
    /// The class has no attribute with this name (`errSecNoSuchAttr`, -25303).
    case noSuchAttribute(String)
    /// There is no such class, or another one than the persistent reference names (`errSecNoSuchClass`, -25306).
    case noSuchClass(String)
    /// A condition does not fit the class (`errSecUnimplemented`, -4).
    case unsupportedCondition(String)
    /// Another item has the same primary key (`errSecDuplicateItem`, -25299).
    case duplicateItem
    /// Nothing matches (`errSecItemNotFound`, -25300).
    case itemNotFound
    /// An item that matches, or may match, is locked (`errSecInteractionNotAllowed`, -25308).
    case locked
    /// The program may not use the group, or has none; an attribute is reserved (`errSecMissingEntitlement`, -34018).
    case notEntitled(MissingEntitlement)
    /// What the program declares about itself is wrong (`errSecMissingEntitlement`, -34018).
    case entitlements(EntitlementsError)
    /// The class of protection needs a passphrase, and the vault has none (`errSecNotAvailable`, -25291).
    case noPassphrase
    /// The item is not the one that the caller saw: it was changed meanwhile (Apple's keychain has no number for it).
    case revisionDiffers
    /// There never was such a past, or it is not kept any more (`errSecItemNotFound`, -25300).
    case noSuchRevision
    /// A value of this type does not let itself be encoded (`errSecParam`, -50).
    case cannotEncode(String)
    /// The data of the item are no value of this type; the item stays as it is (`errSecDecode`, -26275).
    case cannotDecode(String)
    /// The vault, or the machine, does not let it be done.
    case vault(VaultError)
}

/// What makes no sense in a request.
///
/// ```swift
/// do {
///     _ = try keychain.items(GenericPassword.self, where: .attribute("acct", .other))
/// } catch .invalid(let reason) {
///     print(reason)  // "acct" has the wrong type
/// }
/// ```
public enum InvalidRequest: Equatable, Sendable {
    /// The class is missing, or is no text.
    case missingClass
    /// A key that means nothing here.
    case unknownKey(String)
    /// A key that is no text.
    case keyOfAnotherKind
    /// A value of a kind that the key does not take.
    case value(of: String)
    /// A protection and an access control that say different things.
    case conflictingProtection
    /// Conditions on an item that is synchronizable.
    case conditionsOnSynchronizableItem
    /// A key that the operation does not take.
    case keyNotAllowedHere(String)
    /// A persistent reference, together with what it leaves nothing to say about.
    case referenceWithAttributes
    /// A persistent reference of no known form.
    case persistentReference
    /// More keys than a request has.
    case tooManyKeys
}

/// What a program would have to be entitled to.
///
/// ```swift
/// let keychain = vault.keychain(for: AccessGroups(declared: ["TEAM.com.example.mail"]))
/// do {
///     _ = try keychain.items(GenericPassword.self, where: .group("TEAM.com.example.other"))
/// } catch .notEntitled(let missing) {
///     print(missing)  // the program may not use the access group that it names; add the group to its entitlements
/// }
/// ```
public enum MissingEntitlement: Equatable, Sendable {
    /// The program has no access group at all.
    case anyGroup
    /// The group is not among those of the program.
    case group(String)
    /// The group is no text.
    case groupOfAnotherKind
    /// Only parts of Apple's systems set this attribute.
    case reservedAttribute(String)
}
