internal import CofferBasics

/// The texts of a record for the columns of a CSV file.
struct RecordTexts {
    private(set) var password: HeldSecret?
    private(set) var notes: HeldSecret?
    private(set) var oneTimePassword: HeldSecret?
    private let form: ExportForm

    /// Collects the texts, and counts those that the form cannot have.
    ///
    /// The text of a note is among the notes, if the form has any.
    init(_ record: PasswordRecord, for form: ExportForm, _ losses: inout ExportLosses) {
        self.form = form
        let parts = form.parts
        let secret = text(record.secret, &losses)
        let comment = parts.contains(.notes) ? text(record.notes, &losses) : nil
        if record.kind == .note, parts.contains(.notes) {
            notes = Self.joined([secret, comment])
        } else {
            (password, notes) = (secret, comment)
        }
        if parts.contains(.oneTimePasswords) { oneTimePassword = text(record.oneTimePasswords.first, &losses) }
    }

    /// The value if it is text; counts it if it is not, or if its program will change it.
    func text(_ value: HeldSecret?, _ losses: inout ExportLosses) -> HeldSecret? {
        guard let value = losses.text(value) else { return nil }
        // Both change all line ends of a file to newlines before they read it.
        if form == .bitwarden || form == .keePassXC, value.bytes.withSpan({ $0.contains(0x0D) }) {
            losses.add(.carriageReturns)
        }
        return value
    }

    /// The texts with an empty line between them.
    private static func joined(_ texts: [HeldSecret?]) -> HeldSecret? {
        let texts = texts.compactMap { $0 }.filter { !$0.isEmpty }
        guard texts.count > 1 else { return texts.first }
        let joined = SecretBuilder()
        for text in texts {
            if joined.byteCount > 0 { joined.append("\n\n".utf8) }
            text.bytes.withSpan { joined.append(copying: $0) }
        }
        return joined.held
    }
}

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
