internal import CLinux
internal import Glibc

// Directories in which a program keeps what only its own user should: anchors, device keys, settings, documents.
//
// A program that root runs with the HOME of another user would otherwise be led anywhere by the links of that user. The
// path is walked one name at a time, so nothing can be exchanged between a check and what depends on it.
extension LinuxFileSystem {
    package func ownDirectory(_ path: String) throws(FileError) -> any OpenDirectory {
        try ownLinuxDirectory(path)
    }

    package func makeDirectory(_ path: String) throws(FileError) -> any OpenDirectory {
        try ownLinuxDirectory(path, makes: true)
    }

    /// The directory at `path`, which belongs to the user of the process or to root.
    ///
    /// Directories on the way may belong to anybody, but a symbolic link is followed only if it, and the directory that it
    /// is in, belong to the user or to root.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - makes: Whether directories are made that do not exist; where a link leads none is made.
    /// - Returns: The directory.
    /// - Throws: `foreignOwner` if the directory, or a link, belongs to another user, and what the system refuses.
    func ownLinuxDirectory(_ path: String, makes: Bool = false) throws(FileError) -> LinuxDirectory {
        guard path.isPath else { throw FileError(makes ? .makeDirectory : .open, path, reason: .invalidName) }
        guard !path.isEmpty else { throw FileError(.open, path, reason: .notFound) }
        let top = try Waypoint(opening: "/")
        var place = path.utf8.first == .slash ? top : try Waypoint(opening: ".")
        var names = path.names.reversed().map { (text: $0, isOfLink: false) }
        var linkCount = 0
        while let name = names.popLast() {
            if let next = try place.entry(name.text) {
                place = next
            } else if let link = try place.link(name.text) {
                // In a sandbox root has no number, and `/` belongs to whoever stands for it.
                for status in [place.status, link.status] where !Self.trusted(status.owner, top.status.owner) {
                    throw FileError(.open, link.path, reason: .foreignOwner(status.owner, user: CurrentProcess.user))
                }
                linkCount += 1
                guard linkCount <= Self.longestChain else {
                    throw FileError(.open, path, reason: .tooManySymbolicLinks)
                }
                let target = try link.target()
                if target.utf8.first == .slash { place = top }
                names += target.names.reversed().map { (text: $0, isOfLink: true) }
            } else {
                guard makes, !name.isOfLink else {
                    throw FileError(.open, place.path(of: name.text), reason: .notFound)
                }
                try make(name.text, in: place)
                names.append(name)
            }
        }
        guard Self.trusted(place.status.owner, top.status.owner) else {
            throw FileError(.open, path, reason: .foreignOwner(place.status.owner, user: CurrentProcess.user))
        }
        return try place.directory(called: path, renamesWithoutReplacing)
    }

    private static func trusted(_ owner: UInt32, _ ownerOfTop: UInt32) -> Bool {
        [CurrentProcess.user, 0, ownerOfTop].contains(owner)
    }

    private func make(_ name: String, in place: Waypoint) throws(FileError) {
        let holder = try place.directory(called: place.path, renamesWithoutReplacing)
        if unsafe mkdirat(holder.descriptor, name, 0o700) == 0 {
            // What is made durable in the new directory would be lost with its name.
            try holder.sync()
        } else if errno != EEXIST {
            throw .last(.makeDirectory, place.path(of: name))
        }
    }
}

/// A directory, or a link, on the way to a directory: it need not be readable.
private struct Waypoint {
    private let descriptor: Descriptor
    let path: String
    let status: FileStatus

    init(opening path: String) throws(FileError) {
        try self.init(path) { unsafe Glibc.open(path, Self.way | O_DIRECTORY) }
    }

    private init(_ path: String, _ open: () -> Int32) throws(FileError) {
        descriptor = Descriptor(try LinuxFile.descriptor(.open, path, open))
        self.path = path
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0 else { throw .last(.examine, path) }
        self.status = FileStatus(status)
    }

    private static let way = Int32(coffer_O_PATH) | O_NOFOLLOW | O_CLOEXEC

    func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

    /// The directory with this name; nil if there is none, but perhaps a link.
    func entry(_ name: String) throws(FileError) -> Waypoint? {
        do throws(FileError) {
            // That it must be a directory lets the system mount it, if it is one that is mounted when it is needed.
            return try Waypoint(path(of: name)) { unsafe openat(descriptor.number, name, Self.way | O_DIRECTORY) }
        } catch {
            guard [.notFound, .notADirectory, .tooManySymbolicLinks].contains(error.reason) else { throw error }
            return nil
        }
    }

    /// The link with this name; nil if the name is free.
    func link(_ name: String) throws(FileError) -> Waypoint? {
        do throws(FileError) {
            let link = try Waypoint(path(of: name)) { unsafe openat(descriptor.number, name, Self.way) }
            guard link.status.isLink else { throw FileError(.open, link.path, reason: .notADirectory) }
            return link
        } catch {
            guard error.reason == .notFound else { throw error }
            return nil
        }
    }

    /// Where the link leads.
    func target() throws(FileError) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let byteCount = unsafe readlinkat(descriptor.number, "", &buffer, buffer.count)
        guard byteCount >= 0 else { throw .last(.open, path) }
        guard let text = String(validating: buffer[..<byteCount], as: UTF8.self) else {
            throw FileError(.open, path, reason: .invalidName)
        }
        return text
    }

    /// The directory itself.
    func directory(called path: String, _ renamesWithoutReplacing: Bool) throws(FileError) -> LinuxDirectory {
        let own = try LinuxFile.descriptor(.open, path) {
            unsafe openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        return LinuxDirectory(descriptor: own, path: path, renamesWithoutReplacing: renamesWithoutReplacing)
    }
}

extension String {
    /// The names in a path.
    fileprivate var names: [String] { utf8.split(separator: .slash).map { String(Substring($0)) } }
}
