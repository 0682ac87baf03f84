internal import Coffer
internal import CofferBasics
internal import CofferFleet
internal import CommandSystem
internal import VaultFiles

/// One run of the command: its arguments, its output and what it works with.
final class CommandRun {
    let context: CommandContext
    let arguments: ParsedArguments
    let output: Output
    let messages: Messages
    /// The exit code if no error is thrown.
    var status: UInt8 = 0
    /// The open vaults by path, which all lines of one input share.
    let openVaults: OpenVaults
    /// Whether this is a line of an input, so that its words are not visible as arguments of a process.
    let isLine: Bool
    /// The screen on which this run takes place, if it does not use the lines of a terminal.
    weak var screen: Browser?
    /// The signal that ended the command that was run, if one did.
    var signal: Int32?
    /// The signal that arrived while a change was being completed, if one did.
    var interruption: Int32?
    /// The passphrase that the user of `sync` has typed last, to try it with copies.
    var typed: Passphrase?
    /// Whether items were changed.
    var hasChangedItems: Bool {
        get { openVaults.hasChangedItems }
        set { openVaults.hasChangedItems = newValue }
    }
    /// Access to the vault, which is opened when it is first needed.
    private(set) lazy var vaults = VaultAccess(self)
    /// The fleet that the environment names, if it names one.
    private(set) lazy var fleet = Result { () throws(VaultError) in try Fleet(context.environment) }
    /// Asks the user at the terminal.
    private(set) lazy var prompter = Prompter(self)

    init(_ context: CommandContext, output: Output, messages: Messages) throws {
        self.context = context
        self.output = output
        self.messages = messages
        openVaults = OpenVaults()
        isLine = false
        // The words are not parsed yet, so whether their errors are reported as JSON is only a guess.
        messages.isJSON = context.arguments.prefix { $0 != "--" }.contains(Option.json.names[0])
        arguments = try ParsedArguments(HelperName.words(context))
        try prepareMessages()
    }

    /// The run of one line of an input, with the options and streams of the run that reads the input.
    init(
        line context: CommandContext,
        of reader: CommandRun,
        output: Output? = nil,
        messages: Messages? = nil
    ) throws {
        self.context = context
        self.output = output ?? reader.output
        self.messages = messages ?? reader.messages
        openVaults = reader.openVaults
        screen = reader.screen
        isLine = true
        var arguments = try ParsedArguments(context.arguments, isOfSecurity: reader.arguments.isOfSecurity)
        arguments.inherit(reader.arguments)
        self.arguments = arguments
        try prepareMessages()
    }

    private func prepareMessages() throws {
        messages.isQuiet = arguments.has(.quiet) || !(context.environment["COFFER_QUIET"]?.isEmpty ?? true)
        messages.isJSON = isJSON
        messages.isColored = try isColored(messages.isTerminal)
    }

    /// The current time, in seconds since 1970.
    var now: Double { Double(context.time.wallMicroseconds()) / 1e6 }

    /// Whether output is JSON.
    var isJSON: Bool { arguments.has(.json) }

    /// Whether output may be colored.
    var printsColor: Bool {
        get throws { try isColored(output.isTerminal) }
    }

    private func isColored(_ isTerminal: Bool) throws -> Bool {
        switch arguments.value(of: .colorMode) ?? "auto" {
        case "always": return true
        case "never": return false
        case "auto":
            let environment = context.environment
            let isRefused = !(environment["NO_COLOR"]?.isEmpty ?? true) || environment["TERM"] == "dumb"
            return isTerminal && !isRefused
        default: throw CommandError.usage("invalid value for --color: must be auto, always or never")
        }
    }

