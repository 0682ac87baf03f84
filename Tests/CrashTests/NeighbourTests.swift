import TestSupport
import Testing
import VaultFiles
import VaultStore

/// What a process that has a vault open notices of others that were stopped, or that it could not read.
@Suite("Neighbours") struct NeighbourTests {
    /// A writer that knew that nothing followed its log did not look again when another one was killed in the middle of
    /// a write: its next frame was written over the beginning of that one, and the rest looked like damage.
    @Test func `what a killed process has left is cut before the next append`() throws {
        let vault = try CrashVault(hasAnchor: false)
        let disk = vault.makeDisk()
        let survivor = try vault.open(on: disk, seed: "survivor")
        try survivor.make([.add("first", "one")])
        try killWriter(of: vault, on: disk)
        #expect(try survivor.contents().logins.count == 1)
        try survivor.make([.add("second", "two")])
        #expect(survivor.recoveries.count == 1)
        let next = try vault.open(on: disk, seed: "next")
        try next.make([.add("third", "three")])
        #expect(next.recoveries.isEmpty)
        #expect(try next.contents().logins.map(\.account) == ["first", "second", "third"])
    }

    /// After it had cut off what a killed process had left, a writer took the frames before for its own: it took them back
    /// when the sync of its next one failed, though they had been acknowledged.
    @Test(arguments: 1...3) func `a failed sync takes back nothing that others have saved`(sync: Int) throws {
        let vault = try CrashVault(hasAnchor: false)
        let disk = vault.makeDisk()
        let survivor = try vault.open(on: disk, seed: "survivor")
        try survivor.make([.add("first", "one")])
        try vault.open(on: disk, seed: "neighbour").make([.add("second", "two")])
        try killWriter(of: vault, on: disk)
        disk.inject(SimulatedFault(.failure(.inputOutput), atCall: sync, of: .sync))
        try? survivor.make([.add("third", "three")])
        disk.removeFaults()
        let next = try vault.open(on: disk, seed: "next").contents().logins.map(\.account)
        #expect(next.starts(with: ["first", "second"]))
    }

    /// Adds something in a process that is killed halfway through its first write.
    private func killWriter(of vault: CrashVault, on disk: SimulatedDisk) throws {
        let process = SimulatedProcess(on: disk)
        let change = Change.add("long", String(repeating: "long ", count: 2000))
        let store = try vault.open(on: process, seed: "victim")
        process.dieInNextWrite()
        #expect(throws: StoreError.self) { try store.make([change]) }
        #expect(process.isDead)
    }

    /// A reader that failed while it read what others had appended took that for read, and never showed it.
    @Test(arguments: 1...8) func `what could not be read is read later`(call: Int) throws {
        let vault = try CrashVault(hasAnchor: false)
        let disk = vault.makeDisk()
        let writer = try vault.open(on: disk, seed: "writer")
        try writer.make([.add("first", "one")])
        try writer.compact()
        let reader = try vault.open(on: disk, seed: "reader")
        for number in 0..<3 { try writer.make([.update("first", "\(number)"), .add("account \(number)", "new")]) }
        disk.inject(SimulatedFault(.failure(.inputOutput), atCall: call))
        _ = try? reader.contents()
        disk.removeFaults()
        #expect(try reader.contents() == writer.contents())
        try reader.make([.update("account 2", "newer")])
        #expect(try reader.contents() == vault.open(on: disk, seed: "next").contents())
    }

    /// Who was killed between giving the new file its name and syncing the directory left others a file that the next
    /// power failure replaced by the old one, with all that they had appended meanwhile.
    @Test func `who appends to a file that was replaced sees to it that it keeps its name`() throws {
        let vault = try CrashVault(hasAnchor: false)
        let disk = vault.makeDisk()
        let files = SimulatedProcess(on: disk, habit: .skipsDirectorySyncs)
        try vault.open(on: files, seed: "careless").compact()
        try vault.open(on: disk, seed: "next").make([.add("first", "one")])
        for state in disk.trace.powerLossStates(after: disk.callCount) {
            #expect(try vault.open(on: state.makeDisk(), seed: "last").contents().logins.count == 1, "\(state)")
        }
    }
}
