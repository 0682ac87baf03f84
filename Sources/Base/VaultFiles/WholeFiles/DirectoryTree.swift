internal import CCofferLinux
internal import Glibc

/// Removes directories with all their contents.
package enum DirectoryTree {
    /// A file or symbolic link in a tree.
    package struct Entry {
        /// The path of the directory that contains it, which need not be UTF-8.
        package let directory: [UInt8]
        /// Its name, which need not be UTF-8.
        package let name: [UInt8]
        /// Its path to show to users, with replacement characters where a name is not UTF-8.
        package var path: String { String(decoding: directory + [.slash] + name, as: UTF8.self) }
        /// The identity of the file.
        package let identity: FileStatus.Identity
    }

    /// Removes the directory at `path` and its contents, except files for which `isKept` returns true and the
    /// directories that contain them; a missing directory is not an error.
    ///
    /// Links are removed and never followed, even if somebody replaces a directory meanwhile; but `path` itself may be
    /// a link of the user or a mount point, which then stays. A mount inside the tree stays with its contents, and is
    /// an error. The tree may have any depth: few files are open at a time.
    package static func remove(at path: String, keeping isKept: (Entry) -> Bool) throws(FileError) {
        let root: LinuxDirectory
        do throws(FileError) {
            root = try LinuxFileSystem().trustedLinuxDirectory(path)
        } catch {
            guard error.reason == .notFound else { throw error }
            return
        }
        var removal = try Removal(root)
        try removal.empty(keeping: isKept)
        // A directory that is not empty stays, and so does a link or a mount point.
        guard unsafe rmdir(path) == 0 || [ENOTEMPTY, EEXIST, ENOENT, ENOTDIR, EBUSY].contains(errno) else {
            throw .last(.remove, path)
        }
    }
}

/// Removes the contents of a tree.
///
/// Only the root and the directory being emptied are open. The way back up is `..`, as long as that is the directory
/// that the way down came from. If somebody has moved a directory meanwhile, the removal descends again from the root,
/// as far as that path still leads through the same directories.
private struct Removal {
    /// A directory that is being emptied.
    private struct Level {
        let identity: FileStatus.Identity
        /// Its name in the parent directory.
        let name: [CChar]
        /// The length of the parent directory's path.
        let pathByteCount: Int
        /// The entries not yet removed.
        var names: [[CChar]]
    }

    private let root: LinuxDirectory
    private let device: UInt64
    /// The directory of the last level.
    private var directory: LinuxDirectory
    private var levels: [Level]
    /// The path of the last level.
    private var path: [UInt8]

    init(_ root: LinuxDirectory) throws(FileError) {
        self.root = root
        directory = root
        path = Array(root.path.utf8)
        let identity = try root.status().identity
        device = identity.device
        levels = [Level(identity: identity, name: [], pathByteCount: 0, names: try root.entryNames())]
    }

    mutating func empty(keeping isKept: (DirectoryTree.Entry) -> Bool) throws(FileError) {
        while let last = levels.indices.last {
            guard let name = levels[last].names.popLast() else {
                try leave()
                continue
            }
            guard let status = try status(of: name) else { continue }
            guard status.isDirectory else {
                let bytes = name.dropLast().map { UInt8(bitPattern: $0) }
                let entry = DirectoryTree.Entry(directory: path, name: bytes, identity: status.identity)
                if !isKept(entry) { try remove(name, 0) }
                continue
            }
            guard let next = try enter(name, status) else { continue }
            let level = Level(
                identity: try next.status().identity,
                name: name,
                pathByteCount: path.count,
                names: try next.entryNames()
            )
            descend(level, next)
        }
    }

    private mutating func descend(_ level: Level, _ next: LinuxDirectory) {
        levels.append(level)
        path += [.slash] + level.name.dropLast().map { UInt8(bitPattern: $0) }
        directory = next
    }

    // MARK: - The way up

    /// Goes back to the parent directory, and removes the emptied one from it.
    private mutating func leave() throws(FileError) {
        let level = levels.removeLast()
        guard let above = levels.last else { return }
        path.removeSubrange(level.pathByteCount...)
        if let parent = parent(above.identity) {
            directory = parent
        } else if try !descendAgain() {
            // The parent has been moved, and the emptied directory with it.
            return
        }
        try remove(level.name, AT_REMOVEDIR)
    }

    /// Returns the parent directory, or nil if another directory is in its place.
    private func parent(_ identity: FileStatus.Identity) -> LinuxDirectory? {
        let dots = "..".utf8CString.map(\.self)
        guard let parent = try? LinuxDirectory(opening: dots, in: directory, called: directory.path),
            (try? parent.status().identity) == identity
        else { return nil }
        return parent
    }

    /// Descends again from the root, and drops the levels that it can no longer reach.
    ///
    /// - Returns: Whether it reached all levels.
    private mutating func descendAgain() throws(FileError) -> Bool {
        let former = levels
        directory = root
        path = Array(root.path.utf8)
        levels = [former[0]]
        for level in former.dropFirst() {
            guard let status = try status(of: level.name), status.isDirectory,
                let next = try enter(level.name, status), try next.status().identity == level.identity
            else { return false }
            descend(level, next)
        }
        return true
    }

    // MARK: - One name

    /// Returns the status of a name, or nil if it is gone.
    private func status(of name: [CChar]) throws(FileError) -> FileStatus? {
        if let status = unsafe FileStatus(of: name, in: directory.descriptor) { return status }
        guard errno == ENOENT else { throw .last(.examine, path(of: name)) }
        return nil
    }

    /// Opens a directory that is not a mount point; returns nil if it is gone.
    private func enter(_ name: [CChar], _ status: FileStatus) throws(FileError) -> LinuxDirectory? {
        guard status.identity.device == device, unsafe coffer_is_mounted(directory.descriptor, name) == 0 else {
            throw FileError(.remove, path(of: name), reason: .onOtherFileSystem)
        }
        do throws(FileError) {
            // In a deep tree, the paths would take more memory than everything else.
            return try LinuxDirectory(opening: name, in: directory, called: root.path)
        } catch {
            guard error.reason == .notFound else {
                throw FileError(error.operation, path(of: name), reason: error.reason)
            }
            return nil
        }
    }

    /// Removes a name, except that of a directory that is not empty.
    private func remove(_ name: [CChar], _ flags: Int32) throws(FileError) {
        guard unsafe unlinkat(directory.descriptor, name, flags) != 0 else { return }
        guard [ENOTEMPTY, EEXIST, ENOENT].contains(errno) else { throw .last(.remove, path(of: name)) }
    }

    /// Returns a path to show to users, with replacement characters where a name is not UTF-8.
    private func path(of name: [CChar]) -> String {
        String(decoding: path + [.slash] + name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
