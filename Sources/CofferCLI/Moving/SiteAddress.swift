/// The parts of an address that internet passwords have.
struct SiteAddress: Equatable {
    var scheme = ""
    var host = ""
    /// The port; 0 if the address has none.
    var port = 0
    /// The path; empty for the root.
    var path = ""

    /// The parts of an address with a scheme and a host; nil for anything else, such as the address of an app.
    init?(_ text: String) {
        let text = text.utf8
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8) else {
            return nil
        }
        scheme = String(Substring(text[..<colon])).lowercased()
        guard !scheme.isEmpty, scheme.utf8.allSatisfy(\.isSchemeByte), !Self.appSchemes.contains(scheme) else {
            return nil
        }
        let rest = text[colon...].dropFirst(3)
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        let path = String(Substring(rest[authority.endIndex...].prefix { !"?#".utf8.contains($0) }))
        if path != "/" { self.path = path }
        let user = authority.lastIndex(of: UInt8(ascii: "@"))
        let site = Substring(user.map { authority[$0...].dropFirst() } ?? authority)
        guard !site.isEmpty, site.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace }) else { return nil }
        guard let end = site.utf8.lastIndex(of: UInt8(ascii: ":")), site.utf8.last != UInt8(ascii: "]") else {
            host = site.lowercased()
            return
        }
        guard let port = Int(site[end...].dropFirst()), (1...65_535).contains(port) else { return nil }
        host = site[..<end].lowercased()
        // The usual port says nothing.
        self.port = Self.usualPorts[scheme] == port ? 0 : port
        guard !host.isEmpty else { return nil }
    }

    private static let appSchemes: Set = [
        "android", "androidapp", "iosapp", "otpauth", "chrome", "file", "cmd", "data",
    ]
    private static let usualPorts = ["http": 80, "https": 443, "ssh": 22, "ftp": 21]

    /// The address as text.
    var text: String { "\(scheme)://\(host)\(port > 0 ? ":\(port)" : "")\(path)" }
}

extension UInt8 {
    fileprivate var isSchemeByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
