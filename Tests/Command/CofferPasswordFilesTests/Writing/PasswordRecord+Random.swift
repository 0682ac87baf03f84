import CofferBasics
import CofferPasswordFiles
import TestSupport

extension PasswordRecord {
    /// A login of random texts with what is hard to quote, and of one or two addresses.
    static func random(using generator: inout SeededGenerator) -> PasswordRecord {
        var record = PasswordRecord(at: "item 1")
        record.title = "T" + .awkward(&generator) + "T"
        record.sites = (1...Int.random(in: 1...2, using: &generator)).map { "https://\($0).example" }
        record.account = "A" + .awkward(&generator)
        record.secret = HeldSecret(.awkward(&generator) + "S")
        if Bool.random(using: &generator) { record.notes = HeldSecret("N" + .awkward(&generator)) }
        if Bool.random(using: &generator) {
            let uri = "otpauth://totp/M:k?secret=JBSWY3DP&issuer=M&algorithm=SHA1&digits=6&period=30"
            record.oneTimePasswords = [HeldSecret(uri)]
        }
        if Bool.random(using: &generator) { record.folders = ["Work", "#mail, \"x\""] }
        if Bool.random(using: &generator) { record.tags = ["x", "y,z"] }
        record.isFavorite = .random(using: &generator)
        record.isArchived = .random(using: &generator)
        if Bool.random(using: &generator) { record.created = Int64.random(in: 0...4_000_000_000, using: &generator) }
        if Bool.random(using: &generator) { record.changed = Int64.random(in: 0...4_000_000_000, using: &generator) }
        return record
    }
}

extension String {
    /// Random text of characters that CSV and JSON have to escape, and others that programs get wrong.
    fileprivate static func awkward(_ generator: inout SeededGenerator) -> String {
        let characters: [Unicode.Scalar] = [
            "a", "Z", "9", " ", "\"", "\"", ",", ";", "\n", "\r", "\t", "\\", "'", "=", "#", "/", "\u{1}", "\u{E9}",
            "\u{301}",
            "\u{1F600}", "\u{FEFF}", "\u{2028}",
        ]
        return (0..<Int.random(in: 0...10, using: &generator)).reduce(into: "") { text, _ in
            text.unicodeScalars.append(characters.randomElement(using: &generator) ?? "a")
        }
    }
}

extension PasswordRecord {
    /// The cells that a CSV file of `form` has of the record: its rows.
    func cells(_ form: ExportForm) -> [[String]] {
        let (secret, notes) = (secret?.text ?? "", notes?.text ?? "")
        let uri = oneTimePasswords.first?.text ?? ""
        let group = folders.joined(separator: "/")
        func milliseconds(_ seconds: Int64?) -> String { seconds.map { "\($0)000" } ?? "" }
        return switch form {
        case .apple: sites.map { [title, $0, account, secret, notes, uri] }
        case .chrome: sites.map { [title, $0, account, secret, notes] }
        case .firefox:
            sites.map { [$0, account, secret, "", "", "", milliseconds(created), "", milliseconds(changed)] }
        case .bitwarden:
            [
                [
                    group, isFavorite ? "1" : "", "login", title, notes, "", "0", sites.joined(separator: ","), account,
                    secret, uri,
                ]
            ]
        case .onePassword:
            [
                [
                    title, sites[0], account, secret, uri, "\(isFavorite)", "\(isArchived)",
                    tags.joined(separator: ";"),
                    notes,
                ]
            ]
        case .keePassXC, .cxf: []
        }
    }
}
