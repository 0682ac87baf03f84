internal import CofferBasics

extension OneTimePasswordURI {
    /// How long a text may be.
    private static let byteCountLimit = 1 << 14

    /// Reads a generator in any form that is a single text.
    ///
    /// These are an `otpauth://` URI, `steam://` and a secret, the parameters of the KeePass plugin KeeOtp
    /// (`key=…&step=30`), and a secret in base32.
    ///
    /// - Parameter text: The text; white space around it is ignored.
    /// - Throws: `OneTimePasswordError` without any part of the text.
    package init(_ text: Span<UInt8>) throws(OneTimePasswordError) {
        let text = text.extracting(text.trimmed(0..<text.count))
        guard text.count <= Self.byteCountLimit else { throw .tooLong }
        if text.hasPrefix("otpauth://") {
            try self.init(uri: text.extracting(droppingFirst: 10))
        } else if text.hasPrefix("steam://") {
            try self.init(letters: text.extracting(droppingFirst: 8))
            (isSteam, digitCount) = (true, 5)
        } else if QueryParameters.areIn(text) {
            try self.init(parameters: QueryParameters(text))
        } else {
            try self.init(letters: text)
        }
    }

    /// Reads what follows `otpauth://`.
    private init(uri text: Span<UInt8>) throws(OneTimePasswordError) {
        let pathEnd =
            text.indices.first { text[$0] == UInt8(ascii: "?") || text[$0] == UInt8(ascii: "#") } ?? text.count
        let end = text.indices.first { text[$0] == UInt8(ascii: "#") } ?? text.count
        let typeEnd = (0..<pathEnd).first { text[$0] == UInt8(ascii: "/") } ?? pathEnd
        let type = text.extracting(0..<typeEnd).text.lowercased()
        guard ["totp", "hotp", "steam"].contains(type) else { throw .unsupportedKind }
        let parameters = try QueryParameters(text.extracting(min(pathEnd + 1, end)..<end))
        guard let secret = parameters["secret"] else { throw .noSecret }
        self = try secret.withSpan { secret throws(OneTimePasswordError) in
            try OneTimePasswordURI(letters: secret)
        }
        label = PercentEncoding.decoded(text.extracting(min(typeEnd + 1, pathEnd)..<pathEnd)).text.trimmed
        issuer = parameters.text("issuer")?.trimmed ?? ""
        if issuer.isEmpty, let colon = label.firstIndex(of: ":") { issuer = label[..<colon].trimmed }
        isSteam = type == "steam" || parameters.text("encoder")?.lowercased() == "steam"
        if let name = parameters.text("algorithm") { algorithm = try Algorithm(named: name) }
        digitCount = try Self.digitCount(parameters.text("digits"), isSteam: isSteam)
        if type == "hotp" {
            kind = try Self.counter(parameters.text("counter"))
        } else {
            kind = try Self.time(period: parameters.text("period"))
        }
        others = parameters.others(
            than: ["secret", "issuer", "encoder", "algorithm", "digits", type == "hotp" ? "counter" : "period"]
        )
    }

    /// Reads the parameters of KeeOtp.
    private init(parameters: QueryParameters) throws(OneTimePasswordError) {
        guard let key = parameters["key"] else { throw .noSecret }
        let encoding = parameters.text("encoding")?.lowercased() ?? "base32"
        self = try Self.decoded(key, encoding)
        let type = parameters.text("type")?.lowercased() ?? "totp"
        guard ["totp", "hotp", "steam"].contains(type) else { throw .unsupportedKind }
        isSteam = type == "steam"
        if let name = parameters.text("otphashmode") { algorithm = try Algorithm(named: name) }
        digitCount = try Self.digitCount(parameters.text("size"), isSteam: isSteam)
        if type == "hotp" {
            kind = try Self.counter(parameters.text("counter"))
        } else {
            kind = try Self.time(period: parameters.text("step"))
        }
    }

    // MARK: - Parts

