import CofferBasics
import CommandSystem
import Synchronization
import VaultFiles

/// A machine that simulates programs: `show NAME...` prints variables and the files that they name, `end N` ends with a
/// status, `die N` with a signal.
final class SampleMachine: Machine {
    /// The files of the machine.
    private var files: [String: [UInt8]] = [:]
    private let variables: [String: String]
    private var nextDescriptor: Int32 = 5
    /// The signal that arrives while the command runs.
    let signals = SampleSignals()

    /// Creates a machine with these variables; `SAMPLE_NO_MEMORY_FILES` says what it lacks.
    init(_ variables: [String: String]) {
        self.variables = variables
    }

    func recordingSignals<Result, Failure: Error>(
        _ body: (_ signal: @escaping @Sendable () -> Int32?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body { [signals] in signals.signal }
    }

    func writingIfInterrupted<Result, Failure: Error>(
        _ bytes: [UInt8],
        ifStoppedIn body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body()
    }

    var processNumber: Int32 { 4711 }
    let hostName = "laptop"
    /// Connects to other machines.
    var connects: ((ProgramCall) -> any ProgramConnection)?

    /// The programs that were started to keep the clipboard, with what they were given.
    private(set) var clipboards: [SampleClipboard] = []

    func connect(to program: ProgramCall) throws(ProgramFailure) -> any ProgramConnection {
        if ["setsid", "sh", "xclip", "wl-copy"].contains(program.words.first) {
            guard program.words.first != variables["SAMPLE_NO_PROGRAM"] else { throw .notFound }
            clipboards.append(SampleClipboard(program.words))
            return clipboards[clipboards.count - 1]
        }
        guard let connects else { throw .notFound }
        return connects(program)
    }

    func become(_ program: ProgramCall, adding variables: Span<UInt8>) throws(ProgramFailure) -> ProgramOutcome {
        let sink = UnmaskedSink()
        let outcome = try run(program, adding: variables, streams: ProgramStreams(output: sink, errors: sink))
        written = sink.bytes
        return outcome
    }

    /// The output of programs that was not sent to a stream.
    private(set) var written: [UInt8] = []

    func run(
        _ program: ProgramCall,
        adding block: Span<UInt8>,
        streams: ProgramStreams?
    ) throws(ProgramFailure) -> ProgramOutcome {
        var variables = variables.filter { variable in
            !program.removedPrefixes.contains { variable.key.hasPrefix($0) }
        }.mapValues { Array($0.utf8) }
        for variable in block.indices.map({ block[$0] }).split(separator: 0) {
            guard let equals = variable.firstIndex(of: UInt8(ascii: "=")) else { continue }
            variables[String(decoding: variable[..<equals], as: UTF8.self)] = Array(variable[(equals + 1)...])
        }
        var output: [UInt8] = []
        switch program.words.first {
        case "show":
            for name in program.words.dropFirst() {
                let value = variables[name]
                let content = value.flatMap { files[String(decoding: $0, as: UTF8.self)] }
                output += Array("\(name)=".utf8) + (value ?? Array("?".utf8))
                if let content { output += Array(" -> ".utf8) + content }
                output.append(UInt8(ascii: "\n"))
            }
        // An editor that replaces a word: `replace OLD NEW`.
        case "sh" where program.words.count == 4:
            let words = program.words[2].split(separator: " ")
            guard words.count >= 4, words[0] == "replace" else { return .status(1) }
            let text = String(decoding: files[program.words[3]] ?? [], as: UTF8.self)
            files[program.words[3]] = Array(text.replacing(words[1], with: words[2]).utf8)
        case "end": return .status(UInt8(program.words[1]) ?? 0)
        case "die": return .signal(Int32(program.words[1]) ?? 0)
        // What is installed for packages of Swift.
        case let script? where script.hasSuffix("/coffer-swift") && variables["SAMPLE_NO_SOURCES"] == nil:
            output = Array((program.words.joined(separator: " ").escapingInvisible + "\n").utf8)
        case "text": throw .notExecutable(.permissionDenied)
        case "long": throw .tooLong
        default: throw .notFound
        }
        if let streams {
            try? streams.output.take(output.span)
            try? streams.output.end()
        } else {
            written = output
        }
        return .status(0)
    }

    func memoryFile(named name: String, holding bytes: Span<UInt8>, isInherited: Bool) throws(FileError) -> Int32? {
        guard variables["SAMPLE_NO_MEMORY_FILES"] == nil else { return nil }
        nextDescriptor += 1
        files["/proc/\(processNumber)/fd/\(nextDescriptor)"] = [UInt8](copying: bytes)
        return nextDescriptor
    }

    func privateDirectory(in parents: [String]) throws(FileError) -> (path: String, isInMemory: Bool) {
        guard let parent = parents.last, variables["SAMPLE_NO_MEMORY_FILES"] != "full" else {
            throw FileError(.makeDirectory, "/tmp", reason: .diskFull)
        }
        return parents.count > 1 && variables["SAMPLE_NO_MEMORY_FILES"] == "1"
            ? ("\(parents[0])/coffer.Sample", true) : ("\(parent)/coffer.Sample", false)
    }

    func privateFile(at path: String, holding bytes: Span<UInt8>) throws(FileError) {
        files[path] = [UInt8](copying: bytes)
    }

    func privateFileContent(at path: String, byteCountLimit: Int) throws(FileError) -> HeldSecret? {
        guard let content = files[path] else { throw FileError(.read, path, reason: .notFound) }
        return content.count <= byteCountLimit ? HeldSecret(copying: content.span) : nil
    }

    func removePrivateDirectory(_ path: String) {
        for file in files.keys where file.hasPrefix("\(path)/") { files[file] = nil }
    }
}

/// A program that keeps the clipboard.
final class SampleClipboard: ProgramConnection {
    let words: [String]
    private let gathered = GatheredOutput()

    init(_ words: [String]) {
        self.words = words
    }

    var text: String { String(decoding: gathered.bytes, as: UTF8.self) }
    var output: any ByteInput { NoInput() }
    var input: any ByteOutput { gathered }

    func end() -> ProgramOutcome? { .status(0) }

    private final class NoInput: ByteInput {
        let isTerminal = false

        func read(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int { 0 }
        func readSome(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int { 0 }
    }
}

private final class UnmaskedSink: ProgramSink {
    var bytes: [UInt8] = []

    func take(_ bytes: Span<UInt8>) throws(FileError) { self.bytes += [UInt8](copying: bytes) }

    func end() throws(FileError) {}
}

/// The signal that has arrived, if any.
final class SampleSignals: Sendable {
    private let noted = Mutex<Int32?>(nil)

    var signal: Int32? {
        get { noted.withLock { $0 } }
        set { noted.withLock { $0 = newValue } }
    }
}
