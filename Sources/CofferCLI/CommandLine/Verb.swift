/// What the command can be asked to do.
struct Verb: Sendable {
    /// Where the help lists it.
    enum Topic: String, CaseIterable, Sendable {
        case items = "Items"
        case past = "The past of items"
        case vaults = "Vaults"
        case running = "Running programs"
        case looking = "Looking into things"
        case macOS = "As in macOS security(1)"
        case other = "Other"
    }

    /// What stands behind the verb.
    struct Operand: Sendable {
        enum Presence: Sendable { case needed, optional, rest }

        let name: String
        let presence: Presence
        var completion = Option.Completion.nothing

        /// How it is written in the usage line.
        var usage: String {
            switch presence {
            case .needed: name
            case .optional: "[\(name)]"
            case .rest: "[\(name)...]"
            }
        }
    }

    /// A call, and what it is for.
    struct Example: Sendable {
        let call: String
        let purpose: String
    }

    typealias Body = @Sendable (Run) throws -> Void

    /// Its words, such as `slot add`.
    let name: String
    let topic: Topic
    /// What it does, in one line that begins with a verb.
    let summary: String
    var operands: [Operand] = []
    var options: [Option] = []
    /// Whether the first operand ends the options: what follows belongs to somebody else.
    var isFollowedByCommand = false
    /// Whether short options may stand together, and a value directly behind one, as with `getopt`.
    var isLikeGetopt = false
    /// Whether `-25300` is an operand.
    var takesNumbers = false
    /// What else there is to know, in paragraphs.
    var details = ""
    var examples: [Example] = []
    let body: Body

    init(
        _ name: String,
        _ topic: Topic,
        _ summary: String,
        operands: [Operand] = [],
        options: [Option] = [],
        details: String = "",
        examples: [Example] = [],
        isLikeGetopt: Bool = false,
        takesNumbers: Bool = false,
        body: @escaping Body
    ) {
        self.name = name
        self.topic = topic
        self.summary = summary
        self.operands = operands
        self.options = options
        self.details = details
        self.examples = examples
        self.isLikeGetopt = isLikeGetopt
        self.takesNumbers = takesNumbers
        self.body = body
    }

    /// How the verb is written.
    var usage: String {
        let words =
            ["coffer", name, "[OPTION...]"] + operands.map(\.usage)
            + (isFollowedByCommand ? ["[--] COMMAND [ARG...]"] : [])
        return words.joined(separator: " ")
    }
}

extension Verb.Operand {
    static let service = Self(name: "SERVICE", presence: .needed)
    static let optionalService = Self(name: "SERVICE", presence: .optional)
    static let account = Self(name: "ACCOUNT", presence: .needed)
    static let optionalAccount = Self(name: "ACCOUNT", presence: .optional)
    static let optionalPath = Self(name: "PATH", presence: .optional, completion: .file)
}
