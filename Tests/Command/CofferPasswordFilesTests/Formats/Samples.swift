import CofferBasics
import CofferPasswordFiles
import Foundation

/// Files as programs write them, typed from public descriptions.
enum Samples {
    static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Samples")

    static func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: directory.appending(path: name)))
    }

    static func file(_ name: String, _ options: ReadingOptions = ReadingOptions()) throws -> PasswordFile {
        try PasswordFile.read(HeldSecret(bytes(name)), name: name, options: options)
    }
}

extension PasswordRecord {
    /// All that the record has, so that a test counts every field.
    var summary: [String] {
        var lines = ["\(kind.rawValue) \(place)"]
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { lines.append("\(name): \(value)") }
        }
        add("title", title)
        for site in sites { add("site", site) }
        add("realm", realm)
        add("account", account)
        if let secret { lines.append("secret: \(secret.text)") }
        if let notes { lines.append("notes: \(notes.text)") }
        for generator in oneTimePasswords { add("otp", generator.text) }
        for field in fields {
            lines.append("\(field.isHidden ? "hidden" : "field") \(field.name): \(field.value.text)")
        }
        add("folders", folders.joined(separator: " > "))
        add("tags", tags.joined(separator: " + "))
        let flags = [(isFavorite, "favorite"), (isArchived, "archived"), (isTrashed, "trashed")]
        lines += flags.filter { $0.0 }.map { $0.1 }
        for former in formerSecrets { lines.append("former: \(former.secret.text) \(former.time ?? -1)") }
        for attachment in attachments { add("attachment", "\(attachment.name) \(attachment.content.text)") }
        for passkey in passkeys { add("passkey", "\(passkey.relyingParty) \(passkey.userName)") }
        add("created", created.map { "\($0)" })
        add("changed", changed.map { "\($0)" })
        for loss in losses { add("loss", loss) }
        return lines
    }
}

extension PasswordFile {
    var summaries: [[String]] { records.map(\.summary) }
}
