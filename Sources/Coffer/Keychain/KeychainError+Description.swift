internal import CofferBasics

// Messages name no item and no group: they end in logs, and a program knows what it has asked for.
extension KeychainError: CustomStringConvertible {
    /// What happened, and what to do next.
    public var description: String {
        switch self {
        case .invalid(let reason): "the request makes no sense: \(reason)"
        case .noSuchAttribute(let key):
            "items of this class have no attribute \"\(key.printable)\"; leave it out, or look at the class"
        case .noSuchClass:
            "there is no such class of items, or the persistent reference is of another class; name one of the five"
        case .unsupportedCondition(let key):
            "the condition \"\(key.printable)\" is not there for items of this class; leave it out"
        case .duplicateItem:
            "an item with the same primary key is there already; update that one, or delete it first"
        case .itemNotFound: "no item matches; look at the class, the attributes and the access group"
        case .locked: "an item that matches, or may match, is locked; unlock the vault and try again"
        case .notEntitled(let missing): missing.description
        case .entitlements(let error): error.description
        case .noPassphrase: "such an item exists only in a vault that has a passphrase; set one first"
        case .revisionDiffers: "the item was changed meanwhile; look at it again, and decide anew"
        case .noSuchRevision: "there never was such a past, or it is not kept any more"
        case .cannotEncode(let type): "a value of type \(type) does not let itself be encoded; look at its encode(to:)"
        case .cannotDecode(let type):
            "the data of the item are no value of type \(type); ask for what was stored, the item stays as it is"
        case .vault(let problem): problem.description
        }
    }
}

extension InvalidRequest: CustomStringConvertible {
    /// What makes no sense, and what would.
    public var description: String {
        switch self {
        case .missingClass: "it names no class; add \"class\""
        case .unknownKey(let key): "the key \"\(key.printable)\" means nothing here; leave it out"
        case .keyOfAnotherKind: "a key is no text; use the constants"
        case .value(let key):
            key.isEmpty
                ? "a value is too large, or of a kind that cannot be stored; store less"
                : "\"\(key.printable)\" has the wrong type"
        case .conflictingProtection:
            "its protection and its access control say different things; give one of them"
        case .conditionsOnSynchronizableItem:
            "an item that is synchronizable cannot have conditions; leave out one of the two"
        case .keyNotAllowedHere(let key):
            "the key \"\(key.printable)\" has no place in this operation; leave it out"
        case .referenceWithAttributes:
            "a persistent reference names one item already; leave out the attributes"
        case .persistentReference: "that is no persistent reference; use one that was returned"
        case .tooManyKeys: "it has more keys than any request; leave out what is not needed"
        }
    }
}

extension MissingEntitlement: CustomStringConvertible {
    /// What is missing, and where to declare it.
    public var description: String {
        switch self {
        case .anyGroup: "the program has declared entitlements without any access group; add one to them"
        case .group: "the program may not use the access group that it names; add the group to its entitlements"
        case .groupOfAnotherKind: "an access group is named by text; give its name as text"
        case .reservedAttribute(let key):
            "the attribute \"\(key.printable)\" is for parts of Apple's systems only; leave it out"
        }
    }
}
