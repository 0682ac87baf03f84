import TestSupport
import Testing
import VaultFiles

@Suite("Power loss, content") struct PowerLossTests {
    private func states(_ disk: SimulatedDisk, sectors: [Int] = [512]) -> PowerLossStates {
        disk.trace.powerLossStates(after: disk.callCount, sectors: sectors, randomSubsets: 0)
    }

    @Test func `two writes of two sectors leave exactly these states`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 512)])
        let file = try disk.open("v")
        try file.write("A", 1024, at: 512)
        try file.write("B", 1024, at: 1536)

        let states = states(disk)
        #expect(
            states.pictures("/v") == [
                "1", "1AA", "1AABB",  // none, the first, all
                "1..BB",  // the first lost
                "1.ABB", "1?ABB", "1A.BB", "1A?BB", "1AA.B", "1AA?B", "1AAB.", "1AAB?",  // a sector dropped
                "1AA..", "1....",  // only the length
                "1A", "1AAB",  // cut
            ]
        )
        #expect(states.count == 17, "losing the first write and keeping only its length look the same")
    }

    @Test func `synced content stays`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        let file = try disk.open("v")
        try file.write("A", 1024, at: 0)
        try file.sync()
        #expect(states(disk).pictures("/v") == ["AA"])
        #expect(states(disk).count == 1)
    }

    @Test func `the states before and after a sync differ`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        let file = try disk.open("v")
        try file.write("A", 512, at: 0)
        let write = disk.callCount
        try file.sync()
        let trace = disk.trace
        #expect(trace.powerLossStates(after: write - 1).pictures("/v") == [""])
        #expect(trace.powerLossStates(after: write).pictures("/v") == ["", "A", ".", "?"])
        #expect(trace.powerLossStates(after: write + 1).pictures("/v") == ["A"])
    }

    @Test func `a dropped sector that was written before has its old content`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 512) + [UInt8](repeating: 0, count: 1024)])
        try disk.open("v").write("A", 1024, at: 512)
        #expect(states(disk).pictures("/v") == ["1..", "1AA", "1.A", "1A."])
    }

    @Test func `a sector that was never written may show stale content, even in a reserve`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 512)])
        let file = try disk.open("v")
        try file.truncate(to: 1024)
        try file.sync()
        try file.write("A", 512, at: 512)
        #expect(states(disk).pictures("/v") == ["1.", "1A", "1?"])
    }

    @Test func `a sector that received a write has all earlier writes too`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        let file = try disk.open("v")
        try file.write("A", 256, at: 0)
        try file.write("B", 256, at: 256)
        #expect(states(disk).pictures("/v", by: 256) == ["", "A", "AB", "A.", ".."])
        #expect(states(disk).count == 5, "a sector included in the second write cannot be dropped from the first")
    }

    @Test func `sectors of a lost write survive in a later write that includes them`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        let file = try disk.open("v")
        try file.write("A", 768, at: 0)
        try file.write("B", 256, at: 768)
        let pictures = states(disk).pictures("/v", by: 256)
        #expect(pictures == ["", "AAA", "AAAB", "..AB", "??AB", "AAA.", "AA", "...."])
    }

    @Test func `large sectors are dropped as a whole, aligned to the file`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 3584)])
        try disk.open("v").write("A", 1024, at: 3584)
        let pictures = states(disk, sectors: [4096]).pictures("/v")
        #expect(pictures == ["1111111", "1111111AA", "1111111A", "1111111.A", "1111111A.", "1111111A?", "1111111.."])
    }

    @Test func `a truncation either reaches the disk or does not`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 1024)])
        let file = try disk.open("v")
        try file.truncate(to: 512)
        #expect(states(disk).pictures("/v") == ["11", "1"])
        try file.sync()
        #expect(states(disk).pictures("/v") == ["1"])
    }

    @Test func `a write may reach the disk without the truncation before it`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 2048)])
        let file = try disk.open("v")
        try file.truncate(to: 512)
        try file.write("A", 512, at: 512)
        #expect(states(disk).pictures("/v") == ["1111", "1", "1A", "1A11", "1.", "1?"])
    }

    @Test func `the rest of a sector after a truncation is zeros, even if the truncation is lost`() throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 1024)])
        let file = try disk.open("v")
        try file.truncate(to: 256)
        try file.write("A", 128, at: 256)
        #expect(states(disk).pictures("/v", by: 128) == ["11111111", "11", "11A", "11A.1111", "11."])
    }

    @Test(arguments: UInt64(0)..<20)
    func `random subsets hold only written data and depend only on the seed`(seed: UInt64) throws {
        let disk = SimulatedDisk(files: ["/v": [UInt8]("1", 512)])
        let file = try disk.open("v")
        try file.write("A", 1024, at: 512)
        try file.write("B", 1024, at: 1536)
        let states = disk.trace.powerLossStates(after: disk.callCount, randomSubsets: 50, seed: seed)
        let pictures = states.map { $0.makeDisk().picture("/v") ?? "none" }
        let again = disk.trace.powerLossStates(after: disk.callCount, randomSubsets: 50, seed: seed)
        #expect(pictures == again.map { $0.makeDisk().picture("/v") ?? "none" })
        for picture in pictures {
            #expect(picture.wholeMatch(of: /1([A.?]([A.?]([B.?][B.?]?)?)?)?/) != nil, "\(picture)")
        }
        #expect(Set(pictures).count > 20)
    }

    @Test func `each state describes what happened`() throws {
        let disk = SimulatedDisk(files: ["/v.coffer": [UInt8]("1", 512)])
        try disk.open("v.coffer").write("A", 1024, at: 512)
        let descriptions = states(disk).map(\.description)
        #expect(
            descriptions == [
                "after call 3 (write 1024 bytes at 512 of v.coffer): "
                    + "0 of 1 writes and 0 of 0 name changes reached the disk",
                "after call 3 (write 1024 bytes at 512 of v.coffer): "
                    + "1 of 1 writes and 0 of 0 name changes reached the disk",
            ]
                + [(1, "zero-filled"), (1, "stale"), (2, "zero-filled"), (2, "stale")].map { sector, fill in
                    "after call 3 (write 1024 bytes at 512 of v.coffer): sector \(sector) (of 512 bytes) of "
                        + "call 3 (write 1024 bytes at 512 of v.coffer) dropped, "
                        + (fill == "stale" ? "with stale content" : fill)
                } + [
                    "after call 3 (write 1024 bytes at 512 of v.coffer): "
                        + "call 3 (write 1024 bytes at 512 of v.coffer) extended the file but wrote nothing",
                    "after call 3 (write 1024 bytes at 512 of v.coffer): call 3 (write 1024 bytes at 512 of v.coffer) "
                        + "was cut at 1024; everything later was lost, except for 0 of 0 name changes",
                ]
        )
    }
}
