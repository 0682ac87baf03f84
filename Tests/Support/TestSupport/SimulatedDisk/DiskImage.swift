/// The change that a call makes to a simulated disk.
enum DiskChange: Sendable {
    case makeDirectory(path: String)
    case create(directory: Int, name: String, owner: UInt32, device: UInt64)
    case rename(directory: Int, name: String, newName: String, file: Int)
    case remove(directory: Int, name: String, file: Int)
    case syncDirectory(directory: Int)
    case failSyncDirectory(directory: Int)
    case write(file: Int, offset: Int, bytes: [UInt8])
    case truncate(file: Int, byteCount: Int)
    case sync(file: Int)
    case failSync(file: Int)
}

/// The whole state of a simulated disk, and what part of it is durable, as a value.
struct DiskImage: Sendable {
    /// The files by number, including those that no longer have a name.
    var files: [FileImage] = []
    var directories = [DirectoryImage(path: "/")]

    func directory(at path: String) -> Int? {
        directories.firstIndex { $0.path == path }
    }

    func file(at path: String) -> Int? {
        let (parent, name) = SimulatedDisk.split(path)
        return directory(at: parent).flatMap { directories[$0].live[name] }
    }

    /// Whether a component of the path is a file.
    func hasFile(above path: String) -> Bool {
        let names = path.split(separator: "/")
        return names.indices.contains { file(at: names[...$0].joined(separator: "/")) != nil }
    }

    /// Returns the directory at `path`, creating it and its parents if needed.
    mutating func addDirectory(at path: String) -> Int {
        let names = path.split(separator: "/")
        for end in names.indices {
            let path = "/" + names[...end].joined(separator: "/")
            if directory(at: path) == nil { directories.append(DirectoryImage(path: path)) }
        }
        return directory(at: path) ?? 0
    }

    /// Returns the number of names of a file.
    func linkCount(of file: Int) -> Int {
        directories.reduce(0) { count, directory in count + directory.live.values.count { $0 == file } }
    }

    /// Applies a change made by the call with this number.
    mutating func apply(_ change: DiskChange, call: Int) {
        switch change {
        case .makeDirectory(let path):
            _ = addDirectory(at: path)
        case .create(let directory, let name, let owner, let device):
            files.append(FileImage([], owner: owner, permissions: 0o600, device: device))
            directories[directory].apply(.add(name, file: files.count - 1), call: call)
        case .rename(let directory, let name, let newName, let file):
            directories[directory].apply(.move(name, to: newName, file: file), call: call)
        case .remove(let directory, let name, let file):
            directories[directory].apply(.remove(name, file: file), call: call)
        case .syncDirectory(let directory):
            directories[directory].sync()
        case .failSyncDirectory(let directory):
            directories[directory].failSync()
        case .write(let file, let offset, let bytes):
            files[file].write(bytes, at: offset, call: call)
        case .truncate(let file, let byteCount):
            files[file].truncate(to: byteCount, call: call)
        case .sync(let file):
            files[file].sync()
        case .failSync(let file):
            files[file].failSync()
        }
    }

    /// Returns the disk as a restarted machine finds it: with only these bytes and names.
    func settled(content: (Int) -> [UInt8], names: (Int) -> [String: Int]) -> DiskImage {
        var image = self
        var reachable: Set<Int> = []
        for index in directories.indices {
            image.directories[index] = directories[index].settled(names(index))
            reachable.formUnion(image.directories[index].live.values)
        }
        for index in files.indices {
            image.files[index] = files[index].settled(reachable.contains(index) ? content(index) : [])
        }
        return image
    }
}
