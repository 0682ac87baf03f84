import TestSupport
import Testing
import VaultFiles
import VaultStore

/// What a process with an open vault notices of others that were stopped or that it could not read.
@Suite("Neighbors") struct NeighbourTests {
    /// A writer that knew that nothing followed its log checks again after another process was killed.
    ///
    /// It once did not, when the other process was killed in the middle of a write. Its next frame overwrote the beginning of the other one, and the rest looked like damage.
    @Test func `the remains of a killed process are cut off before the next append`() throws {
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

    /// After cutting off the remains of a killed process, a writer took the frames before them for its own: when its
    /// next sync failed, it retracted them although they had been acknowledged.
    @Test(arguments: 1...3) func `a failed sync does not retract other processes' frames`(sync: Int) throws {
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

    /// Adds an item in a process that is killed halfway through its first write.
    private func killWriter(of vault: CrashVault, on disk: SimulatedDisk) throws {
        let process = SimulatedProcess(on: disk)
        let change = Change.add("long", String(repeating: "long ", count: 2000))
        let store = try vault.open(on: process, seed: "victim")
        process.dieInNextWrite()
        #expect(throws: StoreError.self) { try store.make([change]) }
        #expect(process.isDead)
    }

    /// A reader that failed while reading frames of other processes treated them as read, and never showed them.
    @Test(arguments: 1...30) func `frames that could not be read are read later`(call: Int) throws {
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

    /// A frame says which frames before it are durable.
    ///
    /// If it names frames that a neighbor has not synced, a power failure that loses them leaves a file that looks as
    /// if frames had been removed.
    @Test func `a neighbor's unsynced frames are synced before the next frame is written`() throws {
        let vault = try CrashVault(hasAnchor: false)
        let disk = vault.makeDisk()
        try vault.open(on: disk, seed: "hasty").make([.add("first", "one")], durability: .relaxed)
        try vault.open(on: disk, seed: "next").make([.add("second", "two")])
        try expectPrefix(["first", "second"], in: vault, disk)
    }

    /// A frame written over the remains of a killed process, before they are erased from disk, may be mixed with them.
    @Test func `the remains of a killed process are erased from disk before the next frame is written`() throws {
        let vault = try CrashVault(hasAnchor: false)
        let disk = vault.makeDisk()
        try vault.open(on: disk, seed: "first").make([.add("first", "one")])
        try killWriter(of: vault, on: disk)
        let callCount = disk.callCount
        try vault.open(on: disk, seed: "next").make([.add("second", "two")])
        try expectSyncedCut(disk, after: callCount)
        try expectPrefix(["first", "second"], in: vault, disk)
    }

    /// The same if the write failed and its process goes on.
    @Test func `the remains of a failed write are erased from disk before the next frame is written`() throws {
        let vault = try CrashVault(hasAnchor: false)
        let disk = vault.makeDisk()
        let store = try vault.open(on: disk, seed: "first")
        try store.make([.add("first", "one")])
        disk.inject(SimulatedFault(.failureHalfway(.diskFull), of: .write))
        #expect(throws: StoreError.self) { try store.make([.add("second", String(repeating: "long ", count: 2000))]) }
        try store.make([.add("third", "three")])
        let failed = try #require(disk.trace.calls.firstIndex { $0.failure == .diskFull })
        try expectSyncedCut(disk, after: failed + 1)
        try expectPrefix(["first", "third"], in: vault, disk)
    }

    /// A failed write that could not be undone was reported as if nothing had been written, although the whole frame
    /// may be there and only the zeros after it may be missing.
    @Test func `a failed write that cannot be undone is not reported as having written nothing`() throws {
        let vault = try CrashVault(hasAnchor: false)
        let disk = vault.makeDisk()
        let store = try vault.open(on: disk, seed: "first")
        disk.inject(SimulatedFault(.failureHalfway(.inputOutput), of: .write))
        disk.inject(SimulatedFault(.failure(.inputOutput), of: .truncate))
        let failure = FileError(.write, CrashVault.path, reason: .inputOutput)
        #expect(throws: StoreError.syncFailed(failure)) { try store.make([.add("first", "one")]) }
        #expect(throws: StoreError.readOnly(.syncFailed(failure), path: CrashVault.path)) {
            try store.make([.add("second", "two")])
        }
        try store.compact()
        try store.make([.add("second", "two")])
        #expect(try vault.open(on: disk, seed: "last").contents().logins.map(\.account) == ["second"])
    }

    /// Expects that after `callCount` calls the file is truncated, then synced, then written.
    private func expectSyncedCut(_ disk: SimulatedDisk, after callCount: Int) throws {
        let calls = disk.trace.calls[callCount...]
        let cut = try #require(calls.firstIndex { $0.operation == .truncate })
        let write = try #require(calls.firstIndex { $0.operation == .write })
        #expect(calls[cut..<write].contains { $0.operation == .sync && $0.path == CrashVault.path })
    }

    /// Expects that after a power failure at any point the vault holds the first of `accounts` and is writable.
    private func expectPrefix(_ accounts: [String], in vault: CrashVault, _ disk: SimulatedDisk) throws {
        for point in disk.trace.crashPoints {
            for state in point.powerLossStates() {
                let store = try vault.open(on: state.makeDisk(), seed: "last", discardsDamagedTail: true)
                #expect(try accounts.starts(with: store.contents().logins.map(\.account)), "\(state)")
                #expect(throws: Never.self, "\(state)") { try store.make([.add("last", "three")]) }
            }
        }
    }

    /// A process that was killed between renaming the new file and syncing the directory left others a file that the
    /// next power failure replaced by the old one, losing everything that they had appended meanwhile.
    @Test func `a process that appends to a replaced file makes its name durable`() throws {
        let vault = try CrashVault(hasAnchor: false)
        let disk = vault.makeDisk()
        let files = SimulatedProcess(on: disk, syncMistake: .skipsDirectorySyncs)
        try vault.open(on: files, seed: "careless").compact()
        try vault.open(on: disk, seed: "next").make([.add("first", "one")])
        for state in disk.trace.powerLossStates(after: disk.callCount) {
            #expect(try vault.open(on: state.makeDisk(), seed: "last").contents().logins.count == 1, "\(state)")
        }
    }
}
