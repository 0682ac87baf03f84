import TestSupport
import Testing
import VaultFiles

@Suite("Power loss, names") struct PowerLossNameTests {
    private func states(_ disk: SimulatedDisk, randomSubsets: Int = 20) -> PowerLossStates {
        disk.trace.powerLossStates(after: disk.callCount, sectors: [512], randomSubsets: randomSubsets)
    }

    @Test func `write, sync and rename without a directory sync leaves either name`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 512)])
        let new = try disk.create("new")
        try disk.root.sync()
        try new.write("A", 1024, at: 0)
        try new.sync()
        try disk.root.rename("new", to: "v")
        #expect(states(disk).pictures(["/v", "/new"]) == [["1", "AA"], ["AA", "none"]])
        try disk.root.sync()
        #expect(states(disk).pictures(["/v", "/new"]) == [["AA", "none"]])
    }

    @Test func `a rename without a file sync may leave an empty or partial file under the new name`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 512)])
        let new = try disk.create("new")
        try disk.root.sync()
        try new.write("A", 1024, at: 0)
        try disk.root.rename("new", to: "v")
        let pictures = states(disk).pictures(["/v", "/new"])
        let contents = ["", "A", "AA", ".A", "A.", "..", "?A", "A?", "??", "?.", ".?"]
        #expect(pictures.isSubset(of: contents.flatMap { [["1", $0], [$0, "none"]] }))
        let required = [
            ["1", ""], ["1", "AA"], ["", "none"], ["A", "none"], ["..", "none"], ["A?", "none"], ["AA", "none"],
        ]
        #expect(states(disk, randomSubsets: 0).pictures(["/v", "/new"]).isSuperset(of: required))
    }

    @Test func `a rename may be lost although a file was synced later`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 512), "/w": []])
        let new = try disk.create("new")
        try new.sync()
        try disk.root.sync()
        try disk.root.rename("new", to: "v")
        let other = try disk.open("w")
        try other.write("B", 512, at: 0)
        try other.sync()
        #expect(states(disk).pictures(["/v", "/w"]) == [["1", "B"], ["", "B"]])
    }

    @Test func `a synced file may have lost its name`() throws {
        let disk = SimulatedDisk()
        let file = try disk.create("v")
        try file.write("A", 512, at: 0)
        try file.sync()
        #expect(states(disk).pictures("/v") == ["none", "A"])
    }

    @Test func `a new file that was not synced may exist without its content`() throws {
        let disk = SimulatedDisk()
        try disk.create("v").write("A", 512, at: 0)
        #expect(states(disk).pictures("/v") == ["none", "", "A", ".", "?"])
    }

    @Test func `names change in order`() throws {
        let disk = SimulatedDisk(files: ["/a": [UInt8]("1", 512)])
        _ = try disk.create("b")
        try disk.root.rename("a", to: "c")
        try disk.root.remove("b")
        let names = Set(states(disk).map { $0.makeDisk().fileNames(in: "/") })
        #expect(names == [["a"], ["a", "b"], ["b", "c"], ["c"]])
    }

    @Test func `a removed file may reappear until the directory is synced`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 512)])
        try disk.root.remove("v")
        #expect(states(disk).pictures("/v") == ["1", "none"])
        try disk.root.sync()
        #expect(states(disk).pictures("/v") == ["none"])
    }

    @Test func `a failed directory sync is not repaired by another sync`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 512)])
        try disk.root.rename("v", to: "w")
        disk.inject(SimulatedFault(.failure(.inputOutput), of: .sync))
        #expect(throws: FileError(.sync, "/", reason: .inputOutput)) { try disk.root.sync() }
        try disk.root.sync()
        #expect(states(disk).pictures(["/v", "/w"]) == [["1", "none"], ["none", "1"]])
        // A later rename becomes durable.
        try disk.root.rename("w", to: "x")
        try disk.root.sync()
        #expect(states(disk).pictures(["/v", "/w", "/x"]) == [["none", "none", "1"]])
    }
}
