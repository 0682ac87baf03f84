internal import Glibc

/// The files of this machine.
package struct LinuxFileSystem: FileSystem {
    /// The files of this machine.
    package init() {}

    package func locate(_ path: String) throws(FileError) -> (directory: any OpenDirectory, name: String) {
        let resolved = try Self.resolved(path)
        guard let separator = resolved.lastIndex(of: "/") else { throw FileError(.open, path, reason: .notADirectory) }
        let name = String(resolved[resolved.index(after: separator)...])
        guard !name.isEmpty else { throw FileError(.open, path, reason: .isDirectory) }
        let parent = resolved[..<separator]
        return (try LinuxDirectory(opening: parent.isEmpty ? "/" : String(parent)), name)
    }

    package func makeDirectory(_ path: String) throws(FileError) -> any OpenDirectory {
        do throws(FileError) {
            return try LinuxDirectory(opening: path)
        } catch  where error.reason == .notFound {
            let trimmed = path.last == "/" ? path.dropLast() : path[...]
            // A path of one name lies in the current directory, which exists.
            if let separator = trimmed.lastIndex(of: "/"), separator > trimmed.startIndex {
                _ = try makeDirectory(String(trimmed[..<separator]))
            }
            if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw .last(.makeDirectory, path) }
            return try LinuxDirectory(opening: path)
        }
    }

    package func adopt(descriptor: Int32) throws(FileError) -> any OpenFile {
        let path = "descriptor \(descriptor)"
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, LinuxFile.leastDescriptor)
        guard own >= 0 else { throw .last(.open, path) }
        return LinuxFile(descriptor: own, path: path)
    }

    /// The path without symbolic links.
    ///
    /// The last name need not exist, nor, if it is a link, where that leads.
    private static func resolved(_ path: String) throws(FileError) -> String {
        guard !path.isEmpty else { throw FileError(.open, path, reason: .notFound) }
        // A link that leads nowhere is followed here, as the system would do to make the file it leads to.
        var path = path
        for _ in 0..<longestChain {
            if let whole = realPath(path) { return whole }
            guard errno == ENOENT else { throw .last(.open, path) }
            let (parent, name) = split(path)
            guard let directory = realPath(parent) else { throw .last(.open, parent) }
            let last = directory == "/" ? "/" + name : directory + "/" + name
            guard !name.isEmpty, name != ".", name != "..", let target = linkTarget(last) else { return last }
            path = target.first == "/" ? target : directory + "/" + target
        }
        throw FileError(.open, path, reason: .tooManySymbolicLinks)
    }

    /// As many links as the kernel follows.
    private static let longestChain = 40

    private static func split(_ path: String) -> (parent: String, name: String) {
        guard let separator = path.lastIndex(of: "/") else { return (".", path) }
        let parent = separator == path.startIndex ? "/" : String(path[..<separator])
        return (parent, String(path[path.index(after: separator)...]))
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Where the symbolic link at `path` leads, or nil if it is none.
    private static func linkTarget(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let byteCount = unsafe readlink(path, &buffer, buffer.count)
        guard byteCount >= 0 else { return nil }
        return String(decoding: buffer[..<byteCount].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
