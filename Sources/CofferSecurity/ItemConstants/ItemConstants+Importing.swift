public import Foundation

// What importing PKCS #12 data is told and answers, and what shared web passwords have.

/// The passphrase of the data that are imported.
@safe public nonisolated(unsafe) let kSecImportExportPassphrase: CFString = "passphrase"
/// Who may use what is imported: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecImportExportAccess: CFString = "access"
/// The keychain to import into: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecImportExportKeychain: CFString = "keychain"
/// Whether to import without storing anything in the keychain.
@safe public nonisolated(unsafe) let kSecImportToMemoryOnly: CFString = "memory"
/// What an imported identity is called.
@safe public nonisolated(unsafe) let kSecImportItemLabel: CFString = "label"
/// The identifier of an imported key.
@safe public nonisolated(unsafe) let kSecImportItemKeyID: CFString = "keyid"
/// Whether an imported identity is trusted.
@safe public nonisolated(unsafe) let kSecImportItemTrust: CFString = "trust"
/// The certificates that an imported identity came with.
@safe public nonisolated(unsafe) let kSecImportItemCertChain: CFString = "chain"
/// An imported identity.
@safe public nonisolated(unsafe) let kSecImportItemIdentity: CFString = "identity"
/// The password, in an entry that a web site and a program share.
@safe public nonisolated(unsafe) let kSecSharedPassword: CFString = "spwd"
