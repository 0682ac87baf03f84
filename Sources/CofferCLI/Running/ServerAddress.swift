internal import Coffer

/// Where a password is used: protocol, server, port and path, as internet passwords have them.
struct ServerAddress: Equatable {
    /// How one speaks to it, as addresses write it; empty if nobody said.
    var scheme: AttributeText = ""
    var server: AttributeText = ""
    /// The port, 0 if nobody said.
    var port = 0
    /// The path; nil if nobody said.
    var path: AttributeText?

    /// The protocol of the item.
    var itemProtocol: InternetProtocol? { scheme.isEmpty ? nil : InternetProtocol(scheme: scheme) }
}

extension ServerAddress {
    /// The name of a server, and the port behind its last colon if that is one.
    static func hostAndPort(_ text: AttributeText) -> (host: AttributeText, port: Int) {
        let bytes = text.bytes
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return (text, 0) }
        let (host, digits) = (bytes[..<colon], bytes[(colon + 1)...])
        // An address of version 6 has colons too, and stands in brackets where a port follows.
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

    /// The protocol that addresses write so; one that has no four letters keeps its name.
    init(scheme: AttributeText) {
        self = scheme.string.flatMap { Self.schemes[$0] } ?? InternetProtocol(rawValue: scheme)
    }
}
