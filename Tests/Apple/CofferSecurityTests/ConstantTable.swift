import Security
import Testing

/// A constant and its published value.
struct PublishedConstant: Sendable, CustomTestStringConvertible {
    let name: String
    let value: String
    let expected: String

    init(_ name: String, _ constant: CFString, _ expected: String) {
        self.name = name
        value = constant as String
        self.expected = expected
    }

    var testDescription: String { name }
}

// Expected values are transcribed from Apple's publications, not from the sources of this package.
extension PublishedConstant {
    static let all =
        [
            classes, accessibility, protocols, authenticationTypes, keys, attributes,
            matching, returning, values, using, importing, policies, trustResults, onlyOfOlderKeychain,
        ].flatMap(\.self)

    private static let classes: [PublishedConstant] = [
        .init("kSecClass", kSecClass, "class"),
        .init("kSecClassCertificate", kSecClassCertificate, "cert"),
        .init("kSecClassGenericPassword", kSecClassGenericPassword, "genp"),
        .init("kSecClassIdentity", kSecClassIdentity, "idnt"),
        .init("kSecClassInternetPassword", kSecClassInternetPassword, "inet"),
        .init("kSecClassKey", kSecClassKey, "keys"),
    ]

    private static let accessibility: [PublishedConstant] = [
        .init("kSecAttrAccessible", kSecAttrAccessible, "pdmn"),
        .init("kSecAttrAccessibleAfterFirstUnlock", kSecAttrAccessibleAfterFirstUnlock, "ck"),
        .init(
            "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly",
            kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            "cku"
        ),
        .init("kSecAttrAccessibleAlways", kSecAttrAccessibleAlways, "dk"),
        .init("kSecAttrAccessibleAlwaysThisDeviceOnly", kSecAttrAccessibleAlwaysThisDeviceOnly, "dku"),
        .init(
            "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly",
            kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
            "akpu"
        ),
        .init("kSecAttrAccessibleWhenUnlocked", kSecAttrAccessibleWhenUnlocked, "ak"),
        .init("kSecAttrAccessibleWhenUnlockedThisDeviceOnly", kSecAttrAccessibleWhenUnlockedThisDeviceOnly, "aku"),
    ]

    private static let protocols: [PublishedConstant] = [
        .init("kSecAttrProtocol", kSecAttrProtocol, "ptcl"),
        .init("kSecAttrProtocolAFP", kSecAttrProtocolAFP, "afp "),
        .init("kSecAttrProtocolAppleTalk", kSecAttrProtocolAppleTalk, "atlk"),
        .init("kSecAttrProtocolDAAP", kSecAttrProtocolDAAP, "daap"),
        .init("kSecAttrProtocolEPPC", kSecAttrProtocolEPPC, "eppc"),
        .init("kSecAttrProtocolFTP", kSecAttrProtocolFTP, "ftp "),
        .init("kSecAttrProtocolFTPAccount", kSecAttrProtocolFTPAccount, "ftpa"),
        .init("kSecAttrProtocolFTPProxy", kSecAttrProtocolFTPProxy, "ftpx"),
        .init("kSecAttrProtocolFTPS", kSecAttrProtocolFTPS, "ftps"),
        .init("kSecAttrProtocolHTTP", kSecAttrProtocolHTTP, "http"),
        .init("kSecAttrProtocolHTTPProxy", kSecAttrProtocolHTTPProxy, "htpx"),
        .init("kSecAttrProtocolHTTPS", kSecAttrProtocolHTTPS, "htps"),
        .init("kSecAttrProtocolHTTPSProxy", kSecAttrProtocolHTTPSProxy, "htsx"),
        .init("kSecAttrProtocolIMAP", kSecAttrProtocolIMAP, "imap"),
        .init("kSecAttrProtocolIMAPS", kSecAttrProtocolIMAPS, "imps"),
        .init("kSecAttrProtocolIPP", kSecAttrProtocolIPP, "ipp "),
        .init("kSecAttrProtocolIRC", kSecAttrProtocolIRC, "irc "),
        .init("kSecAttrProtocolIRCS", kSecAttrProtocolIRCS, "ircs"),
        .init("kSecAttrProtocolLDAP", kSecAttrProtocolLDAP, "ldap"),
        .init("kSecAttrProtocolLDAPS", kSecAttrProtocolLDAPS, "ldps"),
        .init("kSecAttrProtocolNNTP", kSecAttrProtocolNNTP, "nntp"),
        .init("kSecAttrProtocolNNTPS", kSecAttrProtocolNNTPS, "ntps"),
        .init("kSecAttrProtocolPOP3", kSecAttrProtocolPOP3, "pop3"),
        .init("kSecAttrProtocolPOP3S", kSecAttrProtocolPOP3S, "pops"),
        .init("kSecAttrProtocolRTSP", kSecAttrProtocolRTSP, "rtsp"),
        .init("kSecAttrProtocolRTSPProxy", kSecAttrProtocolRTSPProxy, "rtsx"),
        .init("kSecAttrProtocolSMB", kSecAttrProtocolSMB, "smb "),
        .init("kSecAttrProtocolSMTP", kSecAttrProtocolSMTP, "smtp"),
        .init("kSecAttrProtocolSOCKS", kSecAttrProtocolSOCKS, "sox "),
        .init("kSecAttrProtocolSSH", kSecAttrProtocolSSH, "ssh "),
        .init("kSecAttrProtocolTelnet", kSecAttrProtocolTelnet, "teln"),
        .init("kSecAttrProtocolTelnetS", kSecAttrProtocolTelnetS, "tels"),
    ]

