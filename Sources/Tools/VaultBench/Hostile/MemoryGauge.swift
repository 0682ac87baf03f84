import CCofferLinux
import Foundation

/// Measures how much additional memory a piece of work takes.
struct MemoryGauge {
    private let startMebibytes: Double

    /// Starts measuring: releases the memory freed by earlier work, so that reusing it is not overlooked, and resets
    /// the peak.
    init() throws {
        _ = malloc_trim(0)
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        startMebibytes = try Self.mebibytes("VmHWM")
    }

    /// Returns the peak since then of memory that was touched, in MiB.
    func grownMebibytes() throws -> Double {
        try Self.mebibytes("VmHWM") - startMebibytes
    }

    /// Returns the memory that the process uses now, in MiB.
    static func residentMebibytes() throws -> Double {
        try mebibytes("VmRSS")
    }

    /// Runs `body` in an address space that has room for `mebibytes` more, touched or not.
    ///
    /// An allocation beyond that fails and ends the process.
    static func withRoom<Result>(mebibytes room: Double, _ body: () throws -> Result) throws -> Result {
        let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
        var limit = rlimit()
        var isDone = getrlimit(resource, &limit) == 0
        var narrow = limit
        narrow.rlim_cur = rlim_t((try mebibytes("VmSize") + room) * 1_048_576)
        isDone = isDone && setrlimit(resource, &narrow) == 0
        precondition(isDone, "the system does not limit the address space")
        defer { setrlimit(resource, &limit) }
        return try body()
    }

    /// Makes the heap keep free memory for reuse, for runs that measure time and memory separately.
    ///
    /// The cost of getting a page differs between machines by a factor of several.
    static func keepFreeMemory() {
        precondition(mallopt(M_TRIM_THRESHOLD, .max) == 1 && mallopt(M_MMAP_MAX, 0) == 1, "mallopt failed")
    }

    private static func mebibytes(_ field: String) throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(field):") }
        let kibibytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) }
        return (kibibytes ?? .infinity) / 1024
    }
}
