import CofferBasics
import CofferPasswordFiles
import TestSupport

extension ExportedItem {
    /// All that the item has, in a form that can be compared.
    var summary: [String] {
        [current.summary, deleted?.secondsSinceReferenceDate.text ?? "-"] + conflicts.map { "conflict: \($0.summary)" }
            + history.map { "former: \($0.summary)" }
    }

    /// An item with random values of all types, up to three former revisions, and deleted or with up to two conflicts.
    static func random(using generator: inout SeededGenerator) -> ExportedItem {
        let history = (0..<Int.random(in: 0...3, using: &generator)).map { _ in Revision.random(using: &generator) }
        var item = ExportedItem(.random(using: &generator), history: history)
        if Int.random(in: 0...3, using: &generator) == 0 {
            item.deleted = Revision.date(&generator)
        } else {
            for _ in 0..<Int.random(in: 0...2, using: &generator) { item.conflicts.append(.random(using: &generator)) }
        }
        return item
    }
}

extension ExportedItem.Revision {
    fileprivate var summary: String {
        var parts = ["\(itemClass)|\(group)|\(protection)|\(isSynchronizable)|\(accessControl as Any)"]
        parts += [created, modified, written].map { "\($0?.secondsSinceReferenceDate.text ?? "-")" }
        parts += attributes.map { "\($0.name)=\($0.value.summary)" }
        parts.append("\(secret?.array as Any)")
        return parts.joined(separator: "\n")
    }

    fileprivate static func random(using generator: inout SeededGenerator) -> Self {
        var revision = Self(
            itemClass: ["genp", "inet", "cert", "keys"].randomElement(using: &generator) ?? "",
            group: text(&generator),
            protection: text(&generator)
        )
        if Bool.random(using: &generator) {
            let enrolled = Bool.random(using: &generator) ? bytes(&generator) : nil
            let flags = UInt32.random(in: 0...UInt32.max, using: &generator)
            revision.accessControl = ExportedItem.AccessControl(flags: flags, enrolled: enrolled)
        }
        revision.isSynchronizable = Bool.random(using: &generator)
        if Bool.random(using: &generator) { revision.created = date(&generator) }
        if Bool.random(using: &generator) { revision.modified = date(&generator) }
        if Bool.random(using: &generator) { revision.written = date(&generator) }
        for number in 0..<Int.random(in: 0...9, using: &generator) {
            revision.attributes.append(("\(number)\(text(&generator))", value(&generator)))
        }
        if Bool.random(using: &generator) { revision.secret = secret(&generator) }
        return revision
    }

    private static func value(_ generator: inout SeededGenerator) -> ExportedItem.Value {
        switch Int.random(in: 0...5, using: &generator) {
        case 0: .text(HeldSecret(text(&generator)))
        case 1: .bytes(secret(&generator))
        case 2:
            .integer(
                Int128(
                    truncatingIfNeeded: Int128.random(in: .min ... .max, using: &generator)
                        >> Int.random(in: 0...127, using: &generator)
                )
            )
        case 3: .real(number(&generator))
        case 4: .bool(.random(using: &generator))
        default: .date(date(&generator))
        }
    }

    private static func secret(_ generator: inout SeededGenerator) -> HeldSecret {
        guard Bool.random(using: &generator) else { return HeldSecret(text(&generator)) }
        let bytes = bytes(&generator)
        return HeldSecret(copying: bytes.span)
    }

    private static func bytes(_ generator: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let characters: [Unicode.Scalar] = [
            "a", "\0", "\r", "\n", "\t", "\"", "\\", "/", "\u{1F}", "\u{7F}", "\u{E9}", "\u{301}", "\u{2028}",
            "\u{FEFF}",
            "\u{1F600}", "\u{10FFFF}", "=", "#", ",", "{", "\u{200D}",
        ]
        return (0..<Int.random(in: 0...12, using: &generator)).reduce(into: "") { text, _ in
            text.unicodeScalars.append(characters.randomElement(using: &generator) ?? "a")
        }
    }

    private static func number(_ generator: inout SeededGenerator) -> Double {
        switch Int.random(in: 0...3, using: &generator) {
        case 0:
            [0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude].randomElement(
                using: &generator
            )
                ?? 0
        case 1: Double.random(in: -1e3...1e3, using: &generator)
        default: Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &generator))
        }
    }

    fileprivate static func date(_ generator: inout SeededGenerator) -> ExportedDate {
        let whole = Double.random(in: -7e10...3e11, using: &generator).rounded()
        let seconds =
            switch Int.random(in: 0...4, using: &generator) {
            case 0: number(&generator)
            case 1: whole
            case 2: whole + Double.random(in: 0..<1, using: &generator)
            case 3: (Double.random(in: 0...1e9, using: &generator) * 1e6).rounded() / 1e6
            default: Double.random(in: -2...2, using: &generator)
            }
        return ExportedDate(secondsSinceReferenceDate: seconds)
    }
}

extension ExportedItem.Value {
    fileprivate var summary: String {
        switch self {
        case .text(let text): "text \(text.array)"
        case .bytes(let bytes): "bytes \(bytes.array)"
        case .integer(let number): "integer \(number)"
        case .real(let number): "real \(number.text)"
        case .bool(let isTrue): "bool \(isTrue)"
        case .date(let date): "date \(date.secondsSinceReferenceDate.text)"
        }
    }
}

extension Double {
    /// The bits of the number; all that are no number are the same.
    fileprivate var text: String { isNaN ? "nan" : "\(bitPattern)" }
}
