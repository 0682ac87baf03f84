internal import CofferBasics

/// A directory in memory.
final class MemoryDirectory: OpenDirectory {
    let path: String
    private let files: MemoryFiles

    init(files: MemoryFiles, path: String) {
        self.files = files
        self.path = path
    }

    func open(_ name: String, for access: FileAccess) throws(FileError) -> any OpenFile {
        let (node, number) = try files.state.withLock { state throws(FileError) in
            (try self.node(name, .open, in: state), state.newNumber())
        }
        return MemoryFile(files: files, node, number: number, path: path(of: name), access: access)
    }

    func create(_ name: String) throws(FileError) -> any OpenFile {
        let (node, number) = try files.state.withLock { state throws(FileError) in
            guard state.directories[path]?[name] == nil, !isDirectory(name, in: state) else {
                throw FileError(.create, path(of: name), reason: .alreadyExists)
            }
            let node = MemoryNode(number: state.newNumber())
            state.directories[path]?[name] = node
            return (node, state.newNumber())
        }
        return MemoryFile(files: files, node, number: number, path: path(of: name), access: .writing)
    }

    func status(of name: String) throws(FileError) -> FileStatus {
        try files.state.withLock { state throws(FileError) in
            try self.node(name, .examine, in: state).status(linkCount: 1)
        }
    }

    func rename(_ name: String, to newName: String) throws(FileError) {
        try rename(name, to: newName, isReplacing: true)
    }

    func renameWithoutReplacing(_ name: String, to newName: String) throws(FileError) {
        try rename(name, to: newName, isReplacing: false)
    }

    private func rename(_ name: String, to newName: String, isReplacing: Bool) throws(FileError) {
        try files.state.withLock { state throws(FileError) in
            let node = try self.node(name, .rename, in: state)
            guard !isDirectory(newName, in: state) else {
                throw FileError(.rename, path(of: newName), reason: .isDirectory)
            }
            guard isReplacing || state.directories[path]?[newName] == nil else {
                throw FileError(.rename, path(of: newName), reason: .alreadyExists)
            }
            state.directories[path]?[name] = nil
            state.directories[path]?[newName] = node
        }
    }

    func remove(_ name: String) throws(FileError) {
        try files.state.withLock { state throws(FileError) in
            _ = try self.node(name, .remove, in: state)
            state.directories[path]?[name] = nil
        }
    }

    func names() throws(FileError) -> [String] {
        files.state.withLock { state in (state.directories[path] ?? [:]).keys.sorted() }
    }

    func sync() throws(FileError) {}

    func availableByteCount() throws(FileError) -> Int { files.isFull ? 0 : .max }

    // MARK: - Parts

    private func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

    private func isDirectory(_ name: String, in state: MemoryFiles.State) -> Bool {
        state.directories[path(of: name)] != nil
    }

    private func node(
        _ name: String,
        _ operation: FileError.Operation,
        in state: MemoryFiles.State
    ) throws(FileError) -> MemoryNode {
        if let node = state.directories[path]?[name] { return node }
        let reason = isDirectory(name, in: state) ? FileError.Reason.isDirectory : .notFound
        throw FileError(operation, path(of: name), reason: reason)
    }
}
