internal import CofferBasics
package import VaultFiles

/// The files of a disk as seen by one process, which can be killed in any of its calls while others continue.
///
/// Its writes remain, as in the system's memory; its locks are released when its files are. While it runs, others can
/// do something between two of its calls.
package final class SimulatedProcess: FileSystem {
    /// A mistake that a careless process makes.
    package enum SyncMistake: Equatable, Sendable {
        case skipsDirectorySyncs
        case skipsFileSyncs
        case retriesFailedSyncs
    }

    /// The point at which a process is killed.
    package struct Death: Equatable, Sendable {
        /// The last call that it completes.
        package let call: Int
        /// Whether the next call, if it is a write, still writes about half of its sectors.
        package let isHalfway: Bool

        package init(afterCall call: Int, halfwayThroughNext isHalfway: Bool = false) {
            self.call = call
            self.isHalfway = isHalfway
        }
    }

    private let disk: any FileSystem
    private let syncMistake: SyncMistake?
    private let state: Guarded<State>

    private struct State: Sendable {
        var death: Death?
        var calls: [FileError.Operation] = []
        var diesInNextWrite = false
        var interlude: Interlude?
    }

    /// Something that others do just before a call.
    private struct Interlude: Sendable {
        let operation: FileError.Operation
        var remainingCount: Int
        let body: @Sendable () -> Void
    }

    package init(on disk: any FileSystem, syncMistake: SyncMistake? = nil, death: Death? = nil) {
        self.disk = disk
        self.syncMistake = syncMistake
        state = Guarded(State(death: death))
    }

    /// The calls so far, including the first one that the process did not survive.
    package var operations: [FileError.Operation] { state.withLock { $0.calls } }

    /// Makes others do something just before the `number`-th call of `operation` from now on.
    package func interrupt(
        before operation: FileError.Operation,
        number: Int = 1,
        by body: @escaping @Sendable () -> Void
    ) {
        state.withLock { $0.interlude = Interlude(operation: operation, remainingCount: number, body: body) }
    }

    private func makeInterlude(before operation: FileError.Operation) {
        let body = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.interlude?.operation == operation else { return nil }
            state.interlude?.remainingCount -= 1
            guard let due = state.interlude, due.remainingCount == 0 else { return nil }
            state.interlude = nil
            return due.body
        }
        body?()
    }

    /// The error reason of all calls of a killed process.
    package static let killed = FileError.Reason.other(-9)

    /// Whether the process was killed.
    package var isDead: Bool { state.withLock { state in state.death.map { $0.call < state.calls.count } ?? false } }

    /// Kills the process halfway through its next write.
    package func dieInNextWrite() {
        state.withLock { $0.diesInNextWrite = true }
    }

    /// Kills the process after this number of further calls.
    package func die(afterCalls count: Int) {
        state.withLock { $0.death = Death(afterCall: $0.calls.count + count) }
    }

    /// Counts a call; returns true if the process is killed halfway through it.
    fileprivate func begin(_ operation: FileError.Operation, _ path: String) throws(FileError) -> Bool {
        let (number, death) = state.withLock { state in
            if state.diesInNextWrite, operation == .write {
                state.death = Death(afterCall: state.calls.count, halfwayThroughNext: true)
                state.diesInNextWrite = false
            }
            state.calls.append(operation)
            return (state.calls.count, state.death)
        }
        guard let death, number > death.call else {
            makeInterlude(before: operation)
            return false
        }
        guard number == death.call + 1, death.isHalfway, operation == .write else {
            throw FileError(operation, path, reason: Self.killed)
        }
        return true
    }

    fileprivate func sync(_ path: String, skips: SyncMistake, _ sync: () throws(FileError) -> Void) throws(FileError) {
        _ = try begin(.sync, path)
        guard syncMistake != skips else { return }
        do throws(FileError) {
            try sync()
        } catch {
            guard syncMistake == .retriesFailedSyncs else { throw error }
            try sync()
        }
    }

    package func locate(_ path: String) throws(FileError) -> (directory: any OpenDirectory, name: String) {
        _ = try begin(.open, path)
        let (directory, name) = try disk.locate(path)
        return (ProcessDirectory(of: self, directory), name)
    }

    package func makeDirectory(_ path: String) throws(FileError) -> any OpenDirectory {
        _ = try begin(.makeDirectory, path)
        return ProcessDirectory(of: self, try disk.makeDirectory(path))
    }

    package func adopt(descriptor: Int32) throws(FileError) -> any OpenFile {
        _ = try begin(.open, "descriptor \(descriptor)")
        return ProcessFile(of: self, try disk.adopt(descriptor: descriptor))
    }
}

