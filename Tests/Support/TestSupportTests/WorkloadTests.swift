import TestSupport
import Testing
import VaultFiles

/// The test kit in typical use: a log that appends, synced or not, and a reader that knows what it must find.
@Suite("Workload") struct WorkloadTests {
    private static let entryByteCount = 640

    /// Appends entries of one letter each, and marks each one when it is safe.
    private func append(_ letters: String, to disk: SimulatedDisk, isSyncing: Bool = true) throws {
        let (root, name) = try disk.locate("/log")
        let file = try root.open(name, for: .writing)
        var end = try file.status().byteCount
        for letter in letters {
            try file.write(letter, Self.entryByteCount, at: end)
            if isSyncing { try file.sync() }
            disk.mark(String(letter))
            end += Self.entryByteCount
        }
    }

    /// Returns the complete entries up to the first incomplete one.
    private func entries(_ disk: SimulatedDisk) throws -> [String] {
        let (root, name) = try disk.locate("/log")
        let file = try root.open(name, for: .reading)
        var entries: [String] = []
        while true {
            let start = entries.count * Self.entryByteCount
            let bytes = try file.bytes(in: start..<start + Self.entryByteCount)
            guard bytes.count == Self.entryByteCount, let first = bytes.first, first != 0,
                bytes.allSatisfy({ $0 == first })
            else { return entries }
            entries.append(String(UnicodeScalar(first)))
        }
    }

    private func losses(_ disk: SimulatedDisk) throws -> [String] {
        var losses: [String] = []
        for point in disk.trace.crashPoints {
            for state in [point.killed] + point.powerLossStates(seed: 1) {
                let found = try entries(state.makeDisk())
                if !found.starts(with: point.labels) || found.count > point.labels.count + 1 {
                    losses.append("\(state): found \(found), acknowledged \(point.labels)")
                }
            }
        }
        return losses
    }

    @Test func `a log that syncs loses no acknowledged entry`() throws {
        let disk = SimulatedDisk(files: ["/log": []])
        try append("ABCDEFGH", to: disk)
        #expect(try losses(disk) == [])
        #expect(disk.trace.overwrites() == [])
    }

    @Test func `a log that does not sync is detected`() throws {
        let disk = SimulatedDisk(files: ["/log": []])
        try append("ABC", to: disk, isSyncing: false)
        #expect(try !losses(disk).isEmpty)
    }
}
