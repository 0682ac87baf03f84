internal import Glibc

/// The files of this machine.
package struct LinuxFileSystem: FileSystem {
    let renamesWithoutReplacing: Bool

    /// Creates the file system.
    ///
    /// - Parameter renamesWithoutReplacing: Whether to use the system call for renaming without replacing. Tests pass
    ///   false, to exercise what is done on file systems without that call.
    package init(renamesWithoutReplacing: Bool = true) {
        self.renamesWithoutReplacing = renamesWithoutReplacing
    }

    package func locate(_ path: String) throws(FileError) -> (directory: any OpenDirectory, name: String) {
        let resolved = try Self.resolved(path)
        let (parent, name) = resolved.directoryAndName
        guard !name.isEmpty else { throw FileError(.open, path, reason: .isDirectory) }
        return (try LinuxDirectory(opening: parent, renamesWithoutReplacing: renamesWithoutReplacing), name)
    }

    package func adopt(descriptor: Int32) throws(FileError) -> any OpenFile {
        let path = "descriptor \(descriptor)"
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, LinuxFile.minimumDescriptor)
        guard own >= 0 else {
            throw errno == EBADF ? FileError(.open, path, reason: .notFound) : .last(.open, path)
        }
        return LinuxFile(descriptor: own, path: path)
    }

    /// Returns the path without symbolic links.
    ///
    /// The last name need not exist; if it is a link, its target need not exist either.
    private static func resolved(_ path: String) throws(FileError) -> String {
        guard path.isPath else { throw FileError(.open, path, reason: .invalidName) }
        guard !path.isEmpty else { throw FileError(.open, path, reason: .notFound) }
        // A link to a missing file is followed here, as the system would do to create that file.
        var path = path
        var link: String?
        for _ in 0...maximumLinkCount {
            if let whole = try realPath(path) { return whole }
            guard errno == ENOENT else { throw .last(.open, path) }
            let (parent, name) = path.directoryAndName
            guard let directory = try realPath(parent) else {
                let error = FileError.last(.open, parent)
                // A file behind a link to an unmounted disk must not count as absent.
                guard error.reason == .notFound else { throw error }
                if let link { throw FileError(.open, link, reason: .danglingLink(parent)) }
                try checkNoLinkDangles(in: parent)
                throw error
            }
            let last = directory == "/" ? "/" + name : directory + "/" + name
            guard !name.isEmpty, let target = try linkTarget(last) else { return last }
            path = target.utf8.first == .slash ? target : directory + "/" + target
            link = last
        }
        throw FileError(.open, path, reason: .tooManySymbolicLinks)
    }

    /// Throws `danglingLink` if the first name in `path` that cannot be resolved is a symbolic link.
    private static func checkNoLinkDangles(in path: String) throws(FileError) {
        var path = path
        while try realPath(path) == nil, errno == ENOENT {
            if let target = try linkTarget(path) { throw FileError(.open, path, reason: .danglingLink(target)) }
            let (parent, _) = path.directoryAndName
            guard parent.utf8.count < path.utf8.count else { return }
            path = parent
        }
    }

    /// As many links as the kernel follows.
    static let maximumLinkCount = 40

    private static func realPath(_ path: String) throws(FileError) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        // A path with repaired bytes would lead elsewhere.
        guard let text = unsafe String(validatingCString: resolved) else {
            throw FileError(.open, path, reason: .invalidName)
        }
        return text
    }

    /// Returns the target of the symbolic link at `path`, or nil if it is not a link.
    private static func linkTarget(_ path: String) throws(FileError) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let byteCount = unsafe readlink(path, &buffer, buffer.count)
        guard byteCount >= 0 else { return nil }
        guard let text = String(validating: buffer[..<byteCount], as: UTF8.self) else {
            throw FileError(.open, path, reason: .invalidName)
        }
        return text
    }
}

extension String {
    /// Whether the system accepts the text as a path: it would take a zero byte for the end.
    var isPath: Bool { !utf8.contains(0) }

    /// The path of the directory, and what follows the last slash.
    ///
    /// Compares bytes, because a slash with a combining accent after it is one character, and not a slash.
    package var directoryAndName: (String, String) {
        guard let separator = utf8.lastIndex(of: .slash) else { return (".", self) }
        let parent = separator == utf8.startIndex ? "/" : String(self[..<separator])
        return (parent, String(self[utf8.index(after: separator)...]))
    }
}

extension UInt8 {
    /// The separator of the names in a path.
    static var slash: UInt8 { 0x2F }
}
