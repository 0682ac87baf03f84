package import VaultFiles

/// Running other programs with secrets: a seam for tests.
package protocol ProgramRunning: AnyObject {
    /// The number of this process, which is that of the program that takes its place.
    var processNumber: Int32 { get }

    /// Runs a program in the place of this process; comes back only where that is played.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - variables: What is added to its environment: `NAME=value` with a zero byte behind each.
    /// - Returns: How the program has ended.
    /// - Throws: Why it was not started.
    func become(_ program: ProgramCall, adding variables: Span<UInt8>) throws(ProgramFailure) -> ProgramOutcome

    /// Runs a program and waits for its end; signals that this process gets go on to the program.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - variables: What is added to its environment: `NAME=value` with a zero byte behind each.
    ///   - streams: Who takes what it writes; nil if that goes where this process writes.
    /// - Returns: How the program has ended.
    /// - Throws: Why it was not started.
    func run(
        _ program: ProgramCall,
        adding variables: Span<UInt8>,
        streams: ProgramStreams?
    ) throws(ProgramFailure) -> ProgramOutcome

    /// Makes a file that is nowhere but in memory, that its user alone can read and nobody can change.
    ///
    /// - Parameters:
    ///   - name: What the system calls it.
    ///   - bytes: What is in it.
    ///   - isInherited: Whether a program that takes the place of this process has it too.
    /// - Returns: Its descriptor; nil if the system has no such files.
    /// - Throws: Why it was not made.
    func memoryFile(named name: String, holding bytes: Span<UInt8>, isInherited: Bool) throws(FileError) -> Int32?

    /// Makes a new directory that its user alone can enter.
    ///
    /// - Parameter parents: Where it may be, the best place first; the last is taken whatever it is, the others only
    ///   if they are in memory.
    /// - Returns: Its path, and whether it is in memory.
    /// - Throws: Why none was made.
    func privateDirectory(in parents: [String]) throws(FileError) -> (path: String, isInMemory: Bool)

    /// Makes a file that its user alone can read.
    func privateFile(at path: String, holding bytes: Span<UInt8>) throws(FileError)

    /// Removes a directory and the files with these names in it, as far as they are there.
    func removeDirectory(_ path: String, withFiles names: [String])
}

/// A program that is to be run.
package struct ProgramCall: Equatable, Sendable {
    /// Its name or path, and what it is told.
    package var words: [String]
    /// How variables begin that it does not get.
    package var removedPrefixes: [String]
    /// Descriptors that it does not get.
    package var closedDescriptors: [Int32]

    package init(words: [String], removedPrefixes: [String], closedDescriptors: [Int32]) {
        self.words = words
        self.removedPrefixes = removedPrefixes
        self.closedDescriptors = closedDescriptors
    }
}

/// How a program has ended.
package enum ProgramOutcome: Equatable, Sendable {
    case status(UInt8)
    case signal(Int32)
}

/// Why a program was not started.
package enum ProgramFailure: Error, Equatable, Sendable {
    /// There is no such program.
    case notFound
    /// There is a file, but the system does not run it.
    case notExecutable(FileError.Reason)
    /// The words and variables are longer than the system takes.
    case tooLong
    /// The system cannot start another program.
    case system(FileError.Reason)
}

/// Who takes what a program writes.
package struct ProgramStreams {
    package let output: any ProgramSink
    package let errors: any ProgramSink

    package init(output: any ProgramSink, errors: any ProgramSink) {
        self.output = output
        self.errors = errors
    }
}

/// Takes what a program writes to one of its streams.
package protocol ProgramSink: AnyObject {
    /// Takes the next bytes.
    func take(_ bytes: Span<UInt8>) throws(FileError)

    /// Takes notice that there are no more.
    func end() throws(FileError)
}
