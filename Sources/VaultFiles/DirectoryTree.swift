internal import CLinux
internal import Glibc

/// A directory with all that is in it.
package enum DirectoryTree {
    /// A file, or a symbolic link, in a tree.
    package struct Entry {
        /// The path of the directory that it is in.
        package let directory: String
        /// Its name, which need not be UTF-8.
        package let name: [UInt8]
        /// Its path, for people: a name that is no UTF-8 has other characters in it.
        package var path: String { directory + "/" + String(decoding: name, as: UTF8.self) }
        /// Which file it is.
        package let identity: FileStatus.Identity
    }

    /// A directory that is being emptied.
    private struct Level {
        let directory: LinuxDirectory
        /// Its name in the directory above.
        let name: [CChar]
        /// What is still to be looked at.
        var names: [[CChar]]
    }

    /// Removes the directory at `path` with all that is in it, but for files that `isKept` names, and the directories that
    /// these lie in; that there is none is no error.
    ///
    /// Links are removed, and not followed, whatever anybody puts in the place of a directory meanwhile; but `path` itself
    /// may be a link, or mounted, and stays then. What is mounted in the tree stays with all that is in it, and is an error.
    package static func remove(at path: String, keeping isKept: (Entry) -> Bool) throws(FileError) {
        let root: LinuxDirectory
        do throws(FileError) {
            root = try LinuxDirectory(opening: path)
        } catch {
            guard error.reason == .notFound else { throw error }
            return
        }
        let device = try root.status().identity.device
        var levels = [Level(directory: root, name: [], names: try root.entryNames())]
        while var level = levels.popLast() {
            guard let name = level.names.popLast() else {
                guard let above = levels.last else { break }
                try remove(level.name, AT_REMOVEDIR, in: above.directory)
                continue
            }
            levels.append(level)
            guard let status = try status(of: name, in: level.directory) else { continue }
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            let identity = FileStatus(status).identity
            if isDirectory {
                guard identity.device == device, unsafe coffer_is_mounted(level.directory.descriptor, name) == 0 else {
                    throw FileError(.remove, Self.path(of: name, in: level.directory), reason: .onOtherFileSystem)
                }
                guard let directory = try open(name, in: level.directory) else { continue }
                levels.append(Level(directory: directory, name: name, names: try directory.entryNames()))
            } else {
                let bytes = name.dropLast().map { UInt8(bitPattern: $0) }
                let entry = Entry(directory: level.directory.path, name: bytes, identity: identity)
                if !isKept(entry) { try remove(name, 0, in: level.directory) }
            }
        }
        // What is not empty stays, and so does a link to what is, or a place where it is mounted.
        guard unsafe rmdir(path) == 0 || [ENOTEMPTY, EEXIST, ENOENT, ENOTDIR, EBUSY].contains(errno) else {
            throw .last(.remove, path)
        }
    }

    /// What is known of a name; nil if it is gone.
    private static func status(of name: [CChar], in directory: LinuxDirectory) throws(FileError) -> stat? {
        var status = stat()
        guard unsafe fstatat(directory.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) != 0 else { return status }
        guard errno == ENOENT else { throw .last(.examine, path(of: name, in: directory)) }
        return nil
    }

    private static func open(_ name: [CChar], in directory: LinuxDirectory) throws(FileError) -> LinuxDirectory? {
        do throws(FileError) {
            return try LinuxDirectory(opening: name, in: directory, called: path(of: name, in: directory))
        } catch {
            guard error.reason == .notFound else { throw error }
            return nil
        }
    }

    /// Takes a name from what has it; a directory that is not empty keeps it.
    private static func remove(_ name: [CChar], _ flags: Int32, in directory: LinuxDirectory) throws(FileError) {
        guard unsafe unlinkat(directory.descriptor, name, flags) != 0 else { return }
        guard [ENOTEMPTY, EEXIST, ENOENT].contains(errno) else { throw .last(.remove, path(of: name, in: directory)) }
    }

    /// A path for people: a name that is no UTF-8 has other characters in it.
    private static func path(of name: [CChar], in directory: LinuxDirectory) -> String {
        directory.path + "/" + String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