    private static let authenticationTypes: [PublishedConstant] = [
        .init("kSecAttrAuthenticationType", kSecAttrAuthenticationType, "atyp"),
        .init("kSecAttrAuthenticationTypeDPA", kSecAttrAuthenticationTypeDPA, "dpaa"),
        .init("kSecAttrAuthenticationTypeDefault", kSecAttrAuthenticationTypeDefault, "dflt"),
        .init("kSecAttrAuthenticationTypeHTMLForm", kSecAttrAuthenticationTypeHTMLForm, "form"),
        .init("kSecAttrAuthenticationTypeHTTPBasic", kSecAttrAuthenticationTypeHTTPBasic, "http"),
        .init("kSecAttrAuthenticationTypeHTTPDigest", kSecAttrAuthenticationTypeHTTPDigest, "httd"),
        .init("kSecAttrAuthenticationTypeMSN", kSecAttrAuthenticationTypeMSN, "msna"),
        .init("kSecAttrAuthenticationTypeNTLM", kSecAttrAuthenticationTypeNTLM, "ntlm"),
        .init("kSecAttrAuthenticationTypeRPA", kSecAttrAuthenticationTypeRPA, "rpaa"),
    ]

    private static let keys: [PublishedConstant] = [
        .init("kSecAttrKeyClass", kSecAttrKeyClass, "kcls"),
        .init("kSecAttrKeyClassPrivate", kSecAttrKeyClassPrivate, "1"),
        .init("kSecAttrKeyClassPublic", kSecAttrKeyClassPublic, "0"),
        .init("kSecAttrKeyClassSymmetric", kSecAttrKeyClassSymmetric, "2"),
        .init("kSecAttrKeyType", kSecAttrKeyType, "type"),
        .init("kSecAttrKeyTypeEC", kSecAttrKeyTypeEC, "73"),
        .init("kSecAttrKeyTypeECSECPrimeRandom", kSecAttrKeyTypeECSECPrimeRandom, "73"),
        .init("kSecAttrKeyTypeRSA", kSecAttrKeyTypeRSA, "42"),
    ]

