internal import Coffer
internal import CofferBasics

/// A password as text that people edit: its attributes, an empty line, and its secret.
struct ItemDocument {
    private let item: FoundItem
    private let names: [AttributeName]

    /// The document of an item; nil if it is no password, or an attribute is not text.
    init?(_ item: FoundItem) {
        switch item.itemClass {
        case .genericPassword: names = [.service, .account, .label, .itemDescription, .comment]
        case .internetPassword:
            names = [.server, .protocol, .port, .path, .securityDomain, .account, .label, .itemDescription, .comment]
        case .certificate, .key, .identity: return nil
        }
        self.item = item
        guard names.allSatisfy({ item.text($0).map { $0.string != nil } ?? true }) else { return nil }
    }

    private func value(_ name: AttributeName) -> String { item.text(name)?.string ?? "" }

    /// The text, with a newline after the secret.
    func text(secret: HeldSecret?) -> HeldSecret {
        let text = SecretBuilder()
        for name in names {
            let value = value(name).split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  ")
            text.append("\(AttributeName.shown(name.rawValue)): \(value)\n".utf8)
        }
        text.append("\n".utf8)
        secret?.withSpan { bytes in for index in bytes.indices { text.append(bytes[index]) } }
        text.append("\n".utf8)
        return text.held
    }

    /// The attributes that differ in a text, and its secret.
    func changes(in text: HeldSecret) throws -> (attributes: [AttributeName: ItemValue?], secret: HeldSecret) {
        try text.withSpan { bytes in
            guard bytes.isText else { throw CommandError(.usage, "the text is not UTF-8; nothing was changed") }
            var values: [AttributeName: String] = [:]
            var last: AttributeName?
            var (start, lineNumber) = (0, 0)
            while true {
                lineNumber += 1
                guard let end = (start..<bytes.count).first(where: { bytes[$0] == UInt8(ascii: "\n") }) else {
                    throw CommandError(.usage, "the empty line before the secret is missing; nothing was changed")
                }
                let line = String(decoding: (start..<end).map { bytes[$0] }, as: UTF8.self)
                start = end + 1
                guard !line.isEmpty else { break }
                if let last, line.hasPrefix(" ") {
                    values[last, default: ""] += "\n" + line.dropFirst(line.hasPrefix("  ") ? 2 : 1)
                } else {
                    let (name, value) = try field(of: line, lineNumber)
                    (values[name], last) = (value, name)
                }
            }
            // Editors end the last line.
            let end =
                bytes.count > start && bytes[bytes.count - 1] == UInt8(ascii: "\n") ? bytes.count - 1 : bytes.count
            return (try differences(values), HeldSecret(copying: bytes.extracting(start..<end)))
        }
    }

    private func field(of line: String, _ lineNumber: Int) throws -> (AttributeName, String) {
        guard let colon = line.firstIndex(of: ":"),
            let name = names.first(where: { AttributeName.shown($0.rawValue) == line[..<colon] })
        else {
            let known = names.map { AttributeName.shown($0.rawValue) }.joined(separator: ", ")
            throw CommandError(
                .usage,
                "line \(lineNumber) is none of: \(known); nothing was changed",
                hints: ["the secret follows an empty line"]
            )
        }
        let value = line[line.index(after: colon)...]
        return (name, String(value.hasPrefix(" ") ? value.dropFirst() : value))
    }

    private func differences(_ values: [AttributeName: String]) throws -> [AttributeName: ItemValue?] {
        var differences: [AttributeName: ItemValue?] = [:]
        for name in names {
            let new = values[name] ?? ""
            guard new != value(name) else { continue }
            guard name == .port else {
                differences[name] = .some(new.isEmpty ? nil : .string(new))
                continue
            }
            guard let port = Int64(new.isEmpty ? "0" : new), (0...65_535).contains(port) else {
                throw CommandError(.usage, "invalid port \(new.printable); nothing was changed")
            }
            differences[name] = .some(.integer(port))
        }
        return differences
    }
}
