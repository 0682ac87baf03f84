public import Foundation

// The ways to present a password to a server: values of `kSecAttrAuthenticationType`.

/// The way to present a password to its server.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"
/// The default of the protocol.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeDefault: CFString = "dflt"
/// Distributed Password Authentication (DPA).
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"
/// A form on a web page.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
/// HTTP Basic authentication.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
/// HTTP Digest authentication.
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
/// The scheme of the Microsoft Network (MSN).
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeMSN: CFString = "msna"
/// Windows NT LAN Manager authentication (NTLM).
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"
/// Remote Password Authentication (RPA).
@safe public nonisolated(unsafe) let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"
