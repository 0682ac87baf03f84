internal import CofferBasics
package import VaultFiles

/// The files of this machine, or others, with a hook that sees each call before it is made and can make it fail.
package final class HookedFiles: FileSystem {
    package typealias Hook = @Sendable (FileError.Operation, _ path: String) throws(FileError) -> Void

    /// A call, whether or not it failed.
    package struct Call: Sendable {
        package let operation: FileError.Operation
        /// The path of the file; the path of a directory ends with `/`.
        package let path: String
    }

    private struct State {
        var calls: [Call] = []
        var hook: Hook?
    }
    private let files: any FileSystem
    fileprivate let longestWrite: Int
    private let state = Guarded(State())

    /// Wraps `files`, which write at most `longestWrite` bytes at a time.
    package init(_ files: any FileSystem = LinuxFileSystem(), longestWrite: Int = .max) {
        self.files = files
        self.longestWrite = longestWrite
    }

    /// Passes all calls from now on to `hook` first.
    package func setHook(_ hook: @escaping Hook) {
        state.withLock { $0.hook = hook }
    }

    /// The calls so far.
    package var calls: [Call] { state.withLock(\.calls) }

    /// Returns how often an operation was called.
    package func count(_ operation: FileError.Operation) -> Int {
        calls.count { $0.operation == operation }
    }

    fileprivate func call(_ operation: FileError.Operation, _ path: String) throws(FileError) {
        let hook = state.withLock { state in
            state.calls.append(Call(operation: operation, path: path))
            return state.hook
        }
        try hook?(operation, path)
    }

    package func locate(_ path: String) throws(FileError) -> (directory: any OpenDirectory, name: String) {
        let (directory, name) = try files.locate(path)
        return (HookedDirectory(directory, self), name)
    }

    package func makeDirectory(_ path: String) throws(FileError) -> any OpenDirectory {
        try call(.makeDirectory, path)
        return HookedDirectory(try files.makeDirectory(path), self)
    }

    package func adopt(descriptor: Int32) throws(FileError) -> any OpenFile {
        HookedFile(try files.adopt(descriptor: descriptor), self)
    }
}

private final class HookedDirectory: OpenDirectory {
    private let directory: any OpenDirectory
    private let files: HookedFiles
    var path: String { directory.path }

    init(_ directory: any OpenDirectory, _ files: HookedFiles) {
        self.directory = directory
        self.files = files
    }

    private func call(_ operation: FileError.Operation, _ name: String) throws(FileError) {
        try files.call(operation, path + "/" + name)
    }

    func open(_ name: String, for access: FileAccess) throws(FileError) -> any OpenFile {
        try call(.open, name)
        return HookedFile(try directory.open(name, for: access), files)
    }
    func create(_ name: String) throws(FileError) -> any OpenFile {
        try call(.create, name)
        return HookedFile(try directory.create(name), files)
    }
    func status(of name: String) throws(FileError) -> FileStatus {
        try call(.examine, name)
        return try directory.status(of: name)
    }
    func rename(_ name: String, to newName: String) throws(FileError) {
        try call(.rename, name)
        try directory.rename(name, to: newName)
    }
    func renameWithoutReplacing(_ name: String, to newName: String) throws(FileError) {
        try call(.rename, name)
        try directory.renameWithoutReplacing(name, to: newName)
    }
    func remove(_ name: String) throws(FileError) {
        try call(.remove, name)
        try directory.remove(name)
    }
    func names() throws(FileError) -> [String] {
        try call(.list, "")
        return try directory.names()
    }
    func sync() throws(FileError) {
        try call(.sync, "")
        try directory.sync()
    }
    func availableByteCount() throws(FileError) -> Int { try directory.availableByteCount() }
}

private final class HookedFile: OpenFile {
    private let file: any OpenFile
    private let files: HookedFiles
    var path: String { file.path }

    init(_ file: any OpenFile, _ files: HookedFiles) {
        self.file = file
        self.files = files
    }

    func status() throws(FileError) -> FileStatus {
        try files.call(.examine, path)
        return try file.status()
    }
    func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
        try files.call(.read, path)
        return try file.read(into: &buffer, at: offset)
    }
    func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) -> Int {
        try files.call(.write, path)
        return try file.write(bytes.extracting(first: files.longestWrite), at: offset)
    }
    func truncate(to byteCount: Int) throws(FileError) {
        try files.call(.truncate, path)
        try file.truncate(to: byteCount)
    }
    func sync() throws(FileError) {
        try files.call(.sync, path)
        try file.sync()
    }
    func copyAccess(of other: FileStatus) throws(FileError) {
        try files.call(.changeAccess, path)
        try file.copyAccess(of: other)
    }
    func tryLock(at offset: FileLockOffset) throws(FileError) -> Bool {
        try files.call(.lock, path)
        return try file.tryLock(at: offset)
    }
    func unlock(at offset: FileLockOffset) throws(FileError) { try file.unlock(at: offset) }
    func lockHolder(at offset: FileLockOffset) -> Int32? { file.lockHolder(at: offset) }
}
