public import Foundation

// The protocols that passwords for servers are for: values of `kSecAttrProtocol`. All have four characters, some of
// them a blank at the end.

/// The protocol that a password for a server is for.
public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
/// AFP, Apple's protocol for files.
public nonisolated(unsafe) let kSecAttrProtocolAFP: CFString = "afp "
/// AppleTalk.
public nonisolated(unsafe) let kSecAttrProtocolAppleTalk: CFString = "atlk"
/// DAAP, for sharing music.
public nonisolated(unsafe) let kSecAttrProtocolDAAP: CFString = "daap"
/// Apple events from other computers.
public nonisolated(unsafe) let kSecAttrProtocolEPPC: CFString = "eppc"
/// FTP.
public nonisolated(unsafe) let kSecAttrProtocolFTP: CFString = "ftp "
/// An account that an FTP server asks for beside the user.
public nonisolated(unsafe) let kSecAttrProtocolFTPAccount: CFString = "ftpa"
/// A proxy for FTP.
public nonisolated(unsafe) let kSecAttrProtocolFTPProxy: CFString = "ftpx"
/// FTP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolFTPS: CFString = "ftps"
/// HTTP.
public nonisolated(unsafe) let kSecAttrProtocolHTTP: CFString = "http"
/// A proxy for HTTP.
public nonisolated(unsafe) let kSecAttrProtocolHTTPProxy: CFString = "htpx"
/// HTTP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolHTTPS: CFString = "htps"
/// A proxy for HTTP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolHTTPSProxy: CFString = "htsx"
/// IMAP.
public nonisolated(unsafe) let kSecAttrProtocolIMAP: CFString = "imap"
/// IMAP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolIMAPS: CFString = "imps"
/// IPP, for printers.
public nonisolated(unsafe) let kSecAttrProtocolIPP: CFString = "ipp "
/// IRC.
public nonisolated(unsafe) let kSecAttrProtocolIRC: CFString = "irc "
/// IRC over TLS.
public nonisolated(unsafe) let kSecAttrProtocolIRCS: CFString = "ircs"
/// LDAP.
public nonisolated(unsafe) let kSecAttrProtocolLDAP: CFString = "ldap"
/// LDAP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolLDAPS: CFString = "ldps"
/// NNTP.
public nonisolated(unsafe) let kSecAttrProtocolNNTP: CFString = "nntp"
/// NNTP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolNNTPS: CFString = "ntps"
/// POP3.
public nonisolated(unsafe) let kSecAttrProtocolPOP3: CFString = "pop3"
/// POP3 over TLS.
public nonisolated(unsafe) let kSecAttrProtocolPOP3S: CFString = "pops"
/// RTSP, for streams.
public nonisolated(unsafe) let kSecAttrProtocolRTSP: CFString = "rtsp"
/// A proxy for RTSP.
public nonisolated(unsafe) let kSecAttrProtocolRTSPProxy: CFString = "rtsx"
/// SMB, the file shares of Windows.
public nonisolated(unsafe) let kSecAttrProtocolSMB: CFString = "smb "
/// SMTP.
public nonisolated(unsafe) let kSecAttrProtocolSMTP: CFString = "smtp"
/// A SOCKS proxy.
public nonisolated(unsafe) let kSecAttrProtocolSOCKS: CFString = "sox "
/// SSH.
public nonisolated(unsafe) let kSecAttrProtocolSSH: CFString = "ssh "
/// Telnet.
public nonisolated(unsafe) let kSecAttrProtocolTelnet: CFString = "teln"
/// Telnet over TLS.
public nonisolated(unsafe) let kSecAttrProtocolTelnetS: CFString = "tels"
