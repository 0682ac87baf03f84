internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles

/// One run of the command: what it was told, and what it works with.
final class Run {
    let surroundings: Surroundings
    let arguments: ParsedArguments
    let output: Output
    let messages: Messages
    /// What the command ends with if nothing goes wrong.
    var status: UInt8 = 0
    /// The vaults that are open, by their paths: lines of one input share them.
    let openVaults: OpenVaults
    /// Whether it is a line of an input, and so the words are not those of a process.
    let isLine: Bool
    /// The signal that has ended a command that was run, if one has.
    var signal: Int32?
    /// The signal that came while something was brought to its end, if one has.
    var interruption: Int32?
    /// The vault, opened when it is needed.
    private(set) lazy var vaults = VaultAccess(self)
    /// Who is asked.
    private(set) lazy var prompter = Prompter(self)

    init(_ surroundings: Surroundings, output: Output, messages: Messages) throws {
        self.surroundings = surroundings
        self.output = output
        self.messages = messages
        openVaults = OpenVaults()
        isLine = false
        // Errors in the command line are said as it asks, as far as that can be told from words.
        messages.isJSON = surroundings.arguments.prefix { $0 != "--" }.contains(Option.json.names[0])
        arguments = try ParsedArguments(HelperName.words(surroundings))
        try prepareMessages()
    }

    /// The run of a line that stands for itself, with the options of the run that reads it.
    init(line surroundings: Surroundings, of reader: Run) throws {
        self.surroundings = surroundings
        output = reader.output
        messages = reader.messages
        openVaults = reader.openVaults
        isLine = true
        var arguments = try ParsedArguments(surroundings.arguments)
        arguments.inherit(reader.arguments)
        self.arguments = arguments
        try prepareMessages()
    }

    private func prepareMessages() throws {
        messages.isQuiet = arguments.has(.quiet) || !(surroundings.environment["COFFER_QUIET"]?.isEmpty ?? true)
        messages.isJSON = isJSON
        messages.isColoured = try isColoured(messages.isTerminal)
    }

    /// The present, in seconds since 1970 began.
    var now: Double { Double(surroundings.time.wallMicroseconds()) / 1e6 }

    /// Whether machines read what is printed.
    var isJSON: Bool { arguments.has(.json) }

    /// Whether what is printed may be coloured.
    var printsColour: Bool {
        get throws { try isColoured(output.isTerminal) }
    }

    private func isColoured(_ isTerminal: Bool) throws -> Bool {
        switch arguments.value(of: .colour) ?? "auto" {
        case "always": return true
        case "never": return false
        case "auto":
            let environment = surroundings.environment
            let isRefused = !(environment["NO_COLOR"]?.isEmpty ?? true) || environment["TERM"] == "dumb"
            return isTerminal && !isRefused
        default: throw CommandError.usage("--color takes auto, always or never")
        }
    }

    /// Does what the words say.
    func perform() throws {
        if let word = arguments.unknownVerb { throw Self.unknown(word) }
        guard let verb = arguments.verb else {
            if arguments.isInteractive { return try runLines() }
            try Help.overview(to: output, isColoured: printsColour, isJSON: isJSON)
            if !arguments.has(.help) { status = ExitCode.usage.rawValue }
            return
        }
        guard !arguments.has(.help) else {
            return try Help.verb(verb, to: output, isColoured: printsColour, isJSON: isJSON)
        }
        for option in arguments.ignored { messages.warning("\(option.names[0]) means nothing here: \(option.summary)") }
        try verb.body(self)
    }

    /// Brings to its end what changes something: if a signal comes meanwhile, what was done is told before it is obeyed.
    ///
    /// It must neither ask nor wait for anybody.
    func toItsEnd<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try surroundings.machine.notingSignals { signal throws(Failure) in
            defer { interruption = signal() ?? interruption }
            return try body()
        }
    }

    /// Throws if a signal came while something was brought to its end: nothing else is begun then, and nobody asked.
    func checkGoesOn() throws {
        guard let interruption else { return }
        throw CommandError.stopped("nothing else was changed", by: interruption)
    }

    /// Says that a signal has come too late to stop anything.
    func tellInterruption() {
        if interruption != nil { messages.note("a signal asked to stop; what was begun was brought to its end") }
    }

    /// That there is no such verb, and which are near.
    static func unknown(_ word: String) -> CommandError {
        let longer = VerbTable.verbs.map(\.name).filter { $0.hasPrefix(word + " ") }
        guard longer.isEmpty else {
            return .usage("coffer \(word) is not whole", hints: ["it goes on: \(longer.joined(separator: ", "))"])
        }
        let hints = VerbTable.suggestion(for: word).map { ["did you mean coffer \($0)?"] } ?? []
        return .usage("there is no verb \(word.printable)", hints: hints + ["coffer --help lists them all"])
    }
}

/// Vaults that are open, by their paths.
final class OpenVaults {
    private var vaults: [String: Vault] = [:]

    subscript(path: String) -> Vault? {
        get { vaults[path] }
        set { vaults[path] = newValue }
    }
}
