import TestSupport
import Testing
import VaultFiles
import VaultFormat
import VaultStore

/// Changes to a vault that no crash can cause, and that must not be repaired as if one had.
@Suite("Foreign files") struct ForeignFileTests {
    private static let changes: [Change] = [.add("first", "one"), .add("second", "two"), .add("third", "three")]

    /// A vault with three frames, its disk, and the offset of each frame and of the end of the last.
    private func sample(hasAnchor: Bool = false) throws -> (vault: CrashVault, disk: SimulatedDisk, offsets: [Int]) {
        let vault = try CrashVault(hasAnchor: hasAnchor)
        let disk = vault.makeDisk()
        let store = try vault.open(on: disk, seed: "sample")
        var offsets = [try end(disk)]
        for change in Self.changes {
            try store.make([change])
            offsets.append(try end(disk))
        }
        return (vault, disk, offsets)
    }

    /// The offset where the content ends and the zeros begin; all structures are multiples of 64 bytes.
    private func end(_ disk: SimulatedDisk) throws -> Int {
        let bytes = try #require(disk.content(of: CrashVault.path))
        return ((bytes.lastIndex { $0 != 0 } ?? -1) + 64) / 64 * 64
    }

    private func changed(_ disk: SimulatedDisk, at offset: Int) throws -> SimulatedDisk {
        var bytes = try #require(disk.content(of: CrashVault.path))
        bytes[offset] ^= 1
        return SimulatedDisk(files: [CrashVault.path: bytes])
    }

    /// Expects that writes are rejected for a reason, and that the file is left unchanged.
    private func expectRefusal(
        _ vault: CrashVault,
        _ disk: SimulatedDisk,
        _ isExpected: (ReadOnlyReason) -> Bool
    ) throws {
        let before = disk.content(of: CrashVault.path)
        let store = try vault.open(on: disk, seed: "refusing", acceptsRollback: true)
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try store.make([.add("fourth", "four")]) }
            guard case .readOnly(let reason, _) = error else {
                Issue.record("\(error.map { "\($0)" } ?? "no error")")
                continue
            }
            #expect(isExpected(reason), "\(reason)")
        }
        #expect(throws: StoreError.self) { try store.compact() }
        #expect(disk.content(of: CrashVault.path) == before)
    }

    @Test func `a damaged tail may have been acknowledged, and is cut off only on request`() throws {
        let (vault, disk, offsets) = try sample()
        for offset in stride(from: offsets[2], to: offsets[3], by: 97) {
            let changed = try changed(disk, at: offset)
            try expectRefusal(vault, changed) { if case .damagedTail = $0 { true } else { false } }
            let store = try vault.open(on: changed, seed: "deciding", discardsDamagedTail: true)
            try store.make([.add("fourth", "four")])
            #expect(
                try vault.open(on: changed, seed: "after").contents().logins.map(\.account) == [
                    "first", "second", "fourth",
                ]
            )
        }
    }

    @Test func `a damaged frame before the last is never cut off`() throws {
        let (vault, disk, offsets) = try sample()
        for offset in stride(from: offsets[0], to: offsets[2], by: 97) {
            try expectRefusal(vault, try changed(disk, at: offset)) { reason in
                if case .inconsistent = reason { true } else { false }
            }
        }
    }

    @Test func `missing frames that the anchor knows are not taken for an interrupted append`() throws {
        let (vault, disk, offsets) = try sample(hasAnchor: true)
        // As left by a process that truncates files.
        let (directory, name) = try disk.locate(CrashVault.path)
        try directory.open(name, for: .writing).truncate(to: offsets[3] - 64)
        try expectRefusal(vault, disk) { $0 == .anchor(.lostCommit) }
        try directory.open(name, for: .writing).truncate(to: offsets[2])
        try expectRefusal(vault, disk) { $0 == .anchor(.rollback) }
    }

    /// A process with an open vault must not append to a file that has lost its name: the frames would never be found.
    @Test func `a process that waited for the lock of a replaced file writes to the new file under its lock`() throws {
        let (vault, disk, _) = try sample()
        let process = SimulatedProcess(on: disk)
        let slow = try vault.open(on: process, seed: "slow")
        let fast = try vault.open(on: disk, seed: "fast")
        process.interrupt(before: .lock) {
            expectSuccess {
                try fast.compact()
                try fast.make([.add("fast", "four")])
            }
            process.interrupt(before: .write) { #expect(isLocked(disk)) }
        }
        try slow.make([.add("slow", "five")])
        let accounts = ["first", "second", "third", "fast", "slow"]
        for store in [fast, slow, try vault.open(on: disk, seed: "after")] {
            #expect(try store.contents().logins.map(\.account) == accounts)
        }
    }

    @Test func `a compaction leaves a file alone that was replaced meanwhile`() throws {
        let (vault, disk, _) = try sample()
        let process = SimulatedProcess(on: disk)
        let slow = try vault.open(on: process, seed: "slow")
        let fast = try vault.open(on: disk, seed: "fast")
        // The first lock is the one of the new file.
        process.interrupt(before: .lock, number: 2) {
            expectSuccess {
                try fast.compact()
                try fast.make([.add("fast", "four")])
            }
        }
        #expect(throws: StoreError.replacedMeanwhile(path: CrashVault.path)) { try slow.compact() }
        try slow.make([.add("slow", "five")])
        let accounts = ["first", "second", "third", "fast", "slow"]
        for store in [fast, slow, try vault.open(on: disk, seed: "after")] {
            #expect(try store.contents().logins.map(\.account) == accounts)
        }
        #expect(disk.fileNames(in: "/vaults").count == 1)
    }
}

private func expectSuccess(_ body: () throws -> Void) {
    do {
        try body()
    } catch {
        Issue.record("\(error)")
    }
}

/// Whether the file that now has the vault's name is locked.
private func isLocked(_ disk: SimulatedDisk) -> Bool {
    do {
        let (directory, name) = try disk.locate(CrashVault.path)
        return try !directory.open(name, for: .writing).tryLock()
    } catch {
        return false
    }
}
