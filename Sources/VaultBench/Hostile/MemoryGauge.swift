import Foundation

/// How much memory a piece of work takes beyond what was there before it.
struct MemoryGauge {
    private let startMebibytes: Double

    /// Begins to measure: gives back what earlier work freed, so that nothing is taken from there unseen, and forgets
    /// the peak so far.
    init() throws {
        Self.giveBack()
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        startMebibytes = try Self.mebibytes("VmHWM")
    }

    /// The peak since then, in MiB: of memory that was touched.
    func grownMebibytes() throws -> Double {
        try Self.mebibytes("VmHWM") - startMebibytes
    }

    /// What the process has in memory now, in MiB.
    static func residentMebibytes() throws -> Double {
        try mebibytes("VmRSS")
    }

    /// Runs `body` in an address space that has room for `mebibytes` more, touched or not.
    ///
    /// An allocation beyond that fails, and ends the process.
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

    /// Gives free memory of the heap back to the system: glibc's `malloc_trim`, which Swift's module of it lacks.
    private static func giveBack() {
        _ = unsafeBitCast(address(of: "malloc_trim"), to: (@convention(c) (Int) -> CInt).self)(0)
    }

    /// Makes the heap keep what is free for whoever asks next, where time is measured and memory by itself: what it costs
    /// to get a page differs between machines by a factor of several.
    static func keepFreeMemory() {
        let setOption = unsafeBitCast(address(of: "mallopt"), to: (@convention(c) (CInt, CInt) -> CInt).self)
        let (trimThreshold, mappingCount) = (CInt(-1), CInt(-4))
        precondition(setOption(trimThreshold, .max) == 1 && setOption(mappingCount, 0) == 1, "mallopt refuses")
    }

    private static func address(of function: String) -> UnsafeMutableRawPointer {
        guard let address = dlsym(nil, function) else { preconditionFailure("there is no \(function)") }
        return address
    }

    private static func mebibytes(_ field: String) throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(field):") }
        let kibibytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) }
        return (kibibytes ?? .infinity) / 1024
    }
}
