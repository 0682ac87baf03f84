/// The parts of an address that internet passwords have.
struct SiteAddress: Equatable {
    var scheme = ""
    var host = ""
    /// The port; 0 if the address has none.
    var port = 0
    var path = ""

    /// The parts of an address with a scheme and a host; nil for anything else, such as the address of an app.
    init?(_ text: String) {
        guard let colon = text.range(of: "://") else { return nil }
        scheme = text[..<colon.lowerBound].lowercased()
        guard !scheme.isEmpty, scheme.utf8.allSatisfy({ $0.isSchemeByte }), !Self.appSchemes.contains(scheme) else {
            return nil
        }
        let rest = text[colon.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        path = rest[end...].hasPrefix("/") ? String(rest[end...].prefix { $0 != "?" && $0 != "#" }) : ""
        guard !authority.isEmpty, authority.allSatisfy({ !$0.isWhitespace }) else { return nil }
        let isPortless = authority.hasSuffix("]") || !authority.contains(":")
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard !isPortless, let digits = parts.last else {
            host = authority.lowercased()
            return
        }
        guard let port = Int(digits), (1...65_535).contains(port) else { return nil }
        host = parts.dropLast().joined(separator: ":").lowercased()
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

extension String {
    /// The first place of a text in this one.
    func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            formIndex(after: &start)
        }
        return nil
    }
}