    private static let attributes: [PublishedConstant] = [
        .init("kSecAttrAccessControl", kSecAttrAccessControl, "accc"),
        .init("kSecAttrAccessGroup", kSecAttrAccessGroup, "agrp"),
        .init("kSecAttrAccessGroupToken", kSecAttrAccessGroupToken, "com.apple.token"),
        .init("kSecAttrAccount", kSecAttrAccount, "acct"),
        .init("kSecAttrApplicationLabel", kSecAttrApplicationLabel, "klbl"),
        .init("kSecAttrApplicationTag", kSecAttrApplicationTag, "atag"),
        .init("kSecAttrCanDecrypt", kSecAttrCanDecrypt, "decr"),
        .init("kSecAttrCanDerive", kSecAttrCanDerive, "drve"),
        .init("kSecAttrCanEncrypt", kSecAttrCanEncrypt, "encr"),
        .init("kSecAttrCanSign", kSecAttrCanSign, "sign"),
        .init("kSecAttrCanUnwrap", kSecAttrCanUnwrap, "unwp"),
        .init("kSecAttrCanVerify", kSecAttrCanVerify, "vrfy"),
        .init("kSecAttrCanWrap", kSecAttrCanWrap, "wrap"),
        .init("kSecAttrCertificateEncoding", kSecAttrCertificateEncoding, "cenc"),
        .init("kSecAttrCertificateType", kSecAttrCertificateType, "ctyp"),
        .init("kSecAttrComment", kSecAttrComment, "icmt"),
        .init("kSecAttrCreationDate", kSecAttrCreationDate, "cdat"),
        .init("kSecAttrCreator", kSecAttrCreator, "crtr"),
        .init("kSecAttrDescription", kSecAttrDescription, "desc"),
        .init("kSecAttrEffectiveKeySize", kSecAttrEffectiveKeySize, "esiz"),
        .init("kSecAttrGeneric", kSecAttrGeneric, "gena"),
        .init("kSecAttrIsExtractable", kSecAttrIsExtractable, "extr"),
        .init("kSecAttrIsInvisible", kSecAttrIsInvisible, "invi"),
        .init("kSecAttrIsNegative", kSecAttrIsNegative, "nega"),
        .init("kSecAttrIsPermanent", kSecAttrIsPermanent, "perm"),
        .init("kSecAttrIsSensitive", kSecAttrIsSensitive, "sens"),
        .init("kSecAttrIssuer", kSecAttrIssuer, "issr"),
        .init("kSecAttrKeySizeInBits", kSecAttrKeySizeInBits, "bsiz"),
        .init("kSecAttrLabel", kSecAttrLabel, "labl"),
        .init("kSecAttrModificationDate", kSecAttrModificationDate, "mdat"),
        .init("kSecAttrPath", kSecAttrPath, "path"),
        .init("kSecAttrPersistantReference", kSecAttrPersistantReference, "persistref"),
        .init("kSecAttrPersistentReference", kSecAttrPersistentReference, "persistref"),
        .init("kSecAttrPort", kSecAttrPort, "port"),
        .init("kSecAttrPublicKeyHash", kSecAttrPublicKeyHash, "pkhh"),
        .init("kSecAttrSecurityDomain", kSecAttrSecurityDomain, "sdmn"),
        .init("kSecAttrSerialNumber", kSecAttrSerialNumber, "slnr"),
        .init("kSecAttrServer", kSecAttrServer, "srvr"),
        .init("kSecAttrService", kSecAttrService, "svce"),
        .init("kSecAttrSubject", kSecAttrSubject, "subj"),
        .init("kSecAttrSubjectKeyID", kSecAttrSubjectKeyID, "skid"),
        .init("kSecAttrSyncViewHint", kSecAttrSyncViewHint, "vwht"),
        .init("kSecAttrSynchronizable", kSecAttrSynchronizable, "sync"),
        .init("kSecAttrSynchronizableAny", kSecAttrSynchronizableAny, "syna"),
        .init("kSecAttrTokenID", kSecAttrTokenID, "tkid"),
        .init("kSecAttrTokenIDSecureEnclave", kSecAttrTokenIDSecureEnclave, "com.apple.setoken"),
        .init("kSecAttrType", kSecAttrType, "type"),
    ]

    private static let matching: [PublishedConstant] = [
        .init("kSecMatchCaseInsensitive", kSecMatchCaseInsensitive, "m_CaseInsensitive"),
        .init("kSecMatchEmailAddressIfPresent", kSecMatchEmailAddressIfPresent, "m_EmailAddressIfPresent"),
        .init("kSecMatchHostOrSubdomainOfHost", kSecMatchHostOrSubdomainOfHost, "m_HostOrSubdomainOfHost"),
        .init("kSecMatchIssuers", kSecMatchIssuers, "m_Issuers"),
        .init("kSecMatchItemList", kSecMatchItemList, "m_ItemList"),
        .init("kSecMatchLimit", kSecMatchLimit, "m_Limit"),
        .init("kSecMatchLimitAll", kSecMatchLimitAll, "m_LimitAll"),
        .init("kSecMatchLimitOne", kSecMatchLimitOne, "m_LimitOne"),
        .init("kSecMatchPolicy", kSecMatchPolicy, "m_Policy"),
        .init("kSecMatchSearchList", kSecMatchSearchList, "m_SearchList"),
        .init("kSecMatchSubjectContains", kSecMatchSubjectContains, "m_SubjectContains"),
        .init("kSecMatchTrustedOnly", kSecMatchTrustedOnly, "m_TrustedOnly"),
        .init("kSecMatchValidOnDate", kSecMatchValidOnDate, "m_ValidOnDate"),
    ]

