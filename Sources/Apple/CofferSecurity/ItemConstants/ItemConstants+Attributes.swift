public import Foundation

// The attributes of items.

/// Access rights of an item; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecAttrAccess: CFString = "acls"
/// The access control of an item: when it can be read, and what the user must present first.
@safe public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"
/// The access group that an item belongs to.
@safe public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
/// The access group of items on tokens.
@safe public nonisolated(unsafe) let kSecAttrAccessGroupToken: CFString = "com.apple.token"
/// Whether an item may be synchronized with other devices.
@safe public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
/// In a search: both items that may be synchronized and items that may not; a value of `kSecAttrSynchronizable`.
@safe public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"
/// The date on which an item was added.
@safe public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
/// The date on which an item was last changed.
@safe public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
/// The name of an item that people see.
@safe public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
/// The kind of an item, in words for people.
@safe public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
/// A comment on an item.
@safe public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
/// The program that created an item, as a four-character code.
@safe public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
/// The type of an item, as a four-character code.
@safe public nonisolated(unsafe) let kSecAttrType: CFString = "type"
/// Whether an item is hidden from people.
@safe public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
/// Whether an item records that no password is to be stored.
@safe public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
/// The account that a password is for.
@safe public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// The service that a password is for.
@safe public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// Arbitrary data that a program attaches to a password.
@safe public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
/// The host that a password is for.
@safe public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
/// The security domain (realm) of a server that a password is for.
@safe public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
/// The port that a password is for.
@safe public nonisolated(unsafe) let kSecAttrPort: CFString = "port"
/// The path on the server that a password is for.
@safe public nonisolated(unsafe) let kSecAttrPath: CFString = "path"
/// The type of a certificate.
@safe public nonisolated(unsafe) let kSecAttrCertificateType: CFString = "ctyp"
/// The encoding of a certificate.
@safe public nonisolated(unsafe) let kSecAttrCertificateEncoding: CFString = "cenc"
/// The subject of a certificate, in DER.
@safe public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"
/// The issuer of a certificate, in DER.
@safe public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"
/// The serial number of a certificate.
@safe public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"
/// The subject key identifier of a certificate.
@safe public nonisolated(unsafe) let kSecAttrSubjectKeyID: CFString = "skid"
/// The digest of the public key of a certificate.
@safe public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"
/// The persistent reference of an item; no request accepts this key, use `kSecValuePersistentRef`.
@safe public nonisolated(unsafe) let kSecAttrPersistentReference: CFString = "persistref"
/// `kSecAttrPersistentReference` under its former, misspelled name.
@safe public nonisolated(unsafe) let kSecAttrPersistantReference: CFString = "persistref"
/// A hint about the set of items that an item is synchronized with; stored, but without effect.
@safe public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"
/// The token that holds an item.
@safe public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"
/// The Secure Enclave as a token; no machine here has one.
@safe public nonisolated(unsafe) let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"

// The classes of items: values of `kSecClass`, required in every request that does not name an item by a reference.

/// The class of the items of a request.
@safe public nonisolated(unsafe) let kSecClass: CFString = "class"
/// A password for a service.
@safe public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// A password for a server.
@safe public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
/// A certificate.
@safe public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
/// A cryptographic key.
@safe public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
/// A certificate with its private key.
@safe public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"

// The protection classes, which decide when the data of an item can be read: values of `kSecAttrAccessible`.

/// The protection class of an item: when its data can be read.
@safe public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
/// The data can be read while the keychain is unlocked.
@safe public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// The data can be read once the keychain has been unlocked for the first time, until it is closed.
@safe public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// The data can always be read, even while the keychain is locked.
@safe public nonisolated(unsafe) let kSecAttrAccessibleAlways: CFString = "dk"
/// The data can be read while the keychain is unlocked, on this machine only.
@safe public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// The data can be read once the keychain has been unlocked for the first time, on this machine only.
@safe public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// The data can always be read, on this machine only.
@safe public nonisolated(unsafe) let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// The data can be read while the keychain is unlocked, on this machine only; requires a passphrase.
@safe public nonisolated(unsafe) let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
