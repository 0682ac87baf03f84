package import VaultFiles

/// An input of a command.
package protocol ByteInput: AnyObject {
    /// Whether it is a terminal.
    var isTerminal: Bool { get }

    /// Reads until `buffer` is full or the input ends; returns the number of bytes.
    func read(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int

    /// Reads what is available, waiting only if there is nothing; returns the number of bytes, 0 at the end.
    func readSome(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int

    /// Waits until there is something to read, or the input has ended; returns whether that is so after this time.
    func hasMore(within timeout: Duration) throws(FileError) -> Bool
}

extension ByteInput {
    package func hasMore(within timeout: Duration) throws(FileError) -> Bool { true }
}

/// An output of a command.
package protocol ByteOutput: AnyObject {
    /// Whether it is a terminal.
    var isTerminal: Bool { get }

    /// The width of the terminal in columns, if known.
    var columnCount: Int? { get }

    /// Whether the reader has closed the pipe, so that the process should end as by SIGPIPE.
    var hasNoReader: Bool { get }

    /// Writes all bytes; a closed pipe is an error, not a signal.
    func write(_ bytes: Span<UInt8>) throws(FileError)
}

extension ByteOutput {
    package var hasNoReader: Bool { false }
}

/// The terminal from which a command was started, wherever its input and output go.
package protocol Terminal: AnyObject {
    /// Writes text to the terminal.
    func write(_ text: String) throws(FileError)

    /// Asks a question and reads a line into `buffer`, without its newline.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - buffer: The buffer for the line.
    ///   - echo: What the terminal shows of the answer.
    /// - Returns: The length of the line in bytes, which may be more than fit; nil if the user ends the input instead.
    /// - Throws: `TerminalFailure` if there is no answer.
    func ask(
        _ question: String,
        into buffer: inout MutableSpan<UInt8>,
        echo: TerminalEcho
    ) throws(TerminalFailure) -> Int?
}

/// What a terminal shows of an answer.
package enum TerminalEcho: Equatable, Sendable {
    /// Every character as it is typed.
    case everything
    /// Nothing.
    case nothing
    /// One of these words after the line is complete, since a secret may have been typed instead of it.
    case words([String])
}

/// Why a question at a terminal has no answer.
package enum TerminalFailure: Error, Equatable, Sendable {
    /// The terminal cannot be read or written.
    case file(FileError)
    /// The line is so long that the system may have cut it off.
    case cut(byteCountLimit: Int)
    /// A signal arrived, such as that of Ctrl-C; the settings of the terminal are restored.
    case interrupted(signal: Int32)
}