    private static let returning: [PublishedConstant] = [
        .init("kSecReturnAttributes", kSecReturnAttributes, "r_Attributes"),
        .init("kSecReturnData", kSecReturnData, "r_Data"),
        .init("kSecReturnPersistentRef", kSecReturnPersistentRef, "r_PersistentRef"),
        .init("kSecReturnRef", kSecReturnRef, "r_Ref"),
    ]

    private static let values: [PublishedConstant] = [
        .init("kSecValueData", kSecValueData, "v_Data"),
        .init("kSecValuePersistentRef", kSecValuePersistentRef, "v_PersistentRef"),
        .init("kSecValueRef", kSecValueRef, "v_Ref"),
    ]

    private static let using: [PublishedConstant] = [
        .init("kSecUseAuthenticationContext", kSecUseAuthenticationContext, "u_AuthCtx"),
        .init("kSecUseAuthenticationUI", kSecUseAuthenticationUI, "u_AuthUI"),
        .init("kSecUseAuthenticationUIAllow", kSecUseAuthenticationUIAllow, "u_AuthUIA"),
        .init("kSecUseAuthenticationUIFail", kSecUseAuthenticationUIFail, "u_AuthUIF"),
        .init("kSecUseAuthenticationUISkip", kSecUseAuthenticationUISkip, "u_AuthUIS"),
        .init("kSecUseDataProtectionKeychain", kSecUseDataProtectionKeychain, "nleg"),
        .init("kSecUseItemList", kSecUseItemList, "u_ItemList"),
        .init("kSecUseNoAuthenticationUI", kSecUseNoAuthenticationUI, "u_NoAuthUI"),
        .init("kSecUseOperationPrompt", kSecUseOperationPrompt, "u_OpPrompt"),
        .init("kSecUseUserIndependentKeychain", kSecUseUserIndependentKeychain, "u_UserIndependentKeychain"),
    ]

    private static let importing: [PublishedConstant] = [
        .init("kSecImportExportPassphrase", kSecImportExportPassphrase, "passphrase"),
        .init("kSecImportItemCertChain", kSecImportItemCertChain, "chain"),
        .init("kSecImportItemIdentity", kSecImportItemIdentity, "identity"),
        .init("kSecImportItemKeyID", kSecImportItemKeyID, "keyid"),
        .init("kSecImportItemLabel", kSecImportItemLabel, "label"),
        .init("kSecImportItemTrust", kSecImportItemTrust, "trust"),
        .init("kSecImportToMemoryOnly", kSecImportToMemoryOnly, "memory"),
        .init("kSecPrivateKeyAttrs", kSecPrivateKeyAttrs, "private"),
        .init("kSecPublicKeyAttrs", kSecPublicKeyAttrs, "public"),
        .init("kSecSharedPassword", kSecSharedPassword, "spwd"),
    ]

    private static let policies: [PublishedConstant] = [
        .init("kSecPolicyAppleX509Basic", kSecPolicyAppleX509Basic, "1.2.840.113635.100.1.2"),
        .init("kSecPolicyAppleSSL", kSecPolicyAppleSSL, "1.2.840.113635.100.1.3"),
        .init("kSecPolicyAppleSMIME", kSecPolicyAppleSMIME, "1.2.840.113635.100.1.8"),
        .init("kSecPolicyAppleEAP", kSecPolicyAppleEAP, "1.2.840.113635.100.1.9"),
        .init("kSecPolicyAppleIPsec", kSecPolicyAppleIPsec, "1.2.840.113635.100.1.11"),
        .init("kSecPolicyApplePKINITClient", kSecPolicyApplePKINITClient, "1.2.840.113635.100.1.14"),
        .init("kSecPolicyApplePKINITServer", kSecPolicyApplePKINITServer, "1.2.840.113635.100.1.15"),
        .init("kSecPolicyAppleCodeSigning", kSecPolicyAppleCodeSigning, "1.2.840.113635.100.1.16"),
        .init("kSecPolicyAppleIDValidation", kSecPolicyAppleIDValidation, "1.2.840.113635.100.1.18"),
        .init("kSecPolicyMacAppStoreReceipt", kSecPolicyMacAppStoreReceipt, "1.2.840.113635.100.1.19"),
        .init("kSecPolicyAppleTimeStamping", kSecPolicyAppleTimeStamping, "1.2.840.113635.100.1.20"),
        .init("kSecPolicyAppleRevocation", kSecPolicyAppleRevocation, "1.2.840.113635.100.1.21"),
        .init("kSecPolicyApplePassbookSigning", kSecPolicyApplePassbookSigning, "1.2.840.113635.100.1.22"),
        .init("kSecPolicyApplePayIssuerEncryption", kSecPolicyApplePayIssuerEncryption, "1.2.840.113635.100.1.39"),
        .init("kSecPolicyOid", kSecPolicyOid, "SecPolicyOid"),
        .init("kSecPolicyName", kSecPolicyName, "SecPolicyName"),
        .init("kSecPolicyClient", kSecPolicyClient, "SecPolicyClient"),
        .init("kSecPolicyRevocationFlags", kSecPolicyRevocationFlags, "SecPolicyRevocationFlags"),
        .init("kSecPolicyTeamIdentifier", kSecPolicyTeamIdentifier, "SecPolicyTeamIdentifier"),
    ]

