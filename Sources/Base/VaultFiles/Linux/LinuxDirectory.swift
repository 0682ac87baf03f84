internal import CCofferLinux
internal import Glibc

/// A directory of this machine, opened as a descriptor.
final class LinuxDirectory: OpenDirectory {
    private static let ownerOnly: mode_t = 0o600

    let path: String
    let descriptor: Int32
    private let renamesWithoutReplacing: Bool

    init(opening path: String, renamesWithoutReplacing: Bool = true) throws(FileError) {
        descriptor = try LinuxFile.descriptor(.open, path) {
            unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        self.path = path
        self.renamesWithoutReplacing = renamesWithoutReplacing
    }

    /// Opens a directory in `directory` that is not a link; its name need not be UTF-8, and ends with a zero.
    init(opening name: [CChar], in directory: LinuxDirectory, called path: String) throws(FileError) {
        descriptor = try LinuxFile.descriptor(.open, path) {
            unsafe openat(directory.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
        self.path = path
        renamesWithoutReplacing = directory.renamesWithoutReplacing
    }

    /// A directory that is already open; takes ownership of its descriptor.
    init(descriptor: Int32, path: String, renamesWithoutReplacing: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.renamesWithoutReplacing = renamesWithoutReplacing
    }

    deinit { close(descriptor) }

    /// Returns the status of the directory itself.
    func status() throws(FileError) -> FileStatus {
        guard let status = FileStatus(ofOpen: descriptor) else { throw .last(.examine, path) }
        return status
    }

    private func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

    /// Throws unless `name` names a file in this directory.
    private func check(_ name: String, _ operation: FileError.Operation) throws(FileError) {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(where: { $0 == 0 || $0 == .slash }) else {
            throw FileError(operation, path(of: name), reason: .invalidName)
        }
    }

    func open(_ name: String, for access: FileAccess) throws(FileError) -> any OpenFile {
        let flags = access == .writing ? O_RDWR : O_RDONLY
        return try open(name, .open, flags)
    }

    func create(_ name: String) throws(FileError) -> any OpenFile {
        try open(name, .create, O_RDWR | O_CREAT | O_EXCL)
    }

    private func open(_ name: String, _ operation: FileError.Operation, _ flags: Int32) throws(FileError) -> LinuxFile {
        try check(name, operation)
        // A link in place of the file would lead out of the chosen directory; a pipe would block the call.
        let flags = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let path = path(of: name)
        do throws(FileError) {
            let file = try LinuxFile.descriptor(operation, path) {
                unsafe openat(descriptor, name, flags, Self.ownerOnly)
            }
            return LinuxFile(descriptor: file, path: path)
        } catch  where error.reason == .tooManySymbolicLinks {
            // With O_NOFOLLOW even one link is too many: it was created after the path was resolved.
            throw FileError(operation, path, reason: .notARegularFile)
        }
    }

    func status(of name: String) throws(FileError) -> FileStatus {
        try check(name, .examine)
        guard let status = unsafe FileStatus(of: name, in: descriptor) else {
            throw .last(.examine, path(of: name))
        }
        return status
    }

    func rename(_ name: String, to newName: String) throws(FileError) {
        try check(name, .rename)
        try check(newName, .rename)
        guard unsafe renameat(descriptor, name, descriptor, newName) == 0 else {
            throw .last(.rename, path(of: newName))
        }
    }

    func renameWithoutReplacing(_ name: String, to newName: String) throws(FileError) {
        try check(name, .rename)
        try check(newName, .rename)
        if renamesWithoutReplacing {
            let status = unsafe renameat2(descriptor, name, descriptor, newName, UInt32(coffer_RENAME_NOREPLACE))
            guard status != 0 else { return }
            guard [EINVAL, ENOSYS].contains(errno) else { throw .last(.rename, path(of: newName)) }
        }
        // File systems without that call can give the file a second name, which does not replace anything either.
        guard unsafe linkat(descriptor, name, descriptor, newName, 0) == 0 else {
            // EPERM means that there are no hard links; denied access has another error number.
            throw errno == EPERM
                ? FileError(.rename, path(of: newName), reason: .notSupported) : .last(.rename, path(of: newName))
        }
        try remove(name)
    }

    func remove(_ name: String) throws(FileError) {
        try check(name, .remove)
        guard unsafe unlinkat(descriptor, name, 0) == 0 else { throw .last(.remove, path(of: name)) }
    }

    func names() throws(FileError) -> [String] {
        try entryNames().compactMap { String(validating: $0.dropLast(), as: UTF8.self) }
    }

    /// Returns the names of all entries in the directory, each ending with a zero.
    func entryNames() throws(FileError) -> [[CChar]] {
        // The stream takes over its descriptor and the position in the directory, so it gets a descriptor of its own.
        let own = try LinuxFile.descriptor(.list, path) {
            unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard let stream = unsafe fdopendir(own) else {
            let error = FileError.last(.list, path)
            close(own)
            throw error
        }
        defer { unsafe closedir(stream) }
        let dot = CChar(UInt8(ascii: "."))
        var names: [[CChar]] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { name in
                    unsafe Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
                }
            }
            if name != [dot, 0], name != [dot, dot, 0] { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .last(.list, path) }
        return names
    }

    func sync() throws(FileError) {
        guard fsync(descriptor) != 0 else { return }
        // EINVAL means that the file system cannot sync directories; there is nothing more to do.
        guard errno != EINVAL else { return }
        throw .last(.sync, path)
    }

    func availableByteCount() throws(FileError) -> Int {
        var status = statvfs()
        guard unsafe fstatvfs(descriptor, &status) == 0 else { throw .last(.examine, path) }
        let (byteCount, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
        return overflow ? .max : byteCount
    }

    /// Whether the kernel sees all changes to the files, which is not so if other machines change them too.
    ///
    /// FUSE file systems count as remote, since their programs may get the files from anywhere.
    var isOnThisMachine: Bool {
        var status = statfs()
        guard unsafe fstatfs(descriptor, &status) == 0 else { return false }
        return !Self.networkFileSystems.contains(UInt32(truncatingIfNeeded: status.f_type))
    }

    /// From <linux/magic.h> and the file systems' own sources.
    private static let networkFileSystems: Set<UInt32> = [
        0x6969,  // NFS
        0x517B, 0xFF53_4D42, 0xFE53_4D42,  // three versions of SMB
        0x6573_5546,  // FUSE and virtiofs
        0x0102_1997,  // 9P
        0x00C3_6400,  // Ceph
        0x5346_414F, 0x6B41_4653,  // two implementations of AFS
        0x7375_7245,  // Coda
        0x0BD0_0BD0,  // Lustre
        0x0116_1970,  // GFS2
        0x7461_636F,  // OCFS2
        0x4750_4653,  // GPFS
        0x1983_0326,  // BeeGFS
        0x786F_4256,  // VirtualBox shared folders
        0xBACB_ACBC,  // VMware shared folders
    ]
}
