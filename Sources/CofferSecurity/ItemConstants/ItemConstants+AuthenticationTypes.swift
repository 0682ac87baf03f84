public import Foundation

// How servers let themselves be shown passwords: values of `kSecAttrAuthenticationType`.

/// How a password is shown to its server.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"
/// As the protocol does it when nothing else is agreed.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeDefault: CFString = "dflt"
/// DPA, a scheme of old online services.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"
/// In a form on a web page.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
/// In the header of an HTTP request, as it is.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
/// In the header of an HTTP request, as a digest.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
/// As the Microsoft Network did it.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeMSN: CFString = "msna"
/// NTLM, as Windows does it.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"
/// RPA, a scheme of old online services.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"
