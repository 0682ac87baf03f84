/// The protocol of a server: `kSecAttrProtocol`, four letters.
///
/// ```swift
/// InternetProtocol.https.rawValue  // "htps"
/// InternetProtocol(rawValue: "ssh ") == .ssh  // true
/// ```
public struct InternetProtocol: RawRepresentable, Hashable, Sendable {
    /// The four letters; short names are padded with spaces.
    public let rawValue: String

    /// Creates a protocol from its four letters.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// `kSecAttrProtocolFTP`.
    public static let ftp = InternetProtocol("ftp ")
    /// `kSecAttrProtocolFTPAccount`.
    public static let ftpAccount = InternetProtocol("ftpa")
    /// `kSecAttrProtocolHTTP`.
    public static let http = InternetProtocol("http")
    /// `kSecAttrProtocolIRC`.
    public static let irc = InternetProtocol("irc ")
    /// `kSecAttrProtocolNNTP`.
    public static let nntp = InternetProtocol("nntp")
    /// `kSecAttrProtocolPOP3`.
    public static let pop3 = InternetProtocol("pop3")
    /// `kSecAttrProtocolSMTP`.
    public static let smtp = InternetProtocol("smtp")
    /// `kSecAttrProtocolSOCKS`.
    public static let socks = InternetProtocol("sox ")
    /// `kSecAttrProtocolIMAP`.
    public static let imap = InternetProtocol("imap")
    /// `kSecAttrProtocolLDAP`.
    public static let ldap = InternetProtocol("ldap")
    /// `kSecAttrProtocolAppleTalk`.
    public static let appleTalk = InternetProtocol("atlk")
    /// `kSecAttrProtocolAFP`.
    public static let afp = InternetProtocol("afp ")
    /// `kSecAttrProtocolTelnet`.
    public static let telnet = InternetProtocol("teln")
    /// `kSecAttrProtocolSSH`.
    public static let ssh = InternetProtocol("ssh ")
    /// `kSecAttrProtocolFTPS`.
    public static let ftps = InternetProtocol("ftps")
    /// `kSecAttrProtocolHTTPS`.
    public static let https = InternetProtocol("htps")
    /// `kSecAttrProtocolHTTPProxy`.
    public static let httpProxy = InternetProtocol("htpx")
    /// `kSecAttrProtocolHTTPSProxy`.
    public static let httpsProxy = InternetProtocol("htsx")
    /// `kSecAttrProtocolFTPProxy`.
    public static let ftpProxy = InternetProtocol("ftpx")
    /// `kSecAttrProtocolSMB`.
    public static let smb = InternetProtocol("smb ")
    /// `kSecAttrProtocolRTSP`.
    public static let rtsp = InternetProtocol("rtsp")
    /// `kSecAttrProtocolRTSPProxy`.
    public static let rtspProxy = InternetProtocol("rtsx")
    /// `kSecAttrProtocolDAAP`.
    public static let daap = InternetProtocol("daap")
    /// `kSecAttrProtocolEPPC`.
    public static let eppc = InternetProtocol("eppc")
    /// `kSecAttrProtocolIPP`.
    public static let ipp = InternetProtocol("ipp ")
    /// `kSecAttrProtocolNNTPS`.
    public static let nntps = InternetProtocol("ntps")
    /// `kSecAttrProtocolLDAPS`.
    public static let ldaps = InternetProtocol("ldps")
    /// `kSecAttrProtocolTelnetS`.
    public static let telnetS = InternetProtocol("tels")
    /// `kSecAttrProtocolIMAPS`.
    public static let imaps = InternetProtocol("imps")
    /// `kSecAttrProtocolIRCS`.
    public static let ircs = InternetProtocol("ircs")
    /// `kSecAttrProtocolPOP3S`.
    public static let pop3s = InternetProtocol("pops")
}

extension InternetProtocol {
    /// The protocol of a value in the keychain, which some programs store as a number.
    init?(_ value: ItemValue) {
        switch value {
        case .string(let text): self.init(text)
        case .integer(let number): self.init(String(number))
        case .real(let number): self.init(String(number))
        default: return nil
        }
    }

    var value: ItemValue { .string(rawValue) }
}

/// How a client authenticates to a server: `kSecAttrAuthenticationType`, four letters.
///
/// ```swift
/// AuthenticationType.httpDigest.rawValue  // "httd"
/// ```
public struct AuthenticationType: RawRepresentable, Hashable, Sendable {
    /// The four letters.
    public let rawValue: String

    /// Creates an authentication type from its four letters.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// `kSecAttrAuthenticationTypeNTLM`.
    public static let ntlm = AuthenticationType("ntlm")
    /// `kSecAttrAuthenticationTypeMSN`.
    public static let msn = AuthenticationType("msna")
    /// `kSecAttrAuthenticationTypeDPA`.
    public static let dpa = AuthenticationType("dpaa")
    /// `kSecAttrAuthenticationTypeRPA`.
    public static let rpa = AuthenticationType("rpaa")
    /// `kSecAttrAuthenticationTypeHTTPBasic`.
    public static let httpBasic = AuthenticationType("http")
    /// `kSecAttrAuthenticationTypeHTTPDigest`.
    public static let httpDigest = AuthenticationType("httd")
    /// `kSecAttrAuthenticationTypeHTMLForm`.
    public static let htmlForm = AuthenticationType("form")
    /// `kSecAttrAuthenticationTypeDefault`.
    public static let standard = AuthenticationType("dflt")
}
