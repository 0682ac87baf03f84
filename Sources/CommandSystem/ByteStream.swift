package import VaultFiles

/// Where a command reads from.
package protocol ByteInput: AnyObject {
    /// Whether a person is at the other end.
    var isTerminal: Bool { get }

    /// Reads until `buffer` is full or the input ends, and tells how many bytes.
    func read(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int

    /// Reads what is there, waiting only if there is nothing, and tells how many bytes; none is the end.
    func readSome(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int
}

/// Where a command writes to.
package protocol ByteOutput: AnyObject {
    /// Whether a person is at the other end.
    var isTerminal: Bool { get }

    /// How many columns the terminal has, if there is one and it tells.
    var columnCount: Int? { get }

    /// Whether nobody reads what is written any more, and the process should end as it does by the signal that says so.
    var isAbandoned: Bool { get }

    /// Writes all bytes; where nobody reads them, that is an error and no signal.
    func write(_ bytes: Span<UInt8>) throws(FileError)
}

extension ByteOutput {
    package var isAbandoned: Bool { false }
}

/// The person at the terminal from which a command was started, whatever its input and output are.
package protocol Terminal: AnyObject {
    /// Writes to the person.
    func write(_ text: String) throws(FileError)

    /// Asks a question, and reads a line into `buffer`, without its end.
    ///
    /// - Parameters:
    ///   - question: What is asked.
    ///   - buffer: Where the line goes.
    ///   - isSecret: Whether what is typed is not shown.
    /// - Returns: How many bytes the line has, which may be more than fit; nil if the person ends the input instead.
    /// - Throws: Why nobody has answered.
    func ask(
        _ question: String,
        into buffer: inout MutableSpan<UInt8>,
        isSecret: Bool
    ) throws(TerminalFailure) -> Int?
}

/// Why nobody has answered at a terminal.
package enum TerminalFailure: Error, Equatable, Sendable {
    /// The system does not let it be read.
    case file(FileError)
    /// The line is so long that the system may have left out its end.
    case cut(byteCountLimit: Int)
    /// A signal came, such as that of Ctrl-C; the terminal is as it was.
    case interrupted(signal: Int32)
}
