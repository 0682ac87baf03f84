internal import Coffer
internal import CofferBasics

/// A variable for a command, and the item whose secret it gets: `VARIABLE=[USER@]NAME`.
struct SecretAssignment {
    let name: String
    let reference: SecretReference

    /// A variable of a file, which stands at a place in it.
    init(_ name: String, _ reference: SecretReference) { (self.name, self.reference) = (name, reference) }

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
            throw CommandError.usage("\(option) needs VARIABLE=[USER@]NAME, but \(text.printable) has no equals sign")
        }
        let name = String(parts[0])
        try Self.checkVariable(name)
        self.name = name
        reference = SecretReference(item: try Self.item(String(parts[1]), of: "\(option) \(name)"))
    }

    /// The word of an option or a variable that names an item; throws if it names none.
    static func item(_ word: String, of name: String) throws -> String {
        try ItemWord.check(word)
        guard let last = word.last, last != "@" else { throw CommandError.usage("\(name) names no item") }
        return word
    }

    /// Throws if a variable cannot have this name.
    static func checkVariable(_ name: String) throws {
        let isValid = name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
        guard isValid, let first = name.utf8.first, !first.isDigit else {
            throw CommandError.usage(
                "invalid variable name: \(name.printable)",
                hints: ["use letters, digits and underscores, and do not begin with a digit"]
            )
        }
    }
}
