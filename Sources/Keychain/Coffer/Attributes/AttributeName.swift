internal import KeyedArchive
internal import VaultFormat

/// The name of an attribute in requests, in answers and in the file.
///
/// ```swift
/// item.attributes[.label] = "Mail at home"
/// ```
public enum AttributeName: String, CaseIterable, Sendable {
    // MARK: - All classes

    /// `kSecAttrAccessControl`.
    case accessControl = "accc"
    /// `kSecAttrAccessGroup`.
    case accessGroup = "agrp"
    /// `kSecAttrAlias`.
    case alias = "alis"
    /// `kSecAttrCreationDate`.
    case creationDate = "cdat"
    /// `kSecAttrLabel`.
    case label = "labl"
    /// `kSecAttrModificationDate`.
    case modificationDate = "mdat"
    /// `kSecAttrAccessible`.
    case accessibility = "pdmn"
    /// `kSecAttrSHA1`.
    case sha1
    /// `kSecAttrSynchronizable`.
    case synchronizable = "sync"
    /// `kSecAttrTokenID`.
    case tokenID = "tkid"
    /// `kSecAttrTombstone`.
    case tombstone = "tomb"
    /// `kSecAttrSyncViewHint`.
    case syncViewHint = "vwht"

    // MARK: - Passwords

    /// `kSecAttrAccount`.
    case account = "acct"
    /// `kSecAttrCreator`.
    case creator = "crtr"
    /// `kSecAttrHasCustomIcon`.
    case hasCustomIcon = "cusi"
    /// `kSecAttrDescription`.
    case itemDescription = "desc"
    /// `kSecAttrGeneric`.
    case generic = "gena"
    /// `kSecAttrComment`.
    case comment = "icmt"
    /// `kSecAttrIsInvisible`.
    case isInvisible = "invi"
    /// `kSecAttrIsNegative`.
    case isNegative = "nega"
    /// An attribute of old keychains that has no constant.
    case protectedData = "prot"
    /// `kSecAttrScriptCode`.
    case scriptCode = "scrp"
    /// `kSecAttrService`.
    case service = "svce"
    /// `kSecAttrType`.
    case type

    // MARK: - Internet passwords

    /// `kSecAttrAuthenticationType`.
    case authenticationType = "atyp"
    /// `kSecAttrPath`.
    case path
    /// `kSecAttrPort`.
    case port
    /// `kSecAttrProtocol`.
    case `protocol` = "ptcl"
    /// `kSecAttrSecurityDomain`.
    case securityDomain = "sdmn"
    /// `kSecAttrServer`.
    case server = "srvr"

    // MARK: - Certificates

    /// `kSecAttrCertificateEncoding`.
    case certificateEncoding = "cenc"
    /// `kSecAttrCertificateType`.
    case certificateType = "ctyp"
    /// `kSecAttrIssuer`.
    case issuer = "issr"
    /// `kSecAttrPublicKeyHash`.
    case publicKeyHash = "pkhh"
    /// `kSecAttrSubjectKeyID`.
    case subjectKeyID = "skid"
    /// `kSecAttrSerialNumber`.
    case serialNumber = "slnr"
    /// `kSecAttrSubject`.
    case subject = "subj"

    // MARK: - Keys

