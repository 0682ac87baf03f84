public import Foundation

// Keys for importing PKCS #12 data, and for shared web credentials.

/// The passphrase of the data to import.
@safe public nonisolated(unsafe) let kSecImportExportPassphrase: CFString = "passphrase"
/// Access rights of the imported items; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecImportExportAccess: CFString = "access"
/// Stores what is imported, unless it is false; on macOS, it names the keychain to import into.
@safe public nonisolated(unsafe) let kSecImportExportKeychain: CFString = "keychain"
/// Whether to import without storing anything in the keychain.
@safe public nonisolated(unsafe) let kSecImportToMemoryOnly: CFString = "memory"
/// The label of an imported identity.
@safe public nonisolated(unsafe) let kSecImportItemLabel: CFString = "label"
/// The identifier of an imported key.
@safe public nonisolated(unsafe) let kSecImportItemKeyID: CFString = "keyid"
/// The trust evaluation of an imported identity.
@safe public nonisolated(unsafe) let kSecImportItemTrust: CFString = "trust"
/// The certificate chain of an imported identity.
@safe public nonisolated(unsafe) let kSecImportItemCertChain: CFString = "chain"
/// An imported identity.
@safe public nonisolated(unsafe) let kSecImportItemIdentity: CFString = "identity"
/// The password of a shared web credential.
@safe public nonisolated(unsafe) let kSecSharedPassword: CFString = "spwd"
