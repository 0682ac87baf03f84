import Foundation
import TestSupport
import Testing
import VaultFiles

@Suite("Available memory") struct AvailableMemoryTests {
    /// Returns the result for a tree of `files`, texts by path.
    private func byteCount(_ files: [String: String]) throws -> Int? {
        let root = try TemporaryDirectory.current
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        return AvailableMemory(root: root.path).byteCount
    }

    private static let meminfo = "MemTotal: 8000 kB\nMemFree:  10 kB\nMemAvailable:    4000 kB\nBuffers: 1 kB\n"

    // MARK: - The machine

    @Test func `the available memory of this machine is known`() throws {
        #expect(try #require(AvailableMemory().byteCount) > 0)
    }

    @Test(.temporaryDirectory) func `without control groups, the machine's available memory counts`() throws {
        #expect(try byteCount(["proc/meminfo": Self.meminfo]) == 4000 * 1024)
    }

    @Test(.temporaryDirectory) func `without any file nothing is known`() throws {
        #expect(try byteCount([:]) == nil)
    }

    @Test(
        .temporaryDirectory,
        arguments: [
            "", "MemAvailable:", "MemAvailable: kB", "MemAvailable: 4000", "MemAvailable: 4000 MB",
            "MemAvailable: -4000 kB", "MemAvailable: many kB", "MemAvailable: 9223372036854775807 kB",
            "MemAvailable: 99999999999999999999 kB", "SwapMemAvailable: 4000 kB", "\0\u{FFFD}",
        ]
    )
    func `invalid machine figures are ignored`(meminfo: String) throws {
        #expect(try byteCount(["proc/meminfo": meminfo]) == nil)
    }

    @Test(.temporaryDirectory, arguments: [(0, 4000 * 1024 as Int?), (1, nil)])
    func `a file of more than 64 KiB is not read`(excess: Int, expected: Int?) throws {
        let filler = String(repeating: "\n", count: 65_536 + excess - Self.meminfo.utf8.count)
        #expect(try byteCount(["proc/meminfo": Self.meminfo + filler]) == expected)
    }

    // MARK: - Control groups of version 2

    @Test(
        .temporaryDirectory,
        arguments: [
            // The limits of the group, of its parent and of the top, and what they leave.
            (["5000", "max", "max"], 4000), (["max", "3000", "max"], 2000), (["max", "max", "2500"], 1500),
            (["5000", "4000", "3000"], 2000), (["3000", "4000", "5000"], 2000), (["max", "max", "max"], 4_096_000),
            (["9000000", "max", "max"], 4_096_000), (["1000", "max", "max"], 0), (["10", "max", "max"], 0),
        ]
    )
    func `the tightest limit counts`(limits: [String], expected: Int) throws {
        var files = ["proc/meminfo": Self.meminfo, "proc/self/cgroup": "0::/user.slice/a:b.scope\n"]
        for (directory, limit) in zip(["user.slice/a:b.scope/", "user.slice/", ""], limits) {
            files["sys/fs/cgroup/\(directory)memory.max"] = limit + "\n"
            files["sys/fs/cgroup/\(directory)memory.current"] = "1000\n"
        }
        #expect(try byteCount(files) == expected)
    }

    @Test(.temporaryDirectory) func `reclaimable file cache does not count as used`() throws {
        let files = [
            "proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "5000\n",
            "sys/fs/cgroup/a/memory.current": "4900\n",
            "sys/fs/cgroup/a/memory.stat": "anon 7\nactive_file 90\ninactive_file 4000\nslab 5\n",
        ]
        #expect(try byteCount(files) == 4100)
    }

    @Test(.temporaryDirectory, arguments: ["inactive_file", "inactive_file x", "inactive_file -4", "other 4", ""])
    func `invalid statistics free nothing`(statistics: String) throws {
        let files = [
            "proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "5000\n",
            "sys/fs/cgroup/a/memory.current": "4900\n", "sys/fs/cgroup/a/memory.stat": statistics,
        ]
        #expect(try byteCount(files) == 100)
    }

    @Test(.temporaryDirectory, arguments: ["0::/docker/0123\n", "0::/../../other\n", "0::/\n"])
    func `a container that sees the host's path finds its limit at the top`(path: String) throws {
        let files = [
            "proc/self/cgroup": path, "sys/fs/cgroup/memory.max": "5000\n", "sys/fs/cgroup/memory.current": "1000\n",
        ]
        #expect(try byteCount(files) == 4000)
    }

    @Test(.temporaryDirectory) func `a path cannot lead out of the control groups`() throws {
        let files = [
            "proc/self/cgroup": "0::/a/../../escape\n", "sys/fs/escape/memory.max": "5000\n",
            "sys/fs/escape/memory.current": "1000\n", "sys/fs/cgroup/a/memory.max": "max\n",
        ]
        #expect(try byteCount(files) == nil)
    }

    @Test(
        .temporaryDirectory,
        arguments: ["", "0:/a", "0::", "1::/a", "nonsense", "::", "0:x:/a", String(repeating: "0::/a", count: 20_000)]
    )
    func `an invalid list of groups is ignored`(groups: String) throws {
        let files = [
            "proc/meminfo": Self.meminfo, "proc/self/cgroup": groups, "sys/fs/cgroup/a/memory.max": "5000\n",
            "sys/fs/cgroup/a/memory.current": "1000\n",
        ]
        #expect(try byteCount(files) == 4000 * 1024)
    }

    @Test(.temporaryDirectory, arguments: [("5000", "x"), ("x", "1000"), ("", ""), ("-1", "0"), ("5000", "")])
    func `a group with invalid figures is ignored`(limit: String, usage: String) throws {
        let files = [
            "proc/meminfo": Self.meminfo, "proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": limit,
            "sys/fs/cgroup/a/memory.current": usage,
        ]
        #expect(try byteCount(files) == 4000 * 1024)
    }

    // MARK: - Control groups of version 1

    @Test(
        .temporaryDirectory,
        arguments: [
            ("5000", "9223372036854771712", 4000), ("9223372036854771712", "3000", 2000),
            ("9223372036854771712", "9223372036854771712", 4_096_000),
        ]
    )
    func `control groups of version 1 count too`(limit: String, topLimit: String, expected: Int) throws {
        let files = [
            "proc/meminfo": Self.meminfo, "proc/self/cgroup": "5:cpu,cpuacct:/b\n4:hugetlb,memory:/a\n0::/c\n",
            "sys/fs/cgroup/memory/a/memory.limit_in_bytes": limit + "\n",
            "sys/fs/cgroup/memory/a/memory.usage_in_bytes": "2000\n",
            "sys/fs/cgroup/memory/a/memory.stat": "inactive_file 1\ntotal_inactive_file 1000\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": topLimit + "\n",
            "sys/fs/cgroup/memory/memory.usage_in_bytes": "1000\n",
        ]
        #expect(try byteCount(files) == expected)
    }

    @Test(.temporaryDirectory) func `a group of other controllers does not count`() throws {
        let files = [
            "proc/self/cgroup": "4:memory2:/a\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "5000\n",
            "sys/fs/cgroup/memory/a/memory.usage_in_bytes": "1000\n",
        ]
        #expect(try byteCount(files) == nil)
    }
}
