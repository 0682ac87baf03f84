import TestSupport
import Testing
import VaultFiles

@Suite("Trace") struct TraceTests {
    @Test func `each call is recorded, with the marks in between`() throws {
        let disk = SimulatedDisk(files: ["/v.coffer": []])
        let (root, name) = try disk.locate("/v.coffer")
        let file = try root.open(name, for: .writing)
        #expect(try file.tryLock())
        try file.write("A", 64, at: 0)
        try file.sync()
        disk.mark("A")
        try file.truncate(to: 32)
        _ = try root.create("new")
        try root.rename("new", to: "v.coffer")
        try root.sync()
        disk.mark("B")
        #expect(throws: FileError.self) { try root.remove("new") }
        #expect(
            disk.trace.calls.map(\.description) == [
                "open v.coffer", "open v.coffer", "lock v.coffer", "write 64 bytes at 0 of v.coffer", "sync v.coffer",
                "truncate v.coffer to 32 bytes", "create new", "rename new to v.coffer", "sync the directory /",
                "remove new, which failed",
            ]
        )
        #expect(disk.trace.marks.map(\.call) == [5, 9])
        #expect(disk.trace.labels(upTo: 4) == [])
        #expect(disk.trace.labels(upTo: 5) == ["A"])
        #expect(disk.trace.labels(upTo: 10) == ["A", "B"])
    }

    @Test func `a kill leaves the effects of all calls, synced or not`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        let file = try disk.open("v")
        try file.write("A", 512, at: 0)
        try disk.root.rename("v", to: "w")
        let trace = disk.trace
        #expect(trace.killed(after: 2).makeDisk().picture("/v") == "")
        #expect(trace.killed(after: 3).makeDisk().picture("/v") == "A")
        let last = trace.killed(after: trace.calls.count).makeDisk()
        #expect(last.picture("/w") == "A")
        #expect(last.fileNames(in: "/") == ["w"])
    }

    @Test func `crash points are where the disk changes, and include the marks before the next change`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        let file = try disk.open("v")
        try file.write("A", 512, at: 0)
        try file.sync()
        _ = try file.status()
        disk.mark("A")
        try file.write("B", 512, at: 512)
        let points = Array(disk.trace.crashPoints)
        #expect(points.map(\.call) == [0, 3, 4, 6])
        #expect(points.map(\.lastCall) == [2, 3, 5, 6])
        #expect(points.map(\.labels) == [[], [], ["A"], ["A"]])
        #expect(points.map { $0.killed.makeDisk().picture("/v") } == ["", "A", "A", "AB"])
        #expect(points[1].killed.description == "after call 3 (write 512 bytes at 0 of v): killed")
    }

    @Test func `a crashed disk is a separate disk, all durable and unlocked`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        disk.setPermissions(0o640, of: "/v")
        let file = try disk.open("v")
        #expect(try file.tryLock())
        try file.write("A", 512, at: 0)
        let state = disk.trace.killed(after: disk.callCount)
        let first = state.makeDisk()
        let found = try first.open("v")
        #expect(try found.tryLock())
        #expect(try found.status() == file.status(), "it is the same file")
        try found.write("B", 512, at: 512)
        #expect(first.trace.powerLossStates(after: 0).pictures("/v") == ["A"])
        #expect(first.picture("/v") == "AB")
        #expect(disk.picture("/v") == "A")
        #expect(state.makeDisk().picture("/v") == "A")
    }

    @Test func `overwrites of durable data are found`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 512) + [0, 0, 0, 0], "/anchor": [UInt8]("1", 64)])
        let file = try disk.open("v")
        try file.write("A", 8, at: 512)  // over the reserve
        try file.write("B", 8, at: 512)  // over data that is not durable yet
        try disk.open("anchor").write("B", 64, at: 0)
        try file.truncate(to: 100)
        try file.write("C", 100, at: 100)  // over truncated data
        #expect(disk.trace.overwrites(exceptIn: ["anchor"]) == [])
        #expect(disk.trace.overwrites().map(\.path) == ["/anchor"])
        try file.truncate(to: 300)
        try file.write("C", 100, at: 200)  // over zeros where data was truncated
        try file.write("D", 10, at: 95)
        let found = disk.trace.overwrites(exceptIn: ["anchor"])
        #expect(found.map(\.range) == [95..<105])
        #expect(found.map(\.call) == [disk.callCount])
    }
}
