public import Foundation

// The protocols that passwords for servers are for: values of `kSecAttrProtocol`. All have four characters, some of
// them a blank at the end.

/// The protocol that a password for a server is for.
@safe public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
/// AFP, Apple's protocol for files.
@safe public nonisolated(unsafe) let kSecAttrProtocolAFP: CFString = "afp "
/// AppleTalk.
@safe public nonisolated(unsafe) let kSecAttrProtocolAppleTalk: CFString = "atlk"
/// DAAP, for sharing music.
@safe public nonisolated(unsafe) let kSecAttrProtocolDAAP: CFString = "daap"
/// Apple events from other computers.
@safe public nonisolated(unsafe) let kSecAttrProtocolEPPC: CFString = "eppc"
/// FTP.
@safe public nonisolated(unsafe) let kSecAttrProtocolFTP: CFString = "ftp "
/// An account that an FTP server asks for beside the user.
@safe public nonisolated(unsafe) let kSecAttrProtocolFTPAccount: CFString = "ftpa"
/// A proxy for FTP.
@safe public nonisolated(unsafe) let kSecAttrProtocolFTPProxy: CFString = "ftpx"
/// FTP over TLS.
@safe public nonisolated(unsafe) let kSecAttrProtocolFTPS: CFString = "ftps"
/// HTTP.
@safe public nonisolated(unsafe) let kSecAttrProtocolHTTP: CFString = "http"
/// A proxy for HTTP.
@safe public nonisolated(unsafe) let kSecAttrProtocolHTTPProxy: CFString = "htpx"
/// HTTP over TLS.
@safe public nonisolated(unsafe) let kSecAttrProtocolHTTPS: CFString = "htps"
/// A proxy for HTTP over TLS.
@safe public nonisolated(unsafe) let kSecAttrProtocolHTTPSProxy: CFString = "htsx"
/// IMAP.
@safe public nonisolated(unsafe) let kSecAttrProtocolIMAP: CFString = "imap"
/// IMAP over TLS.
@safe public nonisolated(unsafe) let kSecAttrProtocolIMAPS: CFString = "imps"
/// IPP, for printers.
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
/// RTSP, for streams.
@safe public nonisolated(unsafe) let kSecAttrProtocolRTSP: CFString = "rtsp"
/// A proxy for RTSP.
@safe public nonisolated(unsafe) let kSecAttrProtocolRTSPProxy: CFString = "rtsx"
/// SMB, the file shares of Windows.
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
