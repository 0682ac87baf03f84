internal import Coffer
internal import CofferBasics

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

/// Where the parts of an address are: `[SCHEME://][USER[:PASSWORD]@]HOST[:PORT][/PATH]`.
struct AddressParts {
    let scheme: Range<Int>?
    let user: Range<Int>?
    let password: Range<Int>?
    /// The host with its port.
    let host: Range<Int>
    /// What follows the host: empty, or a path, a query or a fragment with the character that begins it.
    let rest: Range<Int>

    init(_ text: Span<UInt8>) {
        func first(_ characters: String, in range: Range<Int>) -> Int? {
            range.first { characters.utf8.contains(text[$0]) }
        }
        let colon = first(":", in: 0..<text.count)
        let hasScheme = colon.map { $0 + 2 < text.count && text[$0 + 1] == 0x2F && text[$0 + 2] == 0x2F } ?? false
        scheme = hasScheme ? colon.map { 0..<$0 } : nil
        let start = scheme.map { $0.upperBound + 3 } ?? 0
        let end = first("/?#", in: start..<text.count) ?? text.count
        let at = (start..<end).last { text[$0] == UInt8(ascii: "@") }
        let userEnd = at.map { first(":", in: start..<$0) ?? $0 }
        user = userEnd.map { start..<$0 }
        password = if let at, let userEnd, userEnd < at { userEnd + 1..<at } else { nil }
        host = (at.map { $0 + 1 } ?? start)..<end
        rest = end..<text.count
    }
}

extension ServerAddress {
    /// The address in an operand, a field or a file of another program; nil for other text, such as the address of an app.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - scheme: The scheme if the text begins with the name of a host; nil if it must have one.
    init?(_ text: String, withoutScheme scheme: AttributeText? = nil) {
        let bytes = text.utf8Span.span
        let parts = AddressParts(bytes)
        func string(_ range: Range<Int>) -> String { bytes.extracting(range).attributeText.string ?? "" }
        (server, port) = Self.hostAndPort(AttributeText(string(parts.host).lowercased()))
        let host = server.string ?? ""
        if let range = parts.scheme {
            let name = string(range).lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy(\.isOfScheme), !Self.appSchemes.contains(name) else {
                return nil
            }
            self.scheme = AttributeText(name)
        } else {
            guard let scheme, parts.user == nil, host == "localhost" || host.isHostName else { return nil }
            self.scheme = scheme
        }
        // A colon that is left is part of an address in brackets.
        guard !host.isEmpty, !host.utf8.contains(UInt8(ascii: ":")) || host.hasSuffix("]"),
            host.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace })
        else { return nil }
        port = ownPort
        let path = String(string(parts.rest).prefix { !"?#".contains($0) })
        self.path = path == "/" ? "" : AttributeText(path)
    }

    private static let appSchemes: Set = [
        "android", "androidapp", "iosapp", "otpauth", "chrome", "file", "cmd", "data",
    ]
    private static let usualPorts: [AttributeText: Int] = ["http": 80, "https": 443, "ssh": 22, "ftp": 21]

    /// The port, if it is not the usual one of the scheme; else 0.
    var ownPort: Int { Self.usualPorts[scheme] == port ? 0 : port }

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

// Items for an address.
extension ServerAddress {
    /// The address of an internet password; without a protocol it has no scheme.
    init(of item: FoundItem) {
        let name = InternetProtocol(of: item).flatMap { InternetProtocol.scheme(of: $0) }
        scheme = AttributeText(name ?? "")
        server = item.service
        if case .integer(let number)? = item.attributes[.port] { port = Int(clamping: number) }
        path = item.path
    }

    /// The address as text.
    var text: String {
        let start = scheme.isEmpty ? "" : "\(scheme)://"
        let path = path?.description ?? ""
        // Git writes none of the slashes with which paths begin.
        let slash = path.isEmpty || path.hasPrefix("/") ? "" : "/"
        return "\(start)\(server)\(port > 0 ? ":\(port)" : "")\(slash)\(path)"
    }

    /// An internet password for this address, with these attributes only.
    func password(account: AttributeText) -> InternetPassword {
        var item = InternetPassword(server: server, account: account, protocol: itemProtocol)
        item.port = port
        item.pathBytes = path?.bytes ?? []
        item.authenticationType = .standard
        return item
    }

    /// Whether an internet password has this protocol, server and port; the usual port is the same as none.
    func isServer(of item: FoundItem) -> Bool {
        var other = ServerAddress(of: item)
        other.scheme = scheme
        return item.itemClass == .internetPassword && other.server == server && other.ownPort == ownPort
            && InternetProtocol(of: item) == itemProtocol
    }

    /// Whether an item has this path; git writes none of the slashes with which paths begin elsewhere.
    func isPath(of item: FoundItem) -> Bool {
        func bytes(_ path: AttributeText?) -> ArraySlice<UInt8> {
            let bytes = path?.bytes[...] ?? []
            return bytes.first == UInt8(ascii: "/") ? bytes.dropFirst() : bytes
        }
        return bytes(item.path) == bytes(path)
    }
}

// Generic passwords that stand in for internet passwords: `Spec/command.md`, section 13.
extension ServerAddress {
    /// The service of such a password; nil if there can be none for this address.
    private var genericService: AttributeText? {
        scheme == "https" && ownPort == 0 && server.string?.isHostName == true ? server : nil
    }

    /// The generic passwords for this server, the most recently changed first, of the group to which new items go.
    ///
    /// No other group counts, since programs have their own: a service there need not be a host.
    ///
    /// - Parameters:
    ///   - account: The account, if it is known.
    ///   - group: The group that is searched; nil for the usual ones.
    ///   - keychain: The keychain.
    /// - Returns: The items.
    /// - Throws: `KeychainError` if the items cannot be read.
    func standIns(
        account: AttributeText?,
        group: String?,
        in keychain: Keychain
    ) throws -> [FoundItem] {
        guard let service = genericService, let own = try keychain.groups.names.first,
            group?.isSameText(own) ?? true
        else { return [] }
        var conditions: [ItemCondition<GenericPassword>] = [.synchronizable(.any), .service(service), .group(own)]
        if let account { conditions.append(.account(account)) }
        let found = try keychain.items(GenericPassword.self, where: .all(conditions)).map { FoundItem($0) }
        return found.sorted { $0.modified > $1.modified }
    }
}

extension String {
    /// Whether the text is the name of a host with a dot, or an address of numbers.
    var isHostName: Bool {
        let labels = lowercased().utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count > 1
            && labels.allSatisfy { label in
                let hyphen = UInt8(ascii: "-")
                return !label.isEmpty && label.first != hyphen && label.last != hyphen
                    && label.allSatisfy { $0 >= 0x80 || $0 == hyphen || $0.isOfScheme && $0 != UInt8(ascii: "+") }
            }
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
        let name = InternetProtocol(rawValue: scheme.description)
        let text = scheme.string ?? ""
        self = Self.schemes[text] ?? (Self.scheme(of: name) == nil ? name : Self(rawValue: "\(text.uppercased())"))
    }

    /// The URL scheme of a protocol; nil if it has none.
    static func scheme(of name: InternetProtocol) -> String? { schemes.first { $0.value == name }?.key }
}
