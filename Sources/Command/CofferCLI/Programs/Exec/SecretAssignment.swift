internal import Coffer
internal import CofferBasics

/// A variable for a command, and the item whose secret it gets: `NAME=[ACCOUNT@]SERVICE`.
struct SecretAssignment {
    let name: String
    private let item: String

    /// Parses the value of an option.
    ///
    /// - Parameters:
    ///   - text: The value.
    ///   - option: The option, for messages.
    /// - Throws: `CommandError` if the value is invalid.
    init(_ text: String, of option: Option) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let option = option.names[0]
        guard parts.count == 2 else {
            throw CommandError.usage("\(option) needs NAME=[ACCOUNT@]SERVICE, but \(text.printable) has no equals sign")
        }
        let name = String(parts[0])
        guard Self.isVariable(name) else {
            throw CommandError.usage(
                "invalid variable name: \(name.printable)",
                hints: ["use letters, digits and underscores, and do not begin with a digit"]
            )
        }
        self.name = name
        item = try Self.item(String(parts[1]), of: "\(option) \(name)")
    }

    /// The word of an option or a variable that names an item; throws if it names no service.
    static func item(_ word: String, of name: String) throws -> String {
        try ItemWord.check(word)
        guard let last = word.last, last != "@" else { throw CommandError.usage("\(name) names no service") }
        return word
    }

    private static func isVariable(_ name: String) -> Bool {
        guard let first = name.utf8.first, !first.isDigit else { return false }
        return name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
    }

    /// The selection of the item, in `group` if it is given.
    func selection(in group: String?) -> ItemSelection {
        ItemSelection(service: item, account: nil, group: group)
    }
}
