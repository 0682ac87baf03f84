internal import Glibc

/// Finds the process that has an open-file-description lock.
///
/// Such a lock belongs to an open file and not to a process, so the system answers "nobody" when it is asked. But each
/// process shows the locks of its open files, to whoever may look.
struct LockHolder {
    private let identity: FileStatus.Identity
    private let range: String

    /// Looks for the lock on the one byte at `offset`.
    init(of identity: FileStatus.Identity, at offset: off_t) {
        self.identity = identity
        range = " \(offset) \(offset)"
    }

    /// The number of the process, or nil if none shows the lock.
    var process: Int32? {
        names(in: "/proc").compactMap { Int32($0) }.first(where: hasLock)
    }

    private func hasLock(_ process: Int32) -> Bool {
        names(in: "/proc/\(process)/fdinfo").contains { descriptor in
            let text = SmallFile.text(at: "/proc/\(process)/fdinfo/\(descriptor)") ?? ""
            guard text.split(separator: "\n").contains(where: isLock) else { return false }
            // The line tells the file too, but by the numbers of the layer below where one file system lies on another.
            // Only files with such a lock are asked: one on a network that is gone would not answer.
            var status = stat()
            guard unsafe stat("/proc/\(process)/fd/\(descriptor)", &status) == 0 else { return false }
            return FileStatus(status).identity == identity
        }
    }

    private func isLock(_ line: Substring) -> Bool {
        line.hasPrefix("lock:") && line.contains("OFDLCK") && line.hasSuffix(range)
    }

    private func names(in path: String) -> [String] {
        guard let directory = try? LinuxDirectory(opening: path) else { return [] }
        return (try? directory.names()) ?? []
    }
}
