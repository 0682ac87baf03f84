internal import CCofferLinux
internal import Glibc
internal import VaultFiles

/// Creates files that pass secrets to a program.
enum PrivateFiles {
    /// Creates a file that exists only in memory; nil if the system does not support that.
    static func inMemory(_ name: String, _ bytes: Span<UInt8>, isInherited: Bool) throws(FileError) -> Int32? {
        let kind = UInt32(coffer_MFD_ALLOW_SEALING) | (isInherited ? 0 : UInt32(coffer_MFD_CLOEXEC))
        let descriptor = unsafe memfd_create(name, kind)
        guard descriptor >= 0 else {
            // The kernel is too old, or a filter forbids the call.
            guard errno != ENOSYS, errno != EPERM, errno != EACCES, errno != EINVAL else { return nil }
            throw .last(.create, "the memory file \(name)")
        }
        do throws(FileError) {
            try SystemCall.write(bytes, to: descriptor, called: "the memory file \(name)")
            guard fchmod(descriptor, 0o400) == 0,
                fcntl(descriptor, Int32(coffer_F_ADD_SEALS), Int32(coffer_ALL_SEALS)) == 0
            else { throw .last(.changeAccess, "the memory file \(name)") }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    static func directory(in parents: [String]) throws(FileError) -> (path: String, isInMemory: Bool) {
        for (index, parent) in parents.enumerated() {
            let isInMemory = isInMemory(parent)
            guard isInMemory || index == parents.count - 1 else { continue }
            // In another user's directory, that user could replace the new one.
            do throws(FileError) {
                _ = try LinuxFileSystem().trustedDirectory(parent)
            } catch {
                guard index == parents.count - 1 else { continue }
                throw error
            }
            var path = "\(parent)/coffer.XXXXXX".utf8CString.map { $0 }
            // Its mode is 0700.
            guard unsafe mkdtemp(&path) != nil else {
                guard index == parents.count - 1 else { continue }
                throw .last(.makeDirectory, parent)
            }
            return (String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self), isInMemory)
        }
        throw FileError(.makeDirectory, "a private directory", reason: .notFound)
    }

    static func make(_ path: String, _ bytes: Span<UInt8>) throws(FileError) {
        let (directory, name) = path.directoryAndName
        try LinuxFileSystem().trustedDirectory(directory).create(name).writeAll(bytes, at: 0)
    }

    /// Removes a directory and the files in it, which editors may have added to.
    static func remove(_ path: String) {
        if let directory = try? LinuxFileSystem().trustedDirectory(path) {
            for name in (try? directory.names()) ?? [] { try? directory.remove(name) }
        }
        unsafe _ = rmdir(path)
    }

    private static func isInMemory(_ path: String) -> Bool {
        var system = statfs()
        guard unsafe statfs(path, &system) == 0 else { return false }
        return UInt32(truncatingIfNeeded: system.f_type) == UInt32(coffer_TMPFS_MAGIC)
    }
}
