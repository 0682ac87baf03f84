internal import CCofferLinux
internal import Glibc

// Directories that hold files only for their own user: anchors, device keys, settings, documents.
//
// A program that root runs with another user's HOME could otherwise be led anywhere by that user's links. The path is
// walked one name at a time, so nothing can be swapped between a check and what depends on it.
extension LinuxFileSystem {
    package func trustedDirectory(_ path: String) throws(FileError) -> any OpenDirectory {
        try trustedLinuxDirectory(path)
    }

    package func makeDirectory(_ path: String) throws(FileError) -> any OpenDirectory {
        try trustedLinuxDirectory(path, makes: true)
    }

    package func locateForCreating(
        _ path: String,
        makesDirectories: Bool
    ) throws(FileError) -> (directory: any OpenDirectory, name: String) {
        guard path.utf8.last != .slash else { throw FileError(.create, path, reason: .isDirectory) }
        let (place, name) = try walk(path, leavesLast: true, makes: makesDirectories)
        return (try place.directory(called: place.path, renamesWithoutReplacing), name)
    }

    /// Opens the directory at `path`, which must belong to the user of the process or to root.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - makes: Whether to create missing directories.
    /// - Returns: The directory.
    /// - Throws: `foreignOwner` if the directory or a link belongs to another user, or the error of the system.
    func trustedLinuxDirectory(_ path: String, makes: Bool = false) throws(FileError) -> LinuxDirectory {
        try walk(path, leavesLast: false, makes: makes).place.directory(called: path, renamesWithoutReplacing)
    }

    /// Resolves the names in `path`.
    ///
    /// Directories on the way may belong to anybody. A symbolic link is followed only if both it and its directory
    /// belong to the user of the process or to root.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - leavesLast: Whether the last name is that of a file, which need not exist, in a directory that may belong to
    ///     anybody.
    ///   - makes: Whether to create missing directories; those in a link's target are never created.
    /// - Returns: The directory, and the remaining name or an empty one.
    /// - Throws: `foreignOwner` if the directory or a link belongs to another user, or the error of the system.
    private func walk(
        _ path: String,
        leavesLast: Bool,
        makes: Bool
    ) throws(FileError) -> (place: Waypoint, name: String) {
        guard path.isPath else { throw FileError(makes ? .makeDirectory : .open, path, reason: .invalidName) }
        guard !path.isEmpty else { throw FileError(.open, path, reason: .notFound) }
        let top = try Waypoint(opening: "/")
        var place = path.utf8.first == .slash ? top : try Waypoint(opening: ".")
        var names = path.names.reversed().map { (text: $0, link: String?.none) }
        var linkCount = 0
        while let name = names.popLast() {
            let entry = try place.entry(name.text)
            if let link = entry, link.status.isLink {
                // In a sandbox without a mapping for root, `/` belongs to the overflow user.
                for status in [place.status, link.status] where !Self.trusted(status.owner, top.status.owner) {
                    throw FileError(.open, link.path, reason: .foreignOwner(status.owner, user: CurrentProcess.user))
                }
                linkCount += 1
                guard linkCount <= Self.maximumLinkCount else {
                    throw FileError(.open, path, reason: .tooManySymbolicLinks)
                }
                let target = try link.target()
                guard !leavesLast || !names.isEmpty || target.utf8.last != .slash else {
                    throw FileError(.create, link.path, reason: .danglingLink(target))
                }
                if target.utf8.first == .slash { place = top }
                names += target.names.reversed().map { (text: $0, link: link.path) }
            } else if leavesLast, names.isEmpty {
                return (place, name.text)
            } else if let entry {
                guard entry.status.isDirectory else { throw FileError(.open, entry.path, reason: .notADirectory) }
                place = entry
            } else if let link = name.link {
                throw FileError(.open, link, reason: .danglingLink(place.path(of: name.text)))
            } else {
                guard makes else { throw FileError(.open, place.path(of: name.text), reason: .notFound) }
                try make(name.text, in: place)
                names.append(name)
            }
        }
        guard !leavesLast else { throw FileError(.create, path, reason: .isDirectory) }
        guard Self.trusted(place.status.owner, top.status.owner) else {
            throw FileError(.open, path, reason: .foreignOwner(place.status.owner, user: CurrentProcess.user))
        }
        return (place, "")
    }

    private static func trusted(_ owner: UInt32, _ ownerOfTop: UInt32) -> Bool {
        [CurrentProcess.user, 0, ownerOfTop].contains(owner)
    }

    private func make(_ name: String, in place: Waypoint) throws(FileError) {
        let holder = try place.directory(called: place.path, renamesWithoutReplacing)
        if unsafe mkdirat(holder.descriptor, name, 0o700) == 0 {
            // If the new directory's name were lost, so would be everything made durable in it.
            try holder.sync()
        } else if errno != EEXIST {
            throw .last(.makeDirectory, place.path(of: name))
        }
    }
}

/// A directory or link along a path; it need not be readable.
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
        guard let status = FileStatus(ofOpen: descriptor.number) else { throw .last(.examine, path) }
        self.status = status
    }

    private static let way = Int32(coffer_O_PATH) | O_NOFOLLOW | O_CLOEXEC

    func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

    /// Opens the file, directory or link with this name; returns nil if the name is free.
    func entry(_ name: String) throws(FileError) -> Waypoint? {
        // An automounted directory is mounted only by a call that requires a directory.
        for flags in [Self.way | O_DIRECTORY, Self.way] {
            do throws(FileError) {
                return try Waypoint(path(of: name)) { unsafe openat(descriptor.number, name, flags) }
            } catch {
                guard [.notFound, .notADirectory, .tooManySymbolicLinks].contains(error.reason) else { throw error }
            }
        }
        return nil
    }

    /// Returns the target of the link.
    func target() throws(FileError) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let byteCount = unsafe readlinkat(descriptor.number, "", &buffer, buffer.count)
        guard byteCount >= 0 else { throw .last(.open, path) }
        guard let text = String(validating: buffer[..<byteCount], as: UTF8.self) else {
            throw FileError(.open, path, reason: .invalidName)
        }
        return text
    }

    /// Opens the directory itself.
    func directory(called path: String, _ renamesWithoutReplacing: Bool) throws(FileError) -> LinuxDirectory {
        let own = try LinuxFile.descriptor(.open, path) {
            unsafe openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        return LinuxDirectory(descriptor: own, path: path, renamesWithoutReplacing: renamesWithoutReplacing)
    }
}

extension String {
    /// The names in the path.
    fileprivate var names: [String] { utf8.split(separator: .slash).map { String(Substring($0)) } }
}
