import TestSupport
import Testing
import VaultFiles

@Suite("Simulated faults") struct SimulatedFaultTests {
    @Test func `the n-th call fails once`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        disk.inject(SimulatedFault(.failure(.staleHandle), atCall: 3))
        let file = try disk.open("v")
        #expect(throws: FileError(.write, "/v", reason: .staleHandle)) { try file.write("A", 512, at: 0) }
        #expect(disk.content(of: "/v") == [])
        try file.write("A", 512, at: 0)
        #expect(disk.picture("/v") == "A")
    }

    @Test func `the n-th call of an operation fails, and all later ones if the fault is sticky`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        disk.inject(SimulatedFault(.failure(.quotaExceeded), atCall: 2, of: .write, isSticky: true))
        let file = try disk.open("v")
        try file.write("A", 512, at: 0)
        for _ in 0..<2 {
            #expect(throws: FileError(.write, "/v", reason: .quotaExceeded)) { try file.write("B", 512, at: 512) }
        }
        try file.sync()
        disk.removeFaults()
        try file.write("B", 512, at: 512)
        #expect(disk.picture("/v") == "AB")
    }

    @Test func `a fault can limit a call to half of the bytes`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        let file = try disk.open("v")
        disk.inject(SimulatedFault(.half, of: .write))
        #expect(try file.write([1, 2, 3, 4].span, at: 0) == 2)
        #expect(disk.content(of: "/v") == [1, 2])
        disk.inject(SimulatedFault(.half, of: .read))
        var bytes: [UInt8] = [0, 0]
        var span = bytes.mutableSpan
        #expect(try file.read(into: &span, at: 0) == 1)
        #expect(bytes == [1, 0])
        // Reading and writing in a loop transfers all bytes.
        disk.inject(SimulatedFault(.half, of: .write))
        try file.writeAll([5, 6, 7].span, at: 0)
        disk.inject(SimulatedFault(.half, of: .read))
        #expect(try file.bytes(in: 0..<3) == [5, 6, 7])
    }

    @Test func `a write may fail halfway`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        let file = try disk.open("v")
        disk.inject(SimulatedFault(.failureHalfway(.inputOutput), of: .write))
        #expect(throws: FileError(.write, "/v", reason: .inputOutput)) { try file.write("A", 1024, at: 0) }
        #expect(disk.picture("/v") == "A")
        #expect(disk.trace.killed(after: disk.callCount).makeDisk().picture("/v") == "A")
    }

    @Test func `an interrupted call has no effect`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        let file = try disk.open("v")
        disk.inject(SimulatedFault(.failure(.interrupted), of: .write))
        try file.write("A", 512, at: 0)
        #expect(disk.picture("/v") == "A", "writeAll tries again")
        disk.inject(SimulatedFault(.failure(.interrupted), of: .sync))
        #expect(throws: FileError(.sync, "/v", reason: .interrupted)) { try file.sync() }
        try file.sync()
        let states = disk.trace.powerLossStates(after: disk.callCount)
        #expect(states.pictures("/v") == ["A"], "an interrupted sync forgets nothing")
    }

    @Test func `a failed sync is not repaired by another sync`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 512)])
        let file = try disk.open("v")
        try file.write("A", 512, at: 512)
        disk.inject(SimulatedFault(.failure(.inputOutput), of: .sync))
        #expect(throws: FileError(.sync, "/v", reason: .inputOutput)) { try file.sync() }
        #expect(disk.picture("/v") == "1A", "programs still see the write")
        try file.sync()
        #expect(disk.trace.killed(after: disk.callCount).makeDisk().picture("/v") == "1A")
        #expect(disk.trace.powerLossStates(after: disk.callCount).pictures("/v") == ["1", "1A", "1.", "1?"])

        // Later writes become durable, without the forgotten one.
        try file.write("B", 512, at: 1024)
        try file.sync()
        #expect(disk.trace.powerLossStates(after: disk.callCount).pictures("/v") == ["1AB", "1.B", "1?B"])
        // The forgotten data becomes durable when it is written again.
        try file.write("A", 512, at: 512)
        try file.sync()
        #expect(disk.trace.powerLossStates(after: disk.callCount).pictures("/v") == ["1AB"])
    }

    @Test func `a failed sync forgets writes but not the file length`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 1024)])
        let file = try disk.open("v")
        try file.truncate(to: 512)
        disk.inject(SimulatedFault(.failure(.inputOutput), of: .sync))
        #expect(throws: FileError.self) { try file.sync() }
        #expect(disk.trace.powerLossStates(after: disk.callCount).pictures("/v") == ["1", "11"])
        try file.sync()
        #expect(disk.trace.powerLossStates(after: disk.callCount).pictures("/v") == ["1"])
    }

    @Test func `a file can be truncated after a failed sync`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 512)])
        let file = try disk.open("v")
        try file.write("A", 512, at: 512)
        disk.inject(SimulatedFault(.failure(.inputOutput), of: .sync))
        #expect(throws: FileError.self) { try file.sync() }
        try file.truncate(to: 512)
        try file.sync()
        #expect(disk.trace.powerLossStates(after: disk.callCount).pictures("/v") == ["1"])
    }
}
