/// A verb of the command, such as `set` or `key add`.
struct Verb: Sendable {
    /// The section of the help that lists a verb; its first word is the folder of the verb's file.
    enum Topic: String, CaseIterable, Sendable {
        case items = "Items"
        case importing = "Import and export"
        case history = "History"
        case vaults = "Vaults"
        case copies = "Copies of a vault"
        case fleet = "Fleet of machines"
        case programs = "Programs and credential helpers"
        case inspection = "Inspection and diagnosis"
        case macOS = "macOS security(1)"
        case help = "Help"

        /// The first word of the heading.
        var folder: String { rawValue.split(separator: " ").first.map(String.init) ?? rawValue }
    }

    /// A positional argument of a verb.
    struct Operand: Sendable {
        enum Presence: Sendable { case needed, optional, rest }

        let name: String
        let presence: Presence
        var completion = Option.Completion.nothing

        /// The operand as the usage line shows it.
        var usage: String {
            switch presence {
            case .needed: name
            case .optional: "[\(name)]"
            case .rest: "[\(name)...]"
            }
        }
    }

    /// A sample call with its purpose.
    struct Example: Sendable {
        let call: String
        let purpose: String
    }

    typealias Body = @Sendable (CommandRun) throws -> Void

    /// The name, of one or two words: `set`, `key add`.
    let name: String
    let topic: Topic
    /// A one-line description in the imperative.
    let summary: String
    var operands: [Operand] = []
    var options: [Option] = []
    /// Those of the options that say what the verb does, of which one can be given.
    var modes: [Option] = []
    /// Whether a command to run follows: its first word ends the options.
    var isFollowedByCommand = false
    /// Whether short options can be combined and can have their value attached, as with `getopt`.
    var usesGetoptSyntax = false
    /// Whether a negative number such as `-25300` is an operand.
    var takesNumbers = false
    /// Whether the verb reads a secret, which people may also give as one more operand.
    var readsSecret = false
    /// Further paragraphs of the help.
    var details = ""
    var examples: [Example] = []
    let body: Body

    init(
        _ name: String,
        _ topic: Topic,
        _ summary: String,
        operands: [Operand] = [],
        options: [Option] = [],
        modes: [Option] = [],
        details: String = "",
        examples: [Example] = [],
        usesGetoptSyntax: Bool = false,
        takesNumbers: Bool = false,
        readsSecret: Bool = false,
        body: @escaping Body
    ) {
        self.name = name
        self.topic = topic
        self.summary = summary
        self.operands = operands
        self.options = modes + options
        self.modes = modes
        self.details = details
        self.examples = examples
        self.usesGetoptSyntax = usesGetoptSyntax
        self.takesNumbers = takesNumbers
        self.readsSecret = readsSecret
        self.body = body
    }

    /// The first word, or the only one.
    var firstWord: String { name.split(separator: " ").first.map(String.init) ?? name }

    /// The word after the first one, or the only one.
    var lastWord: String { name.split(separator: " ").last.map(String.init) ?? name }

    /// The usage line.
    var usage: String {
        let words =
            ["coffer", name, "[OPTION...]"] + operands.map(\.usage)
            + (isFollowedByCommand ? ["[--] COMMAND [ARG...]"] : [])
        return words.joined(separator: " ")
    }
}

extension Verb.Operand {
    static let service = Self(name: "NAME", presence: .needed, completion: .service)
    static let optionalService = Self(name: "NAME", presence: .optional, completion: .service)
    static let optionalAccount = Self(name: "USER", presence: .optional, completion: .account)
    static let optionalPath = Self(name: "PATH", presence: .optional, completion: .file)
}
