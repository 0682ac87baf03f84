internal import CofferBasics

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
        case .itemNotFound: "item not found; check the class, the attributes and the access group"
        case .locked: "an item that matches, or may match, is locked; unlock the vault and try again"
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
