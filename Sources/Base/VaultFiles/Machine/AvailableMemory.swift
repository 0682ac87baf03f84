/// How much memory this process may still allocate.
///
/// Linux grants almost any allocation and kills the process that uses it. So code that is about to use much memory asks
/// here first: the machine has a limit, and each control group of the process may have a smaller one.
package struct AvailableMemory: Sendable {
    private let root: String

    /// The memory of the machine whose files are below `root`: empty for this machine, a directory for a test.
    package init(root: String = "") {
        self.root = root
    }

    /// The smallest amount that the machine and the control groups have left, or nil if none is known.
    ///
    /// A file that cannot be read or parsed is ignored, and the others count.
    package var byteCount: Int? {
        ([machineByteCount] + controlGroups.map(byteCount(in:))).compactMap(\.self).min()
    }

    /// The kernel's estimate of what can be allocated without swapping.
    private var machineByteCount: Int? {
        guard let text = KernelFile.text(at: root + "/proc/meminfo") else { return nil }
        let words = text.lines.first { $0.hasPrefix("MemAvailable:") }?.split(separator: " ") ?? []
        guard words.count == 3, words[2] == "kB", let kibibytes = Self.size(words[1]) else { return nil }
        let (byteCount, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
        return overflow ? nil : byteCount
    }

    // MARK: - Control groups

    /// A directory of one control group, and the names of its files and fields.
    private struct ControlGroup {
        let directory: String
        let limit: String
        let usage: String
        let reclaimable: String
    }

    /// The control groups of the process that may limit its memory, and their ancestors.
    ///
    /// In a container the path may be the host's, of which only the top exists here: missing directories are ignored.
    private var controlGroups: [ControlGroup] {
        let lines = KernelFile.text(at: root + "/proc/self/cgroup")?.lines ?? []
        return lines.flatMap { line -> [ControlGroup] in
            // hierarchy:controllers:path, where version 2 has no controllers, and the path may contain colons.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            if fields[0] == "0", fields[1].isEmpty {
                return directories(of: fields[2], below: "/sys/fs/cgroup").map {
                    ControlGroup(
                        directory: $0,
                        limit: "memory.max",
                        usage: "memory.current",
                        reclaimable: "inactive_file"
                    )
                }
            }
            guard fields[1].split(separator: ",").contains("memory") else { return [] }
            return directories(of: fields[2], below: "/sys/fs/cgroup/memory").map {
                ControlGroup(
                    directory: $0,
                    limit: "memory.limit_in_bytes",
                    usage: "memory.usage_in_bytes",
                    reclaimable: "total_inactive_file"
                )
            }
        }
    }

    /// Returns the directory of the group at `path`, and those of its ancestors.
    private func directories(of path: Substring, below mountPoint: String) -> [String] {
        let names = path.split(separator: "/")
        // A group outside the visible hierarchy is written with "..", and has no directory here.
        guard !names.contains(".."), path.utf8.count <= 4096 else { return [root + mountPoint] }
        return (0...names.count).map { depth in
            root + ([mountPoint] + names.prefix(depth).map(String.init)).joined(separator: "/")
        }
    }

    /// Returns what a control group has left, or nil if it has no limit or does not say.
    private func byteCount(in group: ControlGroup) -> Int? {
        func size(_ name: String) -> Int? {
            KernelFile.text(at: "\(group.directory)/\(name)").flatMap { Self.size($0.lines.first ?? "") }
        }
        guard let limit = size(group.limit), let usage = size(group.usage) else { return nil }
        // The usage includes the file cache, of which the kernel reclaims this part before it refuses memory. Otherwise
        // a container that has read many files would seem full.
        let statistics = KernelFile.text(at: "\(group.directory)/memory.stat")?.lines ?? []
        let words = statistics.lazy.map { $0.split(separator: " ") }.first { $0.first == group.reclaimable[...] }
        let reclaimable = words?.last.flatMap(Self.size) ?? 0
        return max(0, limit - max(0, usage - reclaimable))
    }

    /// Returns the size in `text`, or nil if it is not a number, such as "max".
    private static func size(_ text: Substring) -> Int? {
        guard let size = Int(text), size >= 0 else { return nil }
        return size
    }
}

extension String {
    /// The lines of the text, without their ends.
    fileprivate var lines: [Substring] { split(separator: "\n") }
}
