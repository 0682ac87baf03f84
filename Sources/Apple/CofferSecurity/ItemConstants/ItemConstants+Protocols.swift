public import Foundation

// The protocols of internet passwords: values of `kSecAttrProtocol`. All have four characters; some end with a space.

/// The protocol of an internet password.
@safe public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
/// AFP, Apple's file sharing protocol.
@safe public nonisolated(unsafe) let kSecAttrProtocolAFP: CFString = "afp "
/// AppleTalk.
@safe public nonisolated(unsafe) let kSecAttrProtocolAppleTalk: CFString = "atlk"
/// DAAP, for music sharing.
@safe public nonisolated(unsafe) let kSecAttrProtocolDAAP: CFString = "daap"
/// Remote Apple events.
@safe public nonisolated(unsafe) let kSecAttrProtocolEPPC: CFString = "eppc"
/// FTP.
@safe public nonisolated(unsafe) let kSecAttrProtocolFTP: CFString = "ftp "
/// The account (`ACCT`) that an FTP server requests in addition to the user.
@safe public nonisolated(unsafe) let kSecAttrProtocolFTPAccount: CFString = "ftpa"
/// An FTP proxy.
@safe public nonisolated(unsafe) let kSecAttrProtocolFTPProxy: CFString = "ftpx"
/// FTP over TLS.
@safe public nonisolated(unsafe) let kSecAttrProtocolFTPS: CFString = "ftps"
/// HTTP.
@safe public nonisolated(unsafe) let kSecAttrProtocolHTTP: CFString = "http"
/// An HTTP proxy.
@safe public nonisolated(unsafe) let kSecAttrProtocolHTTPProxy: CFString = "htpx"
/// HTTP over TLS (HTTPS).
@safe public nonisolated(unsafe) let kSecAttrProtocolHTTPS: CFString = "htps"
/// An HTTPS proxy.
@safe public nonisolated(unsafe) let kSecAttrProtocolHTTPSProxy: CFString = "htsx"
/// IMAP.
@safe public nonisolated(unsafe) let kSecAttrProtocolIMAP: CFString = "imap"
/// IMAP over TLS.
@safe public nonisolated(unsafe) let kSecAttrProtocolIMAPS: CFString = "imps"
/// IPP, for printing.
@safe public nonisolated(unsafe) let kSecAttrProtocolIPP: CFString = "ipp "
/// IRC.
@safe public nonisolated(unsafe) let kSecAttrProtocolIRC: CFString = "irc "
/// IRC over TLS.
@safe public nonisolated(unsafe) let kSecAttrProtocolIRCS: CFString = "ircs"
/// LDAP.
@safe public nonisolated(unsafe) let kSecAttrProtocolLDAP: CFString = "ldap"
/// LDAP over TLS.
@safe public nonisolated(unsafe) let kSecAttrProtocolLDAPS: CFString = "ldps"
/// NNTP.
@safe public nonisolated(unsafe) let kSecAttrProtocolNNTP: CFString = "nntp"
/// NNTP over TLS.
@safe public nonisolated(unsafe) let kSecAttrProtocolNNTPS: CFString = "ntps"
/// POP3.
@safe public nonisolated(unsafe) let kSecAttrProtocolPOP3: CFString = "pop3"
/// POP3 over TLS.
@safe public nonisolated(unsafe) let kSecAttrProtocolPOP3S: CFString = "pops"
/// RTSP, for streaming.
@safe public nonisolated(unsafe) let kSecAttrProtocolRTSP: CFString = "rtsp"
/// An RTSP proxy.
@safe public nonisolated(unsafe) let kSecAttrProtocolRTSPProxy: CFString = "rtsx"
/// SMB, the file sharing protocol of Windows.
@safe public nonisolated(unsafe) let kSecAttrProtocolSMB: CFString = "smb "
/// SMTP.
@safe public nonisolated(unsafe) let kSecAttrProtocolSMTP: CFString = "smtp"
/// A SOCKS proxy.
@safe public nonisolated(unsafe) let kSecAttrProtocolSOCKS: CFString = "sox "
/// SSH.
@safe public nonisolated(unsafe) let kSecAttrProtocolSSH: CFString = "ssh "
/// Telnet.
@safe public nonisolated(unsafe) let kSecAttrProtocolTelnet: CFString = "teln"
/// Telnet over TLS.
@safe public nonisolated(unsafe) let kSecAttrProtocolTelnetS: CFString = "tels"

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
