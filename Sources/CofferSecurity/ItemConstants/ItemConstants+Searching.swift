public import Foundation

// What a search looks for beside attributes, how much it answers, and in which form.

/// A condition: the certificate satisfies this policy.
@safe public nonisolated(unsafe) let kSecMatchPolicy: CFString = "m_Policy"
/// These items are to be searched: this has no effect here.
@safe public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
/// These keychains are to be searched: this has no effect here, there is one.
@safe public nonisolated(unsafe) let kSecMatchSearchList: CFString = "m_SearchList"
/// A condition: the certificate goes back to one of these issuers.
@safe public nonisolated(unsafe) let kSecMatchIssuers: CFString = "m_Issuers"
/// A condition: the certificate is for this address, or for none.
@safe public nonisolated(unsafe) let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// A condition: the server of the password is this host, or below it.
@safe public nonisolated(unsafe) let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// The subject of the certificate contains this text: this has no effect here.
@safe public nonisolated(unsafe) let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// The subject begins with this text: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// The subject ends with this text: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// The subject is this text: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// Large and small letters are the same: this has no effect here.
@safe public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// Accents do not count: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// Wide and narrow letters are the same: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// A condition: the certificate is trusted.
@safe public nonisolated(unsafe) let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// A condition: the certificate is valid on this day.
@safe public nonisolated(unsafe) let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// How many items to find; one, if a search does not say.
@safe public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
/// To find one item.
@safe public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
/// To find all items.
@safe public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"
/// Whether to answer the data of items.
@safe public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// Whether to answer the attributes of items.
@safe public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether to answer items as objects: keys, certificates and identities.
@safe public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
/// Whether to answer references that can be stored, and lead to the same items later.
@safe public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// The data of an item, as a key of requests and of answers.
@safe public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// An item as an object, as a key of requests and of answers.
@safe public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"
/// The persistent reference of an item, as a key of requests and of answers.
@safe public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"
/// Items to work on in place of those that are stored: no call accepts it.
@safe public nonisolated(unsafe) let kSecUseItemList: CFString = "u_ItemList"
/// The keychain to add an item to: this has a meaning only in macOS' older keychain.
@safe public nonisolated(unsafe) let kSecUseKeychain: CFString = "u_Keychain"
/// To use the keychain that iOS has: this has no effect here, there is no other.
@safe public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
/// To use the items that all users share: this has no effect here, there is one user.
@safe public nonisolated(unsafe) let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
/// What has already been shown to whom: this has no effect here, nobody is asked.
@safe public nonisolated(unsafe) let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// Whether somebody may be asked: this has no effect here, nobody is.
@safe public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// To ask somebody, where that is needed: a value of `kSecUseAuthenticationUI`.
@safe public nonisolated(unsafe) let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// To fail, where somebody would be asked: a value of `kSecUseAuthenticationUI`.
@safe public nonisolated(unsafe) let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// To leave out items for which somebody would be asked: a value of `kSecUseAuthenticationUI`.
@safe public nonisolated(unsafe) let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
/// To ask nobody: this has no effect here, nobody is asked.
@safe public nonisolated(unsafe) let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// What to say to whoever is asked: this has no effect here, nobody is.
@safe public nonisolated(unsafe) let kSecUseOperationPrompt: CFString = "u_OpPrompt"