    private static let trustResults: [PublishedConstant] = [
        .init("kSecTrustResultValue", kSecTrustResultValue, "TrustResultValue"),
        .init("kSecTrustEvaluationDate", kSecTrustEvaluationDate, "TrustEvaluationDate"),
        .init("kSecTrustExtendedValidation", kSecTrustExtendedValidation, "TrustExtendedValidation"),
        .init("kSecTrustOrganizationName", kSecTrustOrganizationName, "Organization"),
        .init("kSecTrustRevocationChecked", kSecTrustRevocationChecked, "TrustRevocationChecked"),
        .init("kSecTrustRevocationValidUntilDate", kSecTrustRevocationValidUntilDate, "TrustExpirationDate"),
        .init("kSecTrustCertificateTransparency", kSecTrustCertificateTransparency, "TrustCertificateTransparency"),
    ]

    private static let onlyOfOlderKeychain: [PublishedConstant] = [
        .init("kSecAttrKeyType3DES", kSecAttrKeyType3DES, "17"),
        .init("kSecAttrKeyTypeAES", kSecAttrKeyTypeAES, "2147483649"),
        .init("kSecAttrKeyTypeCAST", kSecAttrKeyTypeCAST, "56"),
        .init("kSecAttrKeyTypeDES", kSecAttrKeyTypeDES, "14"),
        .init("kSecAttrKeyTypeDSA", kSecAttrKeyTypeDSA, "43"),
        .init("kSecAttrKeyTypeECDSA", kSecAttrKeyTypeECDSA, "73"),
        .init("kSecAttrKeyTypeRC2", kSecAttrKeyTypeRC2, "23"),
        .init("kSecAttrKeyTypeRC4", kSecAttrKeyTypeRC4, "25"),
        .init("kSecAttrAccess", kSecAttrAccess, "acls"),
        .init("kSecAttrPRF", kSecAttrPRF, "prf"),
        .init("kSecAttrPRFHmacAlgSHA1", kSecAttrPRFHmacAlgSHA1, "hsha1"),
        .init("kSecAttrPRFHmacAlgSHA224", kSecAttrPRFHmacAlgSHA224, "hsha224"),
        .init("kSecAttrPRFHmacAlgSHA256", kSecAttrPRFHmacAlgSHA256, "hsha256"),
        .init("kSecAttrPRFHmacAlgSHA384", kSecAttrPRFHmacAlgSHA384, "hsha384"),
        .init("kSecAttrPRFHmacAlgSHA512", kSecAttrPRFHmacAlgSHA512, "hsha512"),
        .init("kSecAttrRounds", kSecAttrRounds, "rounds"),
        .init("kSecAttrSalt", kSecAttrSalt, "salt"),
        .init("kSecMatchDiacriticInsensitive", kSecMatchDiacriticInsensitive, "m_DiacriticInsensitive"),
        .init("kSecMatchSubjectEndsWith", kSecMatchSubjectEndsWith, "m_SubjectEndsWith"),
        .init("kSecMatchSubjectStartsWith", kSecMatchSubjectStartsWith, "m_SubjectStartsWith"),
        .init("kSecMatchSubjectWholeString", kSecMatchSubjectWholeString, "m_SubjectWholeString"),
        .init("kSecMatchWidthInsensitive", kSecMatchWidthInsensitive, "m_WidthInsensitive"),
        .init("kSecUseKeychain", kSecUseKeychain, "u_Keychain"),
    ]
}