    /// `kSecAttrWasAlwaysSensitive`.
    case wasAlwaysSensitive = "asen"
    /// `kSecAttrApplicationTag`.
    case applicationTag = "atag"
    /// `kSecAttrKeySizeInBits`.
    case keySizeInBits = "bsiz"
    /// `kSecAttrCanDecrypt`.
    case canDecrypt = "decr"
    /// `kSecAttrCanDerive`.
    case canDerive = "drve"
    /// `kSecAttrEndDate`.
    case endDate = "edat"
    /// `kSecAttrCanEncrypt`.
    case canEncrypt = "encr"
    /// `kSecAttrEffectiveKeySize`.
    case effectiveKeySize = "esiz"
    /// `kSecAttrIsExtractable`.
    case isExtractable = "extr"
    /// `kSecAttrKeyClass`.
    case keyClass = "kcls"
    /// `kSecAttrApplicationLabel`.
    case applicationLabel = "klbl"
    /// `kSecAttrIsModifiable`.
    case isModifiable = "modi"
    /// `kSecAttrWasNeverExtractable`.
    case wasNeverExtractable = "next"
    /// `kSecAttrIsPermanent`.
    case isPermanent = "perm"
    /// `kSecAttrIsPrivate`.
    case isPrivate = "priv"
    /// `kSecAttrStartDate`.
    case startDate = "sdat"
    /// `kSecAttrIsSensitive`.
    case isSensitive = "sens"
    /// `kSecAttrCanSign`.
    case canSign = "sign"
    /// `kSecAttrCanSignRecover`.
    case canSignRecover = "snrc"
    /// `kSecAttrCanUnwrap`.
    case canUnwrap = "unwp"
    /// `kSecAttrCanVerify`.
    case canVerify = "vrfy"
    /// `kSecAttrCanVerifyRecover`.
    case canVerifyRecover = "vyrc"
    /// `kSecAttrCanWrap`.
    case canWrap = "wrap"

    // MARK: - Set or used only by Apple's systems

    /// `kSecAttrUUID`.
    case uuid = "UUID"
    /// `kSecDataInetExtraClientDefined0`.
    case extraClientDefined0 = "bin0"
    /// `kSecDataInetExtraClientDefined1`.
    case extraClientDefined1 = "bin1"
    /// `kSecDataInetExtraClientDefined2`.
    case extraClientDefined2 = "bin2"
    /// `kSecDataInetExtraClientDefined3`.
    case extraClientDefined3 = "bin3"
    /// `kSecDataInetExtraHistory`.
    case extraHistory = "bini"
    /// `kSecDataInetExtraNotes`.
    case extraNotes = "binn"
    /// The mark of items of App Clips, which has no constant.
    case appClip = "clip"
    /// The encrypted data, which no request can name.
    case encryptedData = "data"
    /// `kSecAttrDeriveSyncIDFromItemAttributes`.
    case derivesSyncID = "dspk"
    /// `kSecAttrSharingGroup`.
    case sharingGroup = "ggrp"
    /// `kSecAttrMultiUser`.
    case user = "musr"
    /// `kSecAttrPCSPlaintextPublicIdentity`.
    case syncPublicIdentity = "pcsi"
    /// `kSecAttrPCSPlaintextPublicKey`.
    case syncPublicKey = "pcsk"
    /// `kSecAttrPCSPlaintextServiceIdentifier`.
    case syncServiceIdentifier = "pcss"
    /// `kSecAttrSysBound`.
    case systemBound = "sysb"
    /// The digest of the primary key, which no request can name.
    case primaryKey = "v_pk"

    private static let byText = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// The attribute whose name has the same bytes as `text`, or nil if none exists.
    ///
    /// This is a lookup, while `init(rawValue:)` compares `text` with one name after another.
    package init?(_ text: String) {
        guard let name = Self.byText[text] else { return nil }
        self = name
    }
}

extension [String: ItemValue] {
    /// The value of an attribute.
    package subscript(name: AttributeName) -> ItemValue? {
        get { self[name.rawValue] }
        set { self[name.rawValue] = newValue }
    }
}

extension InvalidRequest {
    /// A value of a kind that the attribute does not accept.
    static func value(of name: AttributeName) -> InvalidRequest { .value(of: name.rawValue) }
}

extension ItemAttributes {
    /// The value of an attribute.
    subscript(name: AttributeName) -> ArchiveValue? { self[name.rawValue] }
}

extension ItemClass {
    /// Whether the attribute is part of the primary key.
    func isInPrimaryKey(_ name: AttributeName) -> Bool {
        primaryKey.contains(name.rawValue) || Self.sharedPrimaryKey.contains(name.rawValue)
    }
}
