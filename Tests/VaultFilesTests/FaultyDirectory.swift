import VaultFiles

/// A directory in which one operation fails.
final class FaultyDirectory: OpenDirectory {
    /// What may fail.
    enum Step: CaseIterable {
        case create, write, syncFile, rename, remove, syncDirectory
    }

    private let base: any OpenDirectory
    private let faults: Set<Step>
    private let performed = Guarded<[String]>([])

    init(_ base: any OpenDirectory, faults: Set<Step> = []) {
        self.base = base
        self.faults = faults
    }

    var path: String { base.path }

    /// What was done, in order, failed or not.
    var steps: [String] { performed.withLock(\.self) }

    func perform(_ step: Step, _ name: String) throws(FileError) {
        performed.withLock { $0.append("\(step) \(name)") }
        guard faults.contains(step) else { return }
        let operation: FileError.Operation =
            switch step {
            case .create: .create
            case .write: .write
            case .syncFile, .syncDirectory: .sync
            case .rename: .rename
            case .remove: .remove
            }
        throw FileError(operation, name, reason: .inputOutput)
    }

    func open(_ name: String, for access: FileAccess) throws(FileError) -> any OpenFile {
        try base.open(name, for: access)
    }

    func create(_ name: String) throws(FileError) -> any OpenFile {
        try perform(.create, name)
        return FaultyFile(try base.create(name), in: self, name: name)
    }

    func status(of name: String) throws(FileError) -> FileStatus { try base.status(of: name) }

    func rename(_ name: String, to newName: String) throws(FileError) {
        try perform(.rename, newName)
        try base.rename(name, to: newName)
    }

    func renameWithoutReplacing(_ name: String, to newName: String) throws(FileError) {
        try perform(.rename, newName)
        try base.renameWithoutReplacing(name, to: newName)
    }

    func remove(_ name: String) throws(FileError) {
        try perform(.remove, name)
        try base.remove(name)
    }

    func names() throws(FileError) -> [String] { try base.names() }

    func sync() throws(FileError) {
        try perform(.syncDirectory, "")
        try base.sync()
    }

    func availableByteCount() throws(FileError) -> Int { try base.availableByteCount() }
}

/// A file in such a directory, which takes a few bytes at a time.
private final class FaultyFile: OpenFile {
    private let base: any OpenFile
    private let directory: FaultyDirectory
    private let name: String

    init(_ base: any OpenFile, in directory: FaultyDirectory, name: String) {
        self.base = base
        self.directory = directory
        self.name = name
    }

    var path: String { base.path }

    func status() throws(FileError) -> FileStatus { try base.status() }

    func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
        try base.read(into: &buffer, at: offset)
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) -> Int {
        // Some bytes are written before the disk fails.
        if offset > 0 { try directory.perform(.write, name) }
        return try base.write(bytes.extracting(first: 3), at: offset)
    }

    func truncate(to byteCount: Int) throws(FileError) { try base.truncate(to: byteCount) }

    func sync() throws(FileError) {
        try directory.perform(.syncFile, name)
        try base.sync()
    }

    func takeAccess(of other: FileStatus) throws(FileError) { try base.takeAccess(of: other) }

    func tryLock() throws(FileError) -> Bool { try base.tryLock() }

    func unlock() throws(FileError) { try base.unlock() }

    func lockHolder() -> Int32? { base.lockHolder() }
}
