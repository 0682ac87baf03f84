internal import Glibc
internal import VaultFiles

/// What a command does with the system besides reading and writing, as a seam for tests.
package protocol Machine: ProgramRunning {
    /// The name of the machine in its network; "machine" if the system has none.
    var hostName: String { get }

    /// Runs `body` with signals that ask the process to end recorded instead of obeyed; `signal` returns the last one.
    func recordingSignals<Result, Failure: Error>(
        _ body: (_ signal: @escaping @Sendable () -> Int32?) throws(Failure) -> Result
    ) throws(Failure) -> Result

    /// Runs `body` so that a signal that asks the process to end writes `bytes` to standard error and ends it at once.
    func writingIfInterrupted<Result, Failure: Error>(
        _ bytes: [UInt8],
        ifStoppedIn body: () throws(Failure) -> Result
    ) throws(Failure) -> Result
}

/// The machine on which the process runs.
package final class LinuxMachine: Machine {
    /// Whether to create files in memory, if the system can do that.
    let makesMemoryFiles: Bool

    package init(makesMemoryFiles: Bool = true) {
        self.makesMemoryFiles = makesMemoryFiles
    }

    package var hostName: String { HostName.current }

    package func recordingSignals<Result, Failure: Error>(
        _ body: (_ signal: @escaping @Sendable () -> Int32?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let interrupts = Interrupts.caught()
        defer { interrupts.end() }
        return try body { Interrupts.signal }
    }

    package func writingIfInterrupted<Result, Failure: Error>(
        _ bytes: [UInt8],
        ifStoppedIn body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let words = InterruptionMessage(bytes)
        defer { words.end() }
        return try body()
    }
}
