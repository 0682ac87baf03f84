internal import CofferBasics

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
    /// The item would get another primary key or group, and an item that lost against it in another copy of the vault would
    /// take its place (`errSecDuplicateItem`, -25299).
    case unresolvedConflict
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

// Messages do not name items or groups: they end up in logs, and a program knows what it asked for.
extension KeychainError: CustomStringConvertible {
    /// What happened, and what to do next.
    public var description: String {
        switch self {
        case .invalid(let reason): "invalid request: \(reason)"
        case .noSuchAttribute(let key):
            "items of this class have no attribute \"\(key.printable)\"; remove it, or check the class"
        case .noSuchClass:
            "the class is unknown, or differs from that of the persistent reference; use one of the five classes"
        case .unsupportedCondition(let key):
            "the condition \"\(key.printable)\" is unsupported for items of this class; remove it"
        case .duplicateItem:
            "an item with the same primary key already exists; update it, or delete it first"
        case .unresolvedConflict:
            "the item has a conflict with another copy of the vault; resolve it before renaming or moving the item"
        case .itemNotFound: "item not found; check the class, the attributes and the access group"
        case .locked: "the item, or one that may be it, is locked; unlock the vault and try again"
        case .authenticationRequired:
            "an item requires the user to authenticate, and nothing can or may ask; install an AuthenticationHost"
        case .authenticationFailed: "the user was not authenticated as the access control of an item requires"
        case .userCanceled: "the user canceled"
        case .notEntitled(let missing): missing.description
        case .entitlements(let error): error.description
        case .noPassphrase: "this protection class requires a passphrase; set one with `coffer passwd`"
        case .revisionDiffers: "the item was changed in the meantime; read it again and retry"
        case .ambiguousReference:
            "several groups have an item with this reference; find the item by its attributes and its access group"
        case .noSuchRevision: "revision not found: it never existed, or is no longer kept"
        case .cannotEncode(let type): "a value of type \(type) cannot be encoded; check its encode(to:)"
        case .cannotDecode(let type):
            "the secret of the item is not a valid \(type); ask for the type that was stored (the item is unchanged)"
        case .vault(let problem): problem.description
        }
    }
}

extension InvalidRequest: CustomStringConvertible {
    /// What is invalid, and what to do about it.
    public var description: String {
        switch self {
        case .missingClass: "kSecClass is missing or not text; set it to one of the five classes"
        case .unknownKey(let key): "unknown key \"\(key.printable)\"; remove it"
        case .keyNotText: "a key is not text; use the constants"
        case .value(let key):
            key.isEmpty
                ? "a value is too large, or of a type that cannot be stored"
                : "\"\(key.printable)\" has the wrong type or an invalid value"
        case .conflictingProtection:
            "the accessibility and the access control contradict each other; give only one of them"
        case .conditionsOnSynchronizableItem:
            "a synchronizable item cannot have access control conditions; remove one of the two"
        case .keyNotAllowedHere(let key):
            "the key \"\(key.printable)\" is not allowed in this operation; remove it"
        case .referenceWithAttributes:
            "a persistent reference cannot be combined with attributes; remove the attributes"
        case .persistentReference: "the persistent reference is invalid; use one that the keychain returned"
        case .tooManyKeys: "too many keys; remove those that are not needed"
        }
    }
}

extension MissingEntitlement: CustomStringConvertible {
    /// What is missing, and where to declare it.
    public var description: String {
        switch self {
        case .anyGroup: "the program's entitlements contain no access group; add one"
        case .group: "the program may not use this access group; add it to the program's entitlements"
        case .groupNotText: "the access group is not text; give its name as text"
        case .reservedAttribute(let key):
            "the attribute \"\(key.printable)\" is reserved for Apple's systems; remove it"
        }
    }
}

extension KeychainError {
    /// The status code that Apple's keychain has for the error, or the nearest one; see `Spec/status-codes.tsv`.
    package var appleStatus: Int32 {
        // No `default`: a new case must choose its status before it compiles.
        switch self {
        case .invalid, .cannotEncode: -50
        case .noSuchAttribute: -25303
        case .noSuchClass: -25306
        case .unsupportedCondition: -4
        case .duplicateItem, .unresolvedConflict: -25299
        case .itemNotFound, .noSuchRevision, .ambiguousReference: -25300
        case .locked, .authenticationRequired: -25308
        case .authenticationFailed: -25293
        case .userCanceled: -128
        case .notEntitled, .entitlements: -34018
        case .noPassphrase, .revisionDiffers: -25291
        case .cannotDecode: -26275
        case .vault(let problem): problem.kind.appleStatus
        }
    }
}

extension VaultError.Kind {
    fileprivate var appleStatus: Int32 {
        switch self {
        case .wrongSecret, .grantExpired: -25293
        case .secretNeeded: -25308
        case .notARecoveryCode: -50
        case .readOnly: -25292
        case .inputOutput: -36
        case .tooLarge: -25302
        case .damagedItem: -26275
        case .outOfMemory: -108
        case .cancelled: -128
        case .noVault, .damaged, .fileExists, .notAVault, .newerVersion, .deviceKeyNeeded, .secretUnavailable,
            .weakSecret, .diskFull, .busy, .rolledBack, .mustBeReopened, .fileReplaced, .unavailable:
            -25291
        }
    }
}