    /// Performs what the command line asks for.
    func perform() throws {
        if let word = arguments.unknownVerb {
            guard arguments.has(.help) else { throw Self.unknown(word, ofSecurity: arguments.isOfSecurity) }
            return try writeSubcommands(of: word)
        }
        guard let verb = arguments.verb else {
            if arguments.isInteractive { return try runLines() }
            if arguments.isOfSecurity { try writeSubcommands(of: VerbTable.security) } else { try writeOverview() }
            if !arguments.has(.help) { status = ExitCode.usage.rawValue }
            return
        }
        guard !arguments.has(.help) else {
            return try writeHelp(of: arguments.formerName?.verb ?? verb)
        }
        // Not where a program calls it.
        if let former = arguments.formerName, context.input.isTerminal, output.isTerminal, messages.isTerminal {
            messages.note("`coffer \(former.name)` is `\(former.call)` now")
        }
        for option in arguments.ignored { messages.warning("\(option.names[0]) has no effect: \(option.summary)") }
        try verb.body(self)
    }

    /// Completes a change even if a signal arrives: the outcome is reported before the signal ends the process.
    ///
    /// `body` must not ask the user or wait for another program.
    func uninterrupted<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try context.machine.recordingSignals { signal throws(Failure) in
            defer { interruption = signal() ?? interruption }
            return try body()
        }
    }

    /// Compacts the vaults that were changed, if that is due and takes a moment only; otherwise a later run does it.
    func compactIfDue() {
        guard hasChangedItems, interruption == nil else { return }
        hasChangedItems = false
        for vault in openVaults.all { vault.compactIfDue(within: .milliseconds(50)) }
    }

    /// Throws if a signal arrived during an earlier change, so that nothing else is started and the user is not asked.
    func checkNotInterrupted() throws {
        guard let interruption else { return }
        throw CommandError.stopped("nothing else was changed", by: interruption)
    }

    /// Reports that a signal arrived too late to stop the change in progress.
    func reportInterruption() {
        if interruption != nil { messages.note("interrupted by a signal; the change in progress was completed") }
    }

    /// Writes the first page of the help, or all verbs.
    func writeOverview(ofAll: Bool = false) throws {
        guard !isJSON else { return try output.write(json: Help.overviewJSON) }
        let help = Help(output: output, isColored: try printsColor)
        if ofAll { try help.all() } else { try help.firstPage() }
    }

    /// Writes the help of a verb.
    func writeHelp(of verb: Verb) throws {
        guard !isJSON else { return try output.write(json: Help.json(verb)) }
        try Help(output: output, isColored: printsColor).verb(verb)
    }

    /// Writes the help of a word that needs a subcommand.
    func writeSubcommands(of word: String) throws {
        let verbs = VerbTable.subcommands(of: word)
        guard !verbs.isEmpty else { throw Self.unknown(word) }
        guard !isJSON else { return try output.write(json: ["verbs": .array(verbs.map(Help.json))]) }
        try Help(output: output, isColored: printsColor).subcommands(verbs, of: word)
    }

    /// The error for a verb that does not exist, with a suggestion.
    static func unknown(_ word: String, ofSecurity: Bool = false) -> CommandError {
        let subcommands = ofSecurity ? [] : VerbTable.subcommands(of: word).map(\.lastWord)
        if let last = subcommands.last {
            let others = subcommands.dropLast().joined(separator: ", ")
            return .usage("`coffer \(word)` needs a subcommand: \(others.isEmpty ? last : "\(others) or \(last)")")
        }
        let hints =
            VerbTable.suggestion(for: word, ofSecurity: ofSecurity).map { ["did you mean `coffer \($0)`?"] } ?? []
        let help = ofSecurity ? "coffer security --help" : "coffer help --all"
        return .usage("unknown verb \(word.printable)", hints: hints + ["see `\(help)` for all verbs"])
    }
}

/// The open vaults by path.
final class OpenVaults {
    private var vaults: [String: Vault] = [:]
    /// Whether items of one of them were changed.
    var hasChangedItems = false
    private var authentications: [String: AuthenticationContext] = [:]

    var all: some Sequence<Vault> { vaults.values }

    subscript(path: String) -> Vault? {
        get { vaults[path] }
        set { vaults[path] = newValue }
    }

    /// What the user has presented to use items of a vault whose access control demands it.
    func authentication(for path: String) -> AuthenticationContext {
        if let known = authentications[path] { return known }
        let new = AuthenticationContext(ignoringSimulator: true)
        authentications[path] = new
        return new
    }
}
