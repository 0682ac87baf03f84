internal import Glibc

/// Finds the process that has an open-file-description lock.
///
/// Such a lock belongs to an open file and not to a process, so the system answers "nobody" when it is asked. But each
/// process shows the locks of its open files, to whoever may look.
struct LockHolder {
    private let suffix: String
    private let root: String

    init(of identity: FileStatus.Identity, at offset: off_t, root: String = "/proc") {
        let device = identity.device
        // As makedev(3) packs them.
        let major = device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000
        let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
        func hexadecimal(_ number: UInt64) -> String {
            let digits = String(number, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }
        let name = "\(hexadecimal(major)):\(hexadecimal(minor)):\(identity.number)"
        suffix = "\(name) \(offset) \(offset)"
        self.root = root
    }

    /// The number of the process, or nil if none shows the lock.
    var process: Int32? {
        processes.first { process in
            names(in: "\(root)/\(process)/fdinfo").contains { descriptor in
                let text = SmallFile.text(at: "\(root)/\(process)/fdinfo/\(descriptor)") ?? ""
                return text.split(separator: "\n").contains(where: isLock)
            }
        }
    }

    private func isLock(_ line: Substring) -> Bool {
        line.hasPrefix("lock:") && line.contains("OFDLCK") && line.hasSuffix(suffix)
    }

    private var processes: [Int32] {
        names(in: root).compactMap { Int32($0) }
    }

    private func names(in path: String) -> [String] {
        guard let directory = try? LinuxDirectory(opening: path) else { return [] }
        return (try? directory.names()) ?? []
    }
}
