public import Foundation

// The conditions of a search beyond attributes, the number of its results and their form.

/// A condition: the certificate satisfies this policy.
@safe public nonisolated(unsafe) let kSecMatchPolicy: CFString = "m_Policy"
/// The items to search; has no effect here.
@safe public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
/// The keychains to search; has no effect here, because there is only one.
@safe public nonisolated(unsafe) let kSecMatchSearchList: CFString = "m_SearchList"
/// A condition: the certificate chain contains one of these issuers.
@safe public nonisolated(unsafe) let kSecMatchIssuers: CFString = "m_Issuers"
/// A condition: the certificate has this email address, or no address.
@safe public nonisolated(unsafe) let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// A condition: the server of the password is this host or a subdomain of it.
@safe public nonisolated(unsafe) let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// The subject of the certificate contains this text; has no effect here.
@safe public nonisolated(unsafe) let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// The subject begins with this text; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// The subject ends with this text; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// The subject is exactly this text; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// Uppercase and lowercase letters match; has no effect here.
@safe public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// Diacritics are ignored; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// Differences in character width are ignored; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// A condition: the certificate is trusted.
@safe public nonisolated(unsafe) let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// A condition: the certificate is valid on this day.
@safe public nonisolated(unsafe) let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// The maximum number of items to find (default one).
@safe public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
/// Find one item.
@safe public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
/// Find all items.
@safe public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"
/// Whether to return the data of items.
@safe public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// Whether to return the attributes of items.
@safe public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether to return items as objects: keys, certificates and identities.
@safe public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
/// Whether to return persistent references, which can be stored and find the same items later.
@safe public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// The data of an item, in requests and results.
@safe public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// An item as an object, in requests and results.
@safe public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"
/// The persistent reference of an item, in requests and results.
@safe public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"
/// Items to use instead of those in the keychain; no call accepts it.
@safe public nonisolated(unsafe) let kSecUseItemList: CFString = "u_ItemList"
/// The keychain to add an item to; used only by the file-based keychain of macOS.
@safe public nonisolated(unsafe) let kSecUseKeychain: CFString = "u_Keychain"
/// Use the data protection keychain; has no effect here, because there is no other.
@safe public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
/// Use the items that all users share; has no effect here, because there is only one user.
@safe public nonisolated(unsafe) let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
/// The `LAContext` whose authentication counts for this call; what it lacks, the program's host is asked for.
@safe public nonisolated(unsafe) let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// What to do with an item that demands the user: allow a prompt, fail, or skip the item (only in searches).
@safe public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// Prompt the user if needed: a value of `kSecUseAuthenticationUI`.
@safe public nonisolated(unsafe) let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// Fail if the user would be prompted: a value of `kSecUseAuthenticationUI`.
@safe public nonisolated(unsafe) let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// Skip items for which the user would be prompted: a value of `kSecUseAuthenticationUI`.
@safe public nonisolated(unsafe) let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
/// Whether to fail if the user would be prompted; true is the same as `kSecUseAuthenticationUIFail`.
@safe public nonisolated(unsafe) let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// The reason for a prompt, which the program's host shows to the user.
@safe public nonisolated(unsafe) let kSecUseOperationPrompt: CFString = "u_OpPrompt"

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
