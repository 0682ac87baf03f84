package import VaultFiles

/// The user's terminal for a program that uses the whole screen, as a seam for tests.
package protocol ScreenTerminal: AnyObject {
    /// The path of the terminal, by which programs that do not have it reach it.
    var path: String { get }

    /// The size of the screen.
    var size: ScreenSize { get }

    /// Writes bytes.
    func write(_ bytes: Span<UInt8>) throws(FileError)

    /// Waits for input.
    ///
    /// - Parameters:
    ///   - buffer: The buffer for the input.
    ///   - timeout: How long to wait.
    /// - Returns: What happened.
    /// - Throws: `FileError` if the terminal is gone.
    func read(into buffer: inout MutableSpan<UInt8>, within timeout: Duration) throws(FileError) -> ScreenInput

    /// Runs `body` while every key reaches this process at once.
    ///
    /// Whatever ends the process in the meantime, a signal or a crash, first writes `farewell` to the terminal and
    /// restores its settings. Only SIGKILL leaves it as it is.
    func whole<Result>(farewell: [UInt8], _ body: () throws -> Result) throws -> Result

    /// Stops the process as Ctrl-Z does, with the terminal as it was; returns when it is continued.
    func suspend()
}

/// The size of a terminal.
package struct ScreenSize: Equatable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
    }
}

/// What a terminal has for a program that waits for input.
package enum ScreenInput: Equatable, Sendable {
    /// So many bytes.
    case bytes(Int)
    /// Nothing in this time, or the size of the terminal has changed.
    case nothing
    /// A signal asks the process to end.
    case signal(Int32)
    /// The terminal is gone.
    case end
}
