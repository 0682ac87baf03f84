internal import CofferBasics

/// An open file in memory.
final class MemoryFile: OpenFile {
    /// EBADF, the error of Linux for a file that was opened for something else.
    private static let badDescriptor = FileError.Reason.other(9)
    /// EINVAL, the error of Linux for a negative position.
    private static let invalidArgument = FileError.Reason.other(22)

    let path: String
    private let files: MemoryFiles
    private let node: MemoryNode
    /// Which opening this is, among all of them.
    private let number: UInt64
    private let access: FileAccess

    init(files: MemoryFiles, _ node: MemoryNode, number: UInt64, path: String, access: FileAccess) {
        self.files = files
        self.node = node
        self.number = number
        self.path = path
        self.access = access
    }

    deinit { giveLocksBack() }

    func status() throws(FileError) -> FileStatus {
        let isNamed = files.state.withLock { state in
            state.directories.values.contains { $0.values.contains { $0 === node } }
        }
        return node.status(linkCount: isNamed ? 1 : 0)
    }

    // MARK: - Content

    func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
        guard offset >= 0 else { throw FileError(.read, path, reason: Self.invalidArgument) }
        let bytes = node.state.withLock { $0.bytes }
        let byteCount = min(buffer.count, bytes.count - offset)
        guard byteCount > 0 else { return 0 }
        buffer.copy(from: bytes.span.extracting(offset..<offset + byteCount))
        return byteCount
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) -> Int {
        try requireWritable(.write, isSound: offset >= 0)
        guard !files.isFull else { throw FileError(.write, path, reason: .diskFull) }
        let written = [UInt8](copying: bytes)
        node.state.withLock { state in
            let missing = offset + written.count - state.bytes.count
            if missing > 0 { state.bytes += [UInt8](repeating: 0, count: missing) }
            state.bytes.replaceSubrange(offset..<offset + written.count, with: written)
        }
        return written.count
    }

    func truncate(to byteCount: Int) throws(FileError) {
        try requireWritable(.truncate, isSound: byteCount >= 0)
        node.state.withLock { state in
            let missing = byteCount - state.bytes.count
            if missing > 0 {
                state.bytes += [UInt8](repeating: 0, count: missing)
            } else {
                state.bytes.removeLast(-missing)
            }
        }
    }

    func sync() throws(FileError) {}

    /// Does nothing: all files have the same owner and permissions.
    func copyAccess(of other: FileStatus) throws(FileError) {}

    private func requireWritable(_ operation: FileError.Operation, isSound: Bool) throws(FileError) {
        guard access == .writing else { throw FileError(operation, path, reason: Self.badDescriptor) }
        guard isSound else { throw FileError(operation, path, reason: Self.invalidArgument) }
    }

    // MARK: - Lock

    func tryLock(at offset: FileLockOffset) throws(FileError) -> Bool {
        try requireWritable(.lock, isSound: true)
        return node.state.withLock { state in
            guard state.lockOwners[offset, default: number] == number else { return false }
            state.lockOwners[offset] = number
            return true
        }
    }

    func unlock(at offset: FileLockOffset) throws(FileError) {
        node.state.withLock { state in
            if state.lockOwners[offset] == number { state.lockOwners[offset] = nil }
        }
    }

    private func giveLocksBack() {
        node.state.withLock { state in state.lockOwners = state.lockOwners.filter { $0.value != number } }
    }

    /// Returns nil: the holder is always this process.
    func lockHolder(at offset: FileLockOffset) -> Int32? { nil }
}
