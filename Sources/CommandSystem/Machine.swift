/// What a command does with the system beside reading and writing: a seam for tests.
package protocol Machine: ProgramRunning {
    /// Runs `body` so that signals that ask the process to end are noted: it can ask which came.
    func notingSignals<Result, Failure: Error>(
        _ body: (_ signal: @escaping @Sendable () -> Int32?) throws(Failure) -> Result
    ) throws(Failure) -> Result

    /// Runs `body` so that a signal that asks the process to end does that at once, after `bytes` were written to the
    /// standard error.
    func saying<Result, Failure: Error>(
        _ bytes: [UInt8],
        ifStoppedIn body: () throws(Failure) -> Result
    ) throws(Failure) -> Result
}

/// The machine that the process runs on.
package final class LinuxMachine: Machine {
    /// Whether files can be made that are nowhere but in memory, if the system can do that.
    let makesMemoryFiles: Bool

    package init(makesMemoryFiles: Bool = true) {
        self.makesMemoryFiles = makesMemoryFiles
    }

    package func notingSignals<Result, Failure: Error>(
        _ body: (_ signal: @escaping @Sendable () -> Int32?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let interrupts = Interrupts.caught()
        defer { interrupts.end() }
        return try body { Interrupts.signal }
    }

    package func saying<Result, Failure: Error>(
        _ bytes: [UInt8],
        ifStoppedIn body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let words = LastWords(bytes)
        defer { words.end() }
        return try body()
    }
}
