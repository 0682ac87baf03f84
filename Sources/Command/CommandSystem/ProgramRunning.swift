package import CofferBasics
package import VaultFiles

/// Runs other programs with secrets, as a seam for tests.
package protocol ProgramRunning: AnyObject {
    /// The number of this process, which a program that replaces it keeps.
    var processNumber: Int32 { get }

    /// Replaces this process by a program; returns only in tests.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - variables: The variables to add to its environment: `NAME=value`, each followed by a zero byte.
    /// - Returns: How the program ended.
    /// - Throws: `ProgramFailure` if it cannot be started.
    func become(_ program: ProgramCall, adding variables: Span<UInt8>) throws(ProgramFailure) -> ProgramOutcome

    /// Runs a program and waits for its end; signals to this process are forwarded to the program.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - variables: The variables to add to its environment: `NAME=value`, each followed by a zero byte.
    ///   - streams: The receivers of its output; nil if it writes to the streams of this process.
    /// - Returns: How the program ended.
    /// - Throws: `ProgramFailure` if it cannot be started.
    func run(
        _ program: ProgramCall,
        adding variables: Span<UInt8>,
        streams: ProgramStreams?
    ) throws(ProgramFailure) -> ProgramOutcome

    /// Starts a program whose standard input and output are connected to this process.
    ///
    /// - Parameter program: The program.
    /// - Returns: The connection.
    /// - Throws: `ProgramFailure` if it cannot be started.
    func connect(to program: ProgramCall) throws(ProgramFailure) -> any ProgramConnection

    /// Creates a file that exists only in memory, that only its user can read and nobody can change.
    ///
    /// - Parameters:
    ///   - name: The name that the system shows.
    ///   - bytes: The contents.
    ///   - isInherited: Whether a program that replaces this process inherits it.
    /// - Returns: The descriptor; nil if the system does not support memory files.
    /// - Throws: `FileError` if it cannot be created.
    func memoryFile(named name: String, holding bytes: Span<UInt8>, isInherited: Bool) throws(FileError) -> Int32?

    /// Creates a directory that only its user can enter.
    ///
    /// - Parameter parents: Possible parent directories, the best first; all but the last are used only if they are in
    ///   memory.
    /// - Returns: The path, and whether it is in memory.
    /// - Throws: `FileError` if it cannot be created.
    func privateDirectory(in parents: [String]) throws(FileError) -> (path: String, isInMemory: Bool)

    /// Creates a file that only its user can read.
    func privateFile(at path: String, holding bytes: Span<UInt8>) throws(FileError)

    /// Reads a file of a private directory.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - byteCountLimit: The greatest size.
    /// - Returns: The content; nil if the file is larger.
    /// - Throws: `FileError` if it cannot be read.
    func privateFileContent(at path: String, byteCountLimit: Int) throws(FileError) -> HeldSecret?

    /// Removes a private directory with all files in it.
    func removePrivateDirectory(_ path: String)
}

/// A program that talks with this process.
package protocol ProgramConnection: AnyObject {
    /// What the program writes.
    var output: any ByteInput { get }
    /// What the program reads.
    var input: any ByteOutput { get }

    /// Ends the program's input, and waits for the end of the program.
    ///
    /// - Returns: How it ended; nil if the system does not report it.
    func end() -> ProgramOutcome?
}

/// A program to run.
package struct ProgramCall: Equatable, Sendable {
    /// The name or path of the program, followed by its arguments.
    package var words: [String]
    /// Prefixes of the variables that it does not get.
    package var removedPrefixes: [String]
    /// Descriptors that it does not inherit.
    package var closedDescriptors: [Int32]
    /// After how long `run` kills it, or as soon as a receiver refuses its output; nil if never.
    package var timeLimit: Duration?

    package init(words: [String], removedPrefixes: [String], closedDescriptors: [Int32]) {
        self.words = words
        self.removedPrefixes = removedPrefixes
        self.closedDescriptors = closedDescriptors
    }
}

/// How a program ended.
package enum ProgramOutcome: Equatable, Sendable {
    case status(UInt8)
    case signal(Int32)
}

/// Why a program was not started.
package enum ProgramFailure: Error, Equatable, Sendable {
    /// There is no such program.
    case notFound
    /// The file exists, but the system cannot execute it.
    case notExecutable(FileError.Reason)
    /// The arguments and variables are too large for the system.
    case tooLong
    /// The system cannot start another program.
    case system(FileError.Reason)
}

/// The receivers of a program's output.
package struct ProgramStreams {
    package let output: any ProgramSink
    package let errors: any ProgramSink

    package init(output: any ProgramSink, errors: any ProgramSink) {
        self.output = output
        self.errors = errors
    }
}

/// Receives what a program writes to one of its streams.
package protocol ProgramSink: AnyObject {
    /// Takes the next bytes.
    func take(_ bytes: Span<UInt8>) throws(FileError)

    /// Handles the end of the stream.
    func end() throws(FileError)
}