    /// A generator with a secret in an encoding of this name.
    static func decoded(_ text: HeldSecret, _ encoding: String) throws(OneTimePasswordError) -> OneTimePasswordURI {
        try text.withSpan { text throws(OneTimePasswordError) in
            let secret: HeldSecret?
            switch encoding {
            case "base32": return try OneTimePasswordURI(letters: text)
            case "base64": secret = Encodings.base64(text)
            case "hex": secret = Encodings.hexadecimal(text)
            case "utf8", "utf-8": secret = HeldSecret(copying: text)
            default: secret = nil
            }
            guard let secret else { throw .invalidEncoding }
            return try secret.withSpan { secret throws(OneTimePasswordError) in
                try OneTimePasswordURI(secret: secret)
            }
        }
    }

    static func digitCount(_ text: String?, isSteam: Bool) throws(OneTimePasswordError) -> Int {
        // Steam has five characters, whatever is written.
        guard !isSteam else { return 5 }
        guard let text else { return 6 }
        guard let count = Int(text), digitCounts.contains(count) else { throw .invalidDigitCount }
        return count
    }

    static func time(period text: String?) throws(OneTimePasswordError) -> Kind {
        guard let text else { return .time(period: 30) }
        guard let period = Int(text), periods.contains(period) else { throw .invalidPeriod }
        return .time(period: period)
    }

    static func counter(_ text: String?) throws(OneTimePasswordError) -> Kind {
        guard let text, let counter = UInt64(text) else { throw .invalidCounter }
        return .counter(counter)
    }
}

/// The parameters of a query: `name=value`, separated by `&`.
private struct QueryParameters {
    /// How many there may be: each is compared with all before it.
    private static let countLimit = 64

    private var values: [(name: String, value: HeldSecret, source: HeldSecret)] = []

    init(_ text: Span<UInt8>) throws(OneTimePasswordError) {
        var start = 0
        for end in 0...text.count where end == text.count || text[end] == UInt8(ascii: "&") {
            // The last one may end in a blank before a fragment.
            let part = text.extracting(text.trimmed(start..<end))
            start = end + 1
            guard !part.isEmpty else { continue }
            let equal = part.indices.first { part[$0] == UInt8(ascii: "=") } ?? part.count
            let name = part.extracting(0..<equal).text.lowercased()
            guard values.count < Self.countLimit else { throw .tooManyParameters }
            guard self[name] == nil else { throw .duplicateParameter }
            // A key may be base64, in which a plus is a letter.
            let value = PercentEncoding.decoded(
                part.extracting(min(equal + 1, part.count)..<part.count),
                isPlusBlank: name != "key"
            )
            values.append((name, value, HeldSecret(copying: part)))
        }
    }

    /// Whether text has a parameter `key`, rather than being base32 with padding.
    static func areIn(_ text: Span<UInt8>) -> Bool {
        text.indices.contains { index in
            (index == 0 || text[index - 1] == UInt8(ascii: "&"))
                && text.extracting(droppingFirst: index).hasPrefix("key=")
                && index + 4 < text.count && text[index + 4] != UInt8(ascii: "=")
        }
    }

    subscript(name: String) -> HeldSecret? { values.first { $0.name == name }?.value }

    /// The value as text; nil if it is missing or empty.
    func text(_ name: String) -> String? {
        guard let value = self[name], !value.isEmpty else { return nil }
        return value.text
    }

    /// Parameters with other names, as they are written.
    func others(than names: [String]) -> [HeldSecret] {
        values.filter { !names.contains($0.name) }.map(\.source)
    }
}

extension Span<UInt8> {
    /// Whether the text begins with `prefix`, which is in small letters, in any case.
    func hasPrefix(_ prefix: StaticString) -> Bool {
        guard prefix.utf8CodeUnitCount <= count else { return false }
        return prefix.withUTF8Buffer { prefix in
            prefix.indices.allSatisfy { index in
                let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self[index])
                return (isCapital ? self[index] + 0x20 : self[index]) == prefix[index]
            }
        }
    }
}
