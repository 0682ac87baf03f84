import Coffer
import CofferCLI
import CommandSystem
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// A machine for one test, on which the command runs in this process.
final class CommandSample {
    /// The result of one run.
    struct Result {
        var output: [UInt8]
        var errors: String
        /// The text that was written to the terminal.
        var terminal: String
        var status: UInt8
        /// The signal with which the process ends itself.
        var signal: Int32?

        /// The standard output as text.
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// One run: its words, input and environment.
    struct Call {
        var programName = "coffer"
        var words: [String]
        var variables: [String: String] = [:]
        var input: [UInt8] = []
        var isInputOpen = true
        var isInputTerminal = false
        var isOutputTerminal = false
        var areErrorsTerminal = false
        /// The width of standard output and standard error, as far as they are terminals.
        var columnCount = 80
        /// The error of writes to standard output, if they fail.
        var outputFailure: FileError.Reason?
        /// The lines typed at the terminal; nil if there is no terminal.
        var answers: [String]?
        /// The screen of the terminal, if there is one.
        var screen: (any ScreenTerminal)?
        /// The machine, if not a simulated one.
        var machine: (any Machine)?
        /// Calls of others, one after each write of the command.
        var meanwhile: [Call] = []
        /// The signal that arrives after the next write when all of those are done.
        var signal: Int32?
        /// The signal that arrives at once.
        var firstSignal: Int32?
        /// The file system of the call, if not that of the machine.
        var files: (any FileSystem)?
    }

    /// The home directory.
    let home: URL
    let time = ManualTime(wallMicroseconds: 1_767_225_600_000_000)
    let keys: SimulatedKeys
    /// The state directory of the machine, below the home; a different one simulates another machine.
    var stateDirectory = ".local/state"

    init() throws {
        home = try TemporaryDirectory.current
        keys = SimulatedKeys(time: time)
    }

    /// Opens the default vault of the machine, or the one at `path`, as another program would.
    func vault(at named: String? = nil, secret: UnlockLadder.Secret? = nil) throws -> Vault {
        var options = VaultOptions(locations: VaultLocations(environment))
        options.environment = StoreEnvironment(random: try SystemRandom())
        options.environment?.time = time
        options.keyring = KernelKeyring(calls: keys)
        let path = try #require(named ?? options.locations.vault)
        var ladder = UnlockLadder(environment: environment)
        ladder.secret = secret
        return try Vault.open(at: path, with: ladder, options: options)
    }

    /// Creates a vault for programs that run as processes, with `hunter2` for `mail kim`, and a passphrase, if any, that
    /// costs less than the half second which it costs in a vault made by a process.
    static func makeVault(at path: String? = nil, passphrase: String? = "correct horse") throws {
        let sample = try CommandSample()
        let file = sample.home.appending(path: "passphrase")
        try Data((passphrase ?? "").utf8).write(to: file)
        var options = path.map { ["--vault", $0] } ?? []
        if passphrase != nil { options += ["--passphrase-file", file.path] }
        for words in [["init", "--no-prompt", "-q"], ["set", "mail", "kim", "-q"]] {
            let result = sample.run(Call(words: words + options, input: Array("hunter2".utf8)))
            try #require(result.status == 0, "\(result.errors)")
        }
    }

    private var environment: ProgramEnvironment {
        let variables = ["HOME": home.path, "XDG_STATE_HOME": home.appending(path: stateDirectory).path]
        return ProgramEnvironment(variables: variables, isSetUserID: false)
    }

    /// Runs the command.
    func run(_ words: String..., input: String = "") -> Result {
        run(Call(words: words, input: Array(input.utf8)))
    }

