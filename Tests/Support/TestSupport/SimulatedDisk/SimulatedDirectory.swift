import VaultFiles

/// An open directory of a simulated disk.
final class SimulatedDirectory: OpenDirectory {
    private static let nameByteCountLimit = 255

    let path: String
    private let disk: SimulatedDisk
    private let number: Int

    init(disk: SimulatedDisk, number: Int, path: String) {
        self.disk = disk
        self.number = number
        self.path = path
    }

    private func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

    // MARK: - Files

    func open(_ name: String, for access: FileAccess) throws(FileError) -> any OpenFile {
        let opening = try disk.call(.open, path(of: name)) { state throws(FileError.Reason.Thrown) in
            let file = try self.file(name, in: state)
            let image = state.image.files[file]
            let needed: UInt32 = access == .writing ? 0o6 : 0o4
            guard state.allows(needed, permissions: image.permissions, owner: image.owner) else {
                throw .init(.permissionDenied)
            }
            guard access == .reading || !state.isReadOnly else { throw .init(.readOnlyFileSystem) }
            return (nil, state.open(file, for: access))
        }
        return SimulatedFile(disk: disk, opening, path: path(of: name))
    }

    func create(_ name: String) throws(FileError) -> any OpenFile {
        let opening = try disk.call(.create, path(of: name)) { state throws(FileError.Reason.Thrown) in
            guard !self.exists(name, in: state) else { throw .init(.alreadyExists) }
            try self.requireChangeable(state)
            guard name.utf8.count <= Self.nameByteCountLimit else { throw .init(.nameTooLong) }
            let change = DiskChange.create(
                directory: self.number,
                name: name,
                owner: state.user,
                device: state.newDevice
            )
            return (change, state.open(state.image.files.count, for: .writing))
        }
        return SimulatedFile(disk: disk, opening, path: path(of: name))
    }

    func status(of name: String) throws(FileError) -> FileStatus {
        try disk.call(.examine, path(of: name)) { state throws(FileError.Reason.Thrown) in
            (nil, state.image.status(of: try self.file(name, in: state)))
        }
    }

    // MARK: - Names

    func rename(_ name: String, to newName: String) throws(FileError) {
        try rename(name, to: newName, isReplacing: true)
    }

    func renameWithoutReplacing(_ name: String, to newName: String) throws(FileError) {
        try rename(name, to: newName, isReplacing: false)
    }

    private func rename(_ name: String, to newName: String, isReplacing: Bool) throws(FileError) {
        try disk.call(.rename, path(of: newName)) { state throws(FileError.Reason.Thrown) in
            let file = try self.file(name, in: state)
            guard isReplacing || !self.exists(newName, in: state) else { throw .init(.alreadyExists) }
            try self.requireChangeable(state)
            guard newName.utf8.count <= Self.nameByteCountLimit else { throw .init(.nameTooLong) }
            guard !self.isDirectory(newName, in: state) else { throw .init(.isDirectory) }
            // Two names of the same file stay unchanged.
            guard self.names(in: state)[newName] != file else { return (nil, ()) }
            return (.rename(directory: self.number, name: name, newName: newName, file: file), ())
        }
    }

    func remove(_ name: String) throws(FileError) {
        try disk.call(.remove, path(of: name)) { state throws(FileError.Reason.Thrown) in
            let file = try self.file(name, in: state)
            try self.requireChangeable(state)
            return (.remove(directory: self.number, name: name, file: file), ())
        }
    }

    func names() throws(FileError) -> [String] {
        try disk.call(.list, path) { state throws(FileError.Reason.Thrown) in
            let directories = state.image.directories.map { SimulatedDisk.split($0.path) }
            let names = directories.filter { $0.parent == self.path && !$0.name.isEmpty }.map(\.name)
            return (nil, (names + self.names(in: state).keys).sorted())
        }
    }

    func sync() throws(FileError) {
        let number = number
        try disk.call(
            .sync,
            path,
            failed: { effect in
                effect == .failure(.interrupted) ? nil : .failSyncDirectory(directory: number)
            },
            { _ throws(FileError.Reason.Thrown) in (.syncDirectory(directory: number), ()) }
        )
    }

    func availableByteCount() throws(FileError) -> Int {
        try disk.call(.examine, path) { state throws(FileError.Reason.Thrown) in (nil, state.availableByteCount) }
    }

    // MARK: - Parts

    private func names(in state: borrowing SimulatedDisk.State) -> [String: Int] {
        state.image.directories[number].live
    }

    private func isDirectory(_ name: String, in state: borrowing SimulatedDisk.State) -> Bool {
        state.image.directory(at: path(of: name)) != nil
    }

    private func exists(_ name: String, in state: borrowing SimulatedDisk.State) -> Bool {
        names(in: state)[name] != nil || isDirectory(name, in: state)
    }

    /// Returns the number of the file with this name.
    private func file(
        _ name: String,
        in state: borrowing SimulatedDisk.State
    ) throws(FileError.Reason.Thrown) -> Int {
        let permissions = state.image.directories[number].permissions
        guard state.allows(0o1, permissions: permissions, owner: state.user) else { throw .init(.permissionDenied) }
        if let file = names(in: state)[name] { return file }
        throw .init(isDirectory(name, in: state) ? .isDirectory : .notFound)
    }

    private func requireChangeable(_ state: borrowing SimulatedDisk.State) throws(FileError.Reason.Thrown) {
        guard !state.isReadOnly else { throw .init(.readOnlyFileSystem) }
        let permissions = state.image.directories[number].permissions
        guard state.allows(0o3, permissions: permissions, owner: state.user) else { throw .init(.permissionDenied) }
    }
}

extension DiskImage {
    func status(of file: Int) -> FileStatus {
        FileStatus(
            identity: FileStatus.Identity(device: files[file].device, number: UInt64(file + 1)),
            byteCount: files[file].live.count,
            isRegular: files[file].isRegular,
            linkCount: linkCount(of: file),
            owner: files[file].owner,
            group: files[file].owner,
            permissions: files[file].permissions
        )
    }
}
