internal import Glibc

/// Finds the process that holds an open-file-description lock.
///
/// Such a lock belongs to an open file rather than to a process, so the kernel names no process when asked. But the
/// `fdinfo` files of each process list the locks of its open files, to those who may read them.
struct LockHolder {
    private let identity: FileStatus.Identity
    private let range: String

    /// Looks for the lock on the single byte at `offset`.
    init(of identity: FileStatus.Identity, at offset: off_t) {
        self.identity = identity
        range = " \(offset) \(offset)"
    }

    /// The id of the process, or nil if no process shows the lock.
    var process: Int32? {
        names(in: "/proc").compactMap { Int32($0) }.first(where: hasLock)
    }

    private func hasLock(_ process: Int32) -> Bool {
        names(in: "/proc/\(process)/fdinfo").contains { descriptor in
            let text = KernelFile.text(at: "/proc/\(process)/fdinfo/\(descriptor)") ?? ""
            guard text.split(separator: "\n").contains(where: isLock) else { return false }
            // The line names the file too, but by the numbers of the lower layer where one file system is stacked on
            // another. Only files with such a lock are queried, since a file on an unreachable network share would not
            // answer.
            var status = stat()
            guard unsafe stat("/proc/\(process)/fd/\(descriptor)", &status) == 0 else { return false }
            return FileStatus(status).identity == identity
        }
    }

    private func isLock(_ line: Substring) -> Bool {
        line.hasPrefix("lock:") && line.split(separator: " ").contains("OFDLCK") && line.hasSuffix(range)
    }

    private func names(in path: String) -> [String] {
        guard let directory = try? LinuxDirectory(opening: path) else { return [] }
        return (try? directory.names()) ?? []
    }
}
