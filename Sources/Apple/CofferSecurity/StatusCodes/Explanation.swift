internal import Coffer

/// Explains a status that is not success: to the listener of the default keychain, or on standard error if `COFFER_LOG`
/// is set.
///
/// - Parameters:
///   - status: The status.
///   - reason: What is wrong and what to do, without any value.
///   - function: The function that was called.
/// - Returns: The status.
func explained(
    _ status: OSStatus,
    _ reason: @autoclosure () -> String,
    in function: StaticString = #function
) -> OSStatus {
    Keychain.default.explain { "\("\(function)".prefix { $0 != "(" }) failed with \(status): \(reason())" }
    return status
}

extension KeychainError {
    /// The error with the names of Apple's constants instead of the keys that they stand for.
    var withConstantNames: KeychainError {
        switch self {
        case .invalid(.unknownKey(let key)): .invalid(.unknownKey(constantName(key)))
        case .invalid(.value(let key)): .invalid(.value(of: constantName(key)))
        case .invalid(.keyNotAllowedHere(let key)): .invalid(.keyNotAllowedHere(constantName(key)))
        case .noSuchAttribute(let key): .noSuchAttribute(constantName(key))
        case .unsupportedCondition(let key): .unsupportedCondition(constantName(key))
        case .notEntitled(.reservedAttribute(let key)): .notEntitled(.reservedAttribute(constantName(key)))
        default: self
        }
    }
}

/// The name of the constant for a key; if it has no constant, the key itself.
func constantName(_ key: String) -> String { constantNames[key] ?? key }

private let constantNames = [
    "class": "kSecClass",
    "accc": "kSecAttrAccessControl", "acct": "kSecAttrAccount", "acls": "kSecAttrAccess",
    "agrp": "kSecAttrAccessGroup", "atag": "kSecAttrApplicationTag", "atyp": "kSecAttrAuthenticationType",
    "bsiz": "kSecAttrKeySizeInBits", "cdat": "kSecAttrCreationDate", "cenc": "kSecAttrCertificateEncoding",
    "crtr": "kSecAttrCreator", "ctyp": "kSecAttrCertificateType", "decr": "kSecAttrCanDecrypt",
    "desc": "kSecAttrDescription", "drve": "kSecAttrCanDerive", "encr": "kSecAttrCanEncrypt",
    "esiz": "kSecAttrEffectiveKeySize", "extr": "kSecAttrIsExtractable", "gena": "kSecAttrGeneric",
    "icmt": "kSecAttrComment", "invi": "kSecAttrIsInvisible", "issr": "kSecAttrIssuer", "kcls": "kSecAttrKeyClass",
    "klbl": "kSecAttrApplicationLabel", "labl": "kSecAttrLabel", "m_CaseInsensitive": "kSecMatchCaseInsensitive",
    "m_DiacriticInsensitive": "kSecMatchDiacriticInsensitive",
    "m_EmailAddressIfPresent": "kSecMatchEmailAddressIfPresent",
    "m_HostOrSubdomainOfHost": "kSecMatchHostOrSubdomainOfHost", "m_Issuers": "kSecMatchIssuers",
    "m_ItemList": "kSecMatchItemList", "m_Limit": "kSecMatchLimit", "m_Policy": "kSecMatchPolicy",
    "m_SearchList": "kSecMatchSearchList", "m_SubjectContains": "kSecMatchSubjectContains",
    "m_SubjectEndsWith": "kSecMatchSubjectEndsWith", "m_SubjectStartsWith": "kSecMatchSubjectStartsWith",
    "m_SubjectWholeString": "kSecMatchSubjectWholeString", "m_TrustedOnly": "kSecMatchTrustedOnly",
    "m_ValidOnDate": "kSecMatchValidOnDate", "m_WidthInsensitive": "kSecMatchWidthInsensitive",
    "mdat": "kSecAttrModificationDate", "nega": "kSecAttrIsNegative", "nleg": "kSecUseDataProtectionKeychain",
    "path": "kSecAttrPath", "pdmn": "kSecAttrAccessible", "perm": "kSecAttrIsPermanent",
    "pkhh": "kSecAttrPublicKeyHash", "port": "kSecAttrPort", "ptcl": "kSecAttrProtocol",
    "r_Attributes": "kSecReturnAttributes", "r_Data": "kSecReturnData", "r_PersistentRef": "kSecReturnPersistentRef",
    "r_Ref": "kSecReturnRef", "salt": "kSecAttrSalt", "sdmn": "kSecAttrSecurityDomain", "sens": "kSecAttrIsSensitive",
    "sign": "kSecAttrCanSign", "skid": "kSecAttrSubjectKeyID", "slnr": "kSecAttrSerialNumber",
    "srvr": "kSecAttrServer", "subj": "kSecAttrSubject", "svce": "kSecAttrService", "sync": "kSecAttrSynchronizable",
    "tkid": "kSecAttrTokenID", "type": "kSecAttrType", "u_AuthCtx": "kSecUseAuthenticationContext",
    "u_AuthUI": "kSecUseAuthenticationUI", "u_ItemList": "kSecUseItemList", "u_Keychain": "kSecUseKeychain",
    "u_NoAuthUI": "kSecUseNoAuthenticationUI", "u_OpPrompt": "kSecUseOperationPrompt",
    "u_UserIndependentKeychain": "kSecUseUserIndependentKeychain", "unwp": "kSecAttrCanUnwrap",
    "v_Data": "kSecValueData", "v_PersistentRef": "kSecValuePersistentRef", "v_Ref": "kSecValueRef",
    "vrfy": "kSecAttrCanVerify", "vwht": "kSecAttrSyncViewHint", "wrap": "kSecAttrCanWrap",
]
