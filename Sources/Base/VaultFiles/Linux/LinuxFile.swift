internal import CCofferLinux
internal import Glibc

/// A file of this machine, opened as a descriptor.
final class LinuxFile: OpenFile {
    /// Lower ones are standard input, output and error, to which programs write without checking.
    static let minimumDescriptor: Int32 = 3

    let path: String
    private let descriptor: Int32
    private let hasChangeMarks: Bool

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
        var status = statfs()
        let isKnown = unsafe fstatfs(descriptor, &status) == 0
        hasChangeMarks = isKnown && ChangeMark.isKnown(fileSystem: Int(status.f_type))
    }

    deinit { close(descriptor) }

    /// Returns the descriptor that `open` gives, moved away from the standard ones.
    static func descriptor(
        _ operation: FileError.Operation,
        _ path: String,
        _ open: () -> Int32
    ) throws(FileError) -> Int32 {
        let descriptor = SystemCall.retryingInterrupted(open)
        guard descriptor >= 0 else { throw .last(operation, path) }
        guard descriptor < minimumDescriptor else { return descriptor }
        defer { close(descriptor) }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, minimumDescriptor)
        guard moved >= 0 else { throw .last(operation, path) }
        return moved
    }

    func status() throws(FileError) -> FileStatus {
        guard let status = FileStatus(ofOpen: descriptor) else { throw .last(.examine, path) }
        return status
    }

    func changeMark() throws(FileError) -> ChangeMark? {
        guard hasChangeMarks else { return nil }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last(.examine, path) }
        return ChangeMark(status)
    }

    func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
        let byteCount = unsafe buffer.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset)
        }
        guard byteCount >= 0 else { throw .last(.read, path) }
        return byteCount
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) -> Int {
        let byteCount = unsafe bytes.withUnsafeBytes { bytes in
            unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, offset)
        }
        guard byteCount >= 0 else { throw .last(.write, path) }
        return byteCount
    }

    func truncate(to byteCount: Int) throws(FileError) {
        guard SystemCall.retryingInterrupted({ ftruncate(descriptor, byteCount) }) == 0 else {
            throw .last(.truncate, path)
        }
    }

    func sync() throws(FileError) {
        guard fdatasync(descriptor) == 0 else { throw .last(.sync, path) }
    }

    func copyAccess(of other: FileStatus) throws(FileError) {
        let own = try status()
        if (own.owner, own.group) != (other.owner, other.group) {
            guard fchown(descriptor, other.owner, other.group) == 0 else { throw .last(.changeAccess, path) }
        }
        // Changing the owner may drop permissions, so set them afterwards.
        guard fchmod(descriptor, other.permissions) == 0 else { throw .last(.changeAccess, path) }
    }

    // MARK: - Lock

    func tryLock(at offset: FileLockOffset) throws(FileError) -> Bool {
        guard setLock(F_WRLCK, offset) != 0 else { return true }
        guard [EAGAIN, EACCES].contains(errno) else { throw lockError }
        return false
    }

    func unlock(at offset: FileLockOffset) throws(FileError) {
        guard setLock(F_UNLCK, offset) == 0 else { throw lockError }
    }

    private var lockError: FileError {
        switch errno {
        // The system, perhaps an emulated one, does not support such locks.
        case EINVAL: FileError(.lock, path, reason: .notSupported)
        // The file is open for reading only.
        case EBADF: FileError(.lock, path, reason: .permissionDenied)
        default: .last(.lock, path)
        }
    }

    /// Sets an open-file-description lock.
    ///
    /// It belongs to this open file, not to the process, so other users of the file in the process neither share nor
    /// lose it.
    private func setLock(_ type: Int32, _ offset: FileLockOffset) -> Int32 {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = offset.value
        lock.l_len = 1
        return SystemCall.retryingInterrupted { unsafe fcntl(descriptor, Int32(coffer_F_OFD_SETLK), &lock) }
    }

    func lockHolder(at offset: FileLockOffset) -> Int32? {
        guard let status = try? status() else { return nil }
        return LockHolder(of: status.identity, at: offset.value).process
    }
}

extension FileStatus {
    /// The status of an open file; nil, and the reason in `errno`, if the system does not tell it.
    init?(ofOpen descriptor: Int32) {
        unsafe self.init(of: "", in: descriptor, Int32(coffer_AT_EMPTY_PATH))
    }

    /// The status of a name in an open directory, not of what a link there leads to; nil, and the reason in `errno`, if
    /// the system does not tell it.
    init?(of name: UnsafePointer<CChar>, in directory: Int32) {
        unsafe self.init(of: name, in: directory, AT_SYMLINK_NOFOLLOW)
    }

    private init?(of name: UnsafePointer<CChar>, in directory: Int32, _ flags: Int32) {
        var status = coffer_status()
        let result = unsafe coffer_examine(directory, name, flags, &status)
        guard result == 0 else {
            // An old kernel, a sandbox that does not know the call, or a file system that answers in part.
            guard result > 0 || [ENOSYS, EPERM].contains(errno) else { return nil }
            var status = stat()
            guard unsafe fstatat(directory, name, &status, flags) == 0 else { return nil }
            self.init(status)
            return
        }
        self.init(
            identity: Identity(device: unsafe coffer_device(&status), number: status.inode),
            byteCount: Int(status.byte_count),
            mode: UInt32(status.mode),
            linkCount: Int(status.link_count),
            owner: status.owner,
            group: status.group
        )
    }

    init(_ status: stat) {
        self.init(
            identity: Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino)),
            byteCount: Int(status.st_size),
            mode: status.st_mode,
            linkCount: Int(clamping: status.st_nlink),
            owner: status.st_uid,
            group: status.st_gid
        )
    }

    private init(
        identity: Identity,
        byteCount: Int,
        mode: mode_t,
        linkCount: Int,
        owner: UInt32,
        group: UInt32
    ) {
        self.init(
            identity: identity,
            byteCount: byteCount,
            isRegular: mode & S_IFMT == S_IFREG,
            linkCount: linkCount,
            owner: owner,
            group: group,
            permissions: mode & 0o777
        )
        isDirectory = mode & S_IFMT == S_IFDIR
        isLink = mode & S_IFMT == S_IFLNK
    }
}
