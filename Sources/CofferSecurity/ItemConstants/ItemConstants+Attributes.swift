public import Foundation

// The attributes of items: what they are, and by what they are found.

/// Who may use an item: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecAttrAccess: CFString = "acls"
/// When an item can be read, and what must be shown before.
@safe public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"
/// The group of programs that an item belongs to.
@safe public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
/// The access group of items on tokens.
@safe public nonisolated(unsafe) let kSecAttrAccessGroupToken: CFString = "com.apple.token"
/// Whether an item may be synchronized with other devices.
@safe public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
/// Whether an item may be synchronized does not matter: a value of `kSecAttrSynchronizable` for searching.
@safe public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"
/// When an item was added.
@safe public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
/// When an item was changed last.
@safe public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
/// What an item is called where people see it.
@safe public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
/// What kind of item it is, in words for people.
@safe public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
/// What somebody noted about an item.
@safe public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
/// The program that made an item, as four characters in one number.
@safe public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
/// The type of an item, as four characters in one number.
@safe public nonisolated(unsafe) let kSecAttrType: CFString = "type"
/// Whether an item should not be shown to people.
@safe public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
/// Whether an item says that no password should be kept.
@safe public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
/// The account that a password is for.
@safe public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// The service that a password is for.
@safe public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// Data of a program's own about a password.
@safe public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
/// The host that a password is for.
@safe public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
/// The part of a server that a password is for, which servers call realm.
@safe public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
/// The port that a password is for.
@safe public nonisolated(unsafe) let kSecAttrPort: CFString = "port"
/// The path on the server that a password is for.
@safe public nonisolated(unsafe) let kSecAttrPath: CFString = "path"
/// The type of a certificate.
@safe public nonisolated(unsafe) let kSecAttrCertificateType: CFString = "ctyp"
/// The encoding of a certificate.
@safe public nonisolated(unsafe) let kSecAttrCertificateEncoding: CFString = "cenc"
/// Whom a certificate is about, as its DER encoding.
@safe public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"
/// Who issued a certificate, as its DER encoding.
@safe public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"
/// The number that the issuer gave to a certificate.
@safe public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"
/// The identifier of the key that a certificate is about.
@safe public nonisolated(unsafe) let kSecAttrSubjectKeyID: CFString = "skid"
/// The digest of the public key that a certificate is about.
@safe public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"
/// The persistent reference of an item: no request understands this key, use `kSecValuePersistentRef`.
@safe public nonisolated(unsafe) let kSecAttrPersistentReference: CFString = "persistref"
/// `kSecAttrPersistentReference`, as it was once misspelt.
@safe public nonisolated(unsafe) let kSecAttrPersistantReference: CFString = "persistref"
/// With which other items an item is synchronized: a note only, nothing here acts on it.
@safe public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"
/// The token that an item is on.
@safe public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"
/// The Secure Enclave as a token: no machine here has one.
@safe public nonisolated(unsafe) let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