    /// Runs the command.
    func run(_ call: Call) -> Result {
        let input = SampleInput(call.input, isOpen: call.isInputOpen, isTerminal: call.isInputTerminal)
        let machine = SampleMachine(call.variables)
        machine.signals.signal = call.firstSignal
        machine.connects = { [home, time] program in
            SampleConnection(
                program,
                home: home,
                time: time,
                cutAfter: call.variables["SAMPLE_CUT"].flatMap { Int($0) }
            )
        }
        var meanwhile = call.meanwhile[...]
        let isWritten = { [self] in
            guard let next = meanwhile.popFirst() else { return machine.signals.signal = call.signal }
            _ = run(next)
        }
        let output = SampleOutput(
            isTerminal: call.isOutputTerminal,
            columnCount: call.columnCount,
            failure: call.outputFailure,
            isWritten: isWritten
        )
        let errors = SampleOutput(
            isTerminal: call.areErrorsTerminal,
            columnCount: call.columnCount,
            failure: nil,
            isWritten: isWritten
        )
        let terminal = call.answers.map { SampleTerminal($0) }
        var variables = ["HOME": home.path, "XDG_STATE_HOME": home.appending(path: stateDirectory).path]
        variables.merge(call.variables) { $1 }
        let (keys, time, files) = (keys, time, call.files)
        let context = CommandContext(
            programName: call.programName,
            executable: home.appending(path: "bin/coffer").path,
            arguments: call.words,
            environment: ProgramEnvironment(variables: variables.filter { $0.value != "" }, isSetUserID: false),
            input: input,
            output: output,
            errors: errors,
            openTerminal: { terminal },
            openScreen: { call.screen },
            machine: call.machine ?? machine,
            time: time,
            secondsFromUTC: { _ in 3600 },
            adjust: { options in
                options.passphraseCost = PassphraseCost(Argon2Parameters(operations: 1, memoryKiB: 8192), .reader)
                options.keyring = KernelKeyring(calls: keys)
                guard let random = try? SystemRandom() else { return }
                var environment = StoreEnvironment(random: random)
                environment.time = time
                if let files { environment.files = files }
                options.environment = environment
            }
        )
        let end = CofferCommand.run(context)
        time.advance(nanoseconds: 1_000_000_000)
        return Result(
            output: output.bytes + machine.written,
            errors: String(decoding: errors.bytes, as: UTF8.self),
            terminal: terminal?.written ?? "",
            status: end.status,
            signal: end.signal
        )
    }
}

private final class SampleInput: ByteInput {
    private var rest: ArraySlice<UInt8>
    private let isOpen: Bool
    let isTerminal: Bool

    init(_ bytes: [UInt8], isOpen: Bool, isTerminal: Bool) {
        rest = bytes[...]
        self.isOpen = isOpen
        self.isTerminal = isTerminal
    }

    func read(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        guard isOpen else { throw FileError(.read, "standard input", reason: .other(9)) }
        let byteCount = min(buffer.count, rest.count)
        buffer.withUnsafeMutableBytes { $0.copyBytes(from: rest.prefix(byteCount)) }
        rest = rest.dropFirst(byteCount)
        return byteCount
    }

    func readSome(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int { try read(into: &buffer) }
}

private final class SampleOutput: ByteOutput {
    private(set) var bytes: [UInt8] = []
    let isTerminal: Bool
    let columnCount: Int?
    private let failure: FileError.Reason?
    private let isWritten: () -> Void

    init(isTerminal: Bool, columnCount: Int, failure: FileError.Reason?, isWritten: @escaping () -> Void) {
        self.isTerminal = isTerminal
        self.columnCount = isTerminal ? columnCount : nil
        self.failure = failure
        self.isWritten = isWritten
    }

    func write(_ bytes: Span<UInt8>) throws(FileError) {
        if let failure { throw FileError(.write, "standard output", reason: failure) }
        bytes.withUnsafeBytes { self.bytes.append(contentsOf: $0) }
        isWritten()
    }
}

private final class SampleTerminal: Terminal {
    private var answers: ArraySlice<String>
    private(set) var written = ""

    init(_ answers: [String]) {
        self.answers = answers[...]
    }

    func write(_ text: String) throws(FileError) { written += text }

    func ask(
        _ question: String,
        into buffer: inout MutableSpan<UInt8>,
        echo: TerminalEcho
    ) throws(TerminalFailure) -> Int? {
        written += question
        let shown =
            switch echo {
            case .everything: answers.first
            case .nothing: nil as String?
            case .words(let words): words.first { $0 == answers.first?.lowercased() }
            }
        written += (shown ?? "") + "\n"
        guard let answer = answers.popFirst() else { return nil }
        guard answer != "^C" else { throw .interrupted(signal: 2) }
        for (index, byte) in answer.utf8.enumerated() where index < buffer.count { buffer[index] = byte }
        return answer.utf8.count
    }
}
