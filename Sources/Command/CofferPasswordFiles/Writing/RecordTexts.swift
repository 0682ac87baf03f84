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
        if form == .bitwarden || form == .keePassXC, value.withSpan({ $0.contains(0x0D) }) {
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
            text.withSpan { joined.append(copying: $0) }
        }
        return joined.held
    }
}
