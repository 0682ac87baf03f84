internal import CofferBasics

/// A host that a certificate must be for: a name, or an address.
struct Host {
    /// The labels of the name, in lower case.
    private let labels: [Substring]
    /// The bytes of the address; nil for a name.
    private let address: [UInt8]?

    init(_ text: String) {
        address = Self.address(text)
        labels = Self.labels(text.hasSuffix(".") ? String(text.dropLast()) : text)
    }

    private static func labels(_ name: String) -> [Substring] {
        name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Whether an alternative name of the certificate is that of the host; common names do not count.
    func isNamed(by certificate: X509Certificate) -> Bool {
        (certificate.subjectAlternativeNames ?? []).contains { name in
            let content = certificate.bytes[name.content]
            if let address { return name.kind == .ipAddress && content.elementsEqual(address) }
            guard name.kind == .dnsName, content.allSatisfy({ $0 < 0x80 }) else { return false }
            let text = String(decoding: content, as: UTF8.self)
            return text.looksLikeHostName && Self.address(text) == nil && matches(Self.labels(text))
        }
    }

    /// An asterisk stands for one whole label, the first of at least three.
    private func matches(_ pattern: [Substring]) -> Bool {
        guard pattern.count == labels.count, !labels.contains(where: { $0.isEmpty || $0.contains("*") }) else {
            return false
        }
        guard pattern.first == "*" else { return pattern == labels }
        return pattern.count >= 3 && pattern.dropFirst() == labels.dropFirst()
    }

    // MARK: - Addresses

    /// The bytes of an address in version 4 or 6 of the Internet protocol, which brackets may enclose.
    static func address(_ text: String) -> [UInt8]? {
        let inner = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
        return version4(inner) ?? version6(inner)
    }

    private static func version4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else {
            return nil
        }
        let bytes = parts.compactMap { $0.count <= 3 ? UInt8($0) : nil }
        return bytes.count == 4 ? bytes : nil
    }

    private static func version6(_ text: Substring) -> [UInt8]? {
        guard text.contains(":") else { return nil }
        let halves = text.parts(separatedBy: "::", maxSplits: 2).map { half in
            half.isEmpty ? [] : half.split(separator: ":", omittingEmptySubsequences: false).map(group)
        }
        let groups = halves.flatMap { $0 }.compactMap(\.self)
        guard halves.count <= 2, groups.count == halves.map(\.count).reduce(0, +),
            halves.count == 1 ? groups.count == 8 : groups.count < 8
        else { return nil }
        let zeros = [UInt16](repeating: 0, count: 8 - groups.count)
        let first = halves[0].compactMap(\.self)
        return (first + zeros + groups.dropFirst(first.count)).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    private static func group(_ text: Substring) -> UInt16? {
        guard (1...4).contains(text.count), text.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }) else { return nil }
        return UInt16(text, radix: 16)
    }
}
