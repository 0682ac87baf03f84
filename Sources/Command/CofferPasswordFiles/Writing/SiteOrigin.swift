internal import CofferBasics

/// The scheme and the host of an address, such as `https://example.com:8080`.
struct SiteOrigin {
    /// The scheme in lower case.
    let scheme: String
    let text: String
    /// Whether the address has nothing after the host but a slash, and no user.
    let isWhole: Bool

    /// Reads an address; nil if it has no scheme or no host.
    init?(_ site: String) {
        let bytes = site.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8),
            let first = bytes.first, first.isLetter, bytes[..<colon].allSatisfy(\.isOfScheme)
        else { return nil }
        let start = bytes.index(colon, offsetBy: 3)
        let end = bytes[start...].firstIndex { "/?#\\".utf8.contains($0) } ?? bytes.endIndex
        let hostStart = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { bytes.index(after: $0) } ?? start
        let host = site[hostStart..<end]
        guard let hostFirst = host.utf8.first, hostFirst != UInt8(ascii: ":"), !host.utf8.contains(0x20) else {
            return nil
        }
        scheme = site[..<colon].lowercased()
        text = "\(scheme)://\(host)"
        let rest = site[end...]
        isWhole = hostStart == start && (rest.isEmpty || rest == "/")
    }
}