/// An open directory of a process.
private final class ProcessDirectory: OpenDirectory {
    let path: String
    private let process: SimulatedProcess
    private let directory: any OpenDirectory

    init(of process: SimulatedProcess, _ directory: any OpenDirectory) {
        self.process = process
        self.directory = directory
        path = directory.path
    }

    func open(_ name: String, for access: FileAccess) throws(FileError) -> any OpenFile {
        _ = try process.begin(.open, path)
        return ProcessFile(of: process, try directory.open(name, for: access))
    }

    func create(_ name: String) throws(FileError) -> any OpenFile {
        _ = try process.begin(.create, path)
        return ProcessFile(of: process, try directory.create(name))
    }

    func status(of name: String) throws(FileError) -> FileStatus {
        _ = try process.begin(.examine, path)
        return try directory.status(of: name)
    }

    func rename(_ name: String, to newName: String) throws(FileError) {
        _ = try process.begin(.rename, path)
        try directory.rename(name, to: newName)
    }

    func renameWithoutReplacing(_ name: String, to newName: String) throws(FileError) {
        _ = try process.begin(.rename, path)
        try directory.renameWithoutReplacing(name, to: newName)
    }

    func remove(_ name: String) throws(FileError) {
        _ = try process.begin(.remove, path)
        try directory.remove(name)
    }

    func names() throws(FileError) -> [String] {
        _ = try process.begin(.list, path)
        return try directory.names()
    }

    func sync() throws(FileError) {
        try process.sync(path, skips: .skipsDirectorySyncs) { () throws(FileError) in try directory.sync() }
    }

    func availableByteCount() throws(FileError) -> Int {
        _ = try process.begin(.examine, path)
        return try directory.availableByteCount()
    }
}

/// An open file of a process.
private final class ProcessFile: OpenFile {
    let path: String
    private let process: SimulatedProcess
    private let file: any OpenFile

    init(of process: SimulatedProcess, _ file: any OpenFile) {
        self.process = process
        self.file = file
        path = file.path
    }

    func status() throws(FileError) -> FileStatus {
        _ = try process.begin(.examine, path)
        return try file.status()
    }

    func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
        _ = try process.begin(.read, path)
        return try file.read(into: &buffer, at: offset)
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) -> Int {
        guard try process.begin(.write, path) else { return try file.write(bytes, at: offset) }
        // The system checks for signals between two pages, so a sector is never partly written.
        let end = (offset + bytes.count / 2) / FileContent.unitByteCount * FileContent.unitByteCount
        if end > offset { _ = try file.write(bytes.extracting(..<(end - offset)), at: offset) }
        throw FileError(.write, path, reason: SimulatedProcess.killed)
    }

    func truncate(to byteCount: Int) throws(FileError) {
        _ = try process.begin(.truncate, path)
        try file.truncate(to: byteCount)
    }

    func sync() throws(FileError) {
        try process.sync(path, skips: .skipsFileSyncs) { () throws(FileError) in try file.sync() }
    }

    func copyAccess(of other: FileStatus) throws(FileError) {
        _ = try process.begin(.examine, path)
        try file.copyAccess(of: other)
    }

    func tryLock(at offset: FileLockOffset) throws(FileError) -> Bool {
        _ = try process.begin(.lock, path)
        return try file.tryLock(at: offset)
    }

    func unlock(at offset: FileLockOffset) throws(FileError) {
        _ = try process.begin(.lock, path)
        try file.unlock(at: offset)
    }

    func lockHolder(at offset: FileLockOffset) -> Int32? { file.lockHolder(at: offset) }
}
