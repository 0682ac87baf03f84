internal import CofferBasics
internal import Coffer

/// The address for which a password is used: protocol, server, port and path, as in internet passwords.
struct ServerAddress: Equatable {
    /// The URL scheme; empty if unknown.
    var scheme: AttributeText = ""
    var server: AttributeText = ""
    /// The port; 0 if unknown.
    var port = 0
    /// The path; nil if unknown.
    var path: AttributeText?

    /// The protocol attribute of an item for this address.
    var itemProtocol: InternetProtocol? { scheme.isEmpty ? nil : InternetProtocol(scheme: scheme) }
}

extension ServerAddress {
    /// Splits a server name from the port after its last colon, if it has one.
    static func hostAndPort(_ text: AttributeText) -> (host: AttributeText, port: Int) {
        let bytes = text.bytes
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return (text, 0) }
        let (host, digits) = (bytes[..<colon], bytes[(colon + 1)...])
        // An IPv6 address contains colons too, and is in brackets if a port follows.
        let isAddress = host.contains(UInt8(ascii: ":")) && host.last != UInt8(ascii: "]")
        guard !isAddress, !host.isEmpty, !digits.isEmpty, digits.count <= 5,
            digits.allSatisfy({ (48...57).contains($0) }),
            let port = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(port)
        else { return (text, 0) }
        return (AttributeText(bytes: Array(host)), port)
    }
}

extension InternetProtocol {
    private static let schemes: [String: InternetProtocol] = [
        "afp": .afp, "ftp": .ftp, "ftps": .ftps, "http": .http, "https": .https, "imap": .imap, "imaps": .imaps,
        "irc": .irc, "ircs": .ircs, "ldap": .ldap, "ldaps": .ldaps, "nntp": .nntp, "nntps": .nntps, "pop3": .pop3,
        "pop3s": .pop3s, "smb": .smb, "smtp": .smtp, "ssh": .ssh, "telnet": .telnet,
    ]

    /// The protocol for a URL scheme.
    ///
    /// A scheme without a four-letter code keeps its name, in capitals if that is the code of another scheme: `htps` is
    /// not HTTPS.
    init(scheme: AttributeText) {
        let name = InternetProtocol(rawValue: scheme)
        let text = scheme.string ?? ""
        self = Self.schemes[text] ?? (Self.scheme(of: name) == nil ? name : Self(rawValue: "\(text.uppercased())"))
    }

    /// The URL scheme of a protocol; nil if it has none.
    static func scheme(of name: InternetProtocol) -> String? { schemes.first { $0.value == name }?.key }
}
