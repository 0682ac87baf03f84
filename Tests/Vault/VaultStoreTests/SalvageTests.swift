import Foundation
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// Frames behind a damaged one: vault-format.md, "Salvage".
@Suite("Salvage behind a gap") struct SalvageTests {
    private func options() throws -> StoreOptions {
        var options = StoreOptions()
        options.anchorDirectory = try TemporaryDirectory.current.appending(path: "state/coffer").path
        return options
    }

    private func sample() throws -> StoreSample {
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        return try StoreSample(at: path, options: try options())
    }

    /// Makes a change to the vault, and returns the range of its frame.
    @discardableResult
    private func frame(of sample: StoreSample, _ change: () throws -> Void) throws -> Range<Int> {
        func end() throws -> Int {
            try sample.store.read { vault in vault.position.offset }
        }
        let start = try end()
        try change()
        return start..<(try end())
    }

    private func damage(_ frame: Range<Int>, of sample: StoreSample) throws {
        let offset = frame.lowerBound + FrameHead.byteCount + 10
        try sample.overwrite([try sample.bytes()[offset] ^ 1], at: offset)
    }

    private func salvaged(_ sample: StoreSample) throws -> (report: SalvageReport, store: VaultStore) {
        let path = try TemporaryDirectory.current.appending(path: "saved.coffer").path
        let report = try VaultStore.salvage(
            at: sample.path,
            to: path,
            environment: sample.environment,
            options: try options()
        ) { _ in sample.roots }
        // The anchor judges the new vault too.
        let store = try VaultStore.open(at: path, environment: sample.environment, options: try options()) { _ in
            sample.roots
        }
        return (report, store)
    }

    @Test(.temporaryDirectory) func `one damaged frame costs one change`() throws {
        let sample = try sample()
        var frames: [Range<Int>] = []
        for number in 1...8 {
            frames.append(try frame(of: sample) { try sample.store.add("\(number)", "mail", "x") })
        }
        try damage(frames[4], of: sample)
        let before = try sample.bytes()
        let (report, store) = try salvaged(sample)
        #expect(report.missingTransactions == [5...5])
        #expect(report.itemCount == 7)
        #expect(report.keylessChangeCount == 0)
        #expect(report.staleItems.map(\.second) == ["1", "2", "3", "4"])
        #expect(report.staleItemCount == 4)
        #expect(try store.passwords() == [1, 2, 3, 4, 6, 7, 8].map { "\($0) mail x" })
        #expect(try store.verify().isIntact)
        #expect(try sample.bytes() == before)
    }

    @Test(.temporaryDirectory)
    func `the result can be changed at once, and the anchor then reports the original as older`() throws {
        let sample = try sample()
        try sample.store.add("1", "mail", "x")
        let lost = try frame(of: sample) { try sample.store.add("2", "mail", "x") }
        try damage(lost, of: sample)
        let (report, store) = try salvaged(sample)
        // The head of the last frame, and the anchor, tell of it.
        #expect(report.missingTransactions == [2...2])
        #expect(store.readOnlyReason == nil)
        try store.add("3", "mail", "x")
        #expect(try store.passwords() == ["1 mail x", "3 mail x"])
        #expect(throws: StoreError.self) { try sample.reopened(options: try options()) }
    }

    @Test(.temporaryDirectory) func `transactions that only the anchor knows are reported as missing`() throws {
        let sample = try sample()
        try sample.store.add("1", "mail", "x")
        let lost = try frame(of: sample) {
            try sample.store.add("2", "mail", "x")
            try sample.store.add("3", "mail", "x")
        }
        try sample.overwrite([UInt8](repeating: 0, count: lost.count), at: lost.lowerBound)
        let (report, store) = try salvaged(sample)
        #expect(report.missingTransactions == [2...3])
        #expect(store.readOnlyReason == nil)
        let since = try store.read { vault in vault.opening.directory.historySince.sequence }
        #expect(since == 3, "the past before the gap is incomplete")
    }

    @Test(.temporaryDirectory) func `an item changed behind the gap is current, and one deleted there is gone`() throws
    {
        let sample = try sample()
        for account in ["changed", "deleted", "kept"] { try sample.store.add(account, "mail", "old") }
        let lost = try frame(of: sample) { try sample.store.add("lost", "mail", "x") }
        let changed = try #require(try sample.store.item("changed", "mail"))
        try sample.store.update(changed, "changed", "mail", secret: "new")
        try sample.store.delete(#require(try sample.store.item("deleted", "mail")))
        try damage(lost, of: sample)
        let (report, store) = try salvaged(sample)
        #expect(try store.passwords() == ["changed mail new", "kept mail old"])
        #expect(report.staleItems.map(\.second) == ["kept"])
        #expect(report.staleItems.map(\.group) == ["com.example.app"])
        #expect(report.staleItems.map(\.first) == ["mail"])
    }

    // The put behind the gap replaces a revision that is lost, and names a place of its writer that was never seen.
    @Test(.temporaryDirectory) func `a change to a change in the gap is kept, and so is what was before it`() throws {
        let sample = try sample()
        let first = try sample.store.add("kim", "mail", "first")
        let lost = try frame(of: sample) {
            let item = try #require(try sample.store.item("kim", "mail"))
            try sample.store.update(item, "kim", "mail", secret: "second")
        }
        let item = try #require(try sample.store.item("kim", "mail"))
        try sample.store.update(item, "kim", "mail", secret: "third")
        try damage(lost, of: sample)
        let (report, store) = try salvaged(sample)
        #expect(report.missingTransactions == [2...2])
        #expect(report.staleItemCount == 0)
        #expect(try store.passwords() == ["kim mail third"])
        #expect(try store.item("kim", "mail")?.name == first)
        #expect(try store.verify().isIntact)
    }

    @Test(.temporaryDirectory) func `keys that were lost are reported with the changes that need them`() throws {
        let sample = try sample()
        // The first frame has the keys of the group.
        let first = try frame(of: sample) { try sample.store.add("1", "mail", "x") }
        for number in 2...4 { try sample.store.add("\(number)", "mail", "x") }
        try damage(first, of: sample)
        let (report, store) = try salvaged(sample)
        #expect(report.missingTransactions == [1...1])
        #expect(report.keylessChangeCount == 3)
        #expect(report.itemCount == 0)
        try store.add("5", "mail", "x")
        #expect(try store.passwords() == ["5 mail x"])
    }

    @Test(.temporaryDirectory) func `a frame copied from elsewhere is left out`() throws {
        let sample = try sample()
        var frames: [Range<Int>] = []
        for number in 1...5 {
            frames.append(try frame(of: sample) { try sample.store.add("\(number)", "mail", "x") })
        }
        let item = try #require(try sample.store.item("2", "mail"))
        let last = try frame(of: sample) { try sample.store.update(item, "2", "mail", secret: "changed") }
        // The second frame, in which the item has its old secret, takes the place of the last but one.
        let bytes = try sample.bytes()
        try sample.overwrite(Array(bytes[frames[1]]), at: frames[4].lowerBound)
        #expect(frames[1].count == frames[4].count)
        let (report, store) = try salvaged(sample)
        #expect(report.missingTransactions == [5...5])
        #expect(try store.passwords() == ["1 mail x", "2 mail changed", "3 mail x", "4 mail x"])
        #expect(last.upperBound <= bytes.count)
    }

    @Test(.temporaryDirectory) func `a frame that was doubled costs nothing`() throws {
        let sample = try sample()
        var frames: [Range<Int>] = []
        for number in 1...4 {
            frames.append(try frame(of: sample) { try sample.store.add("\(number)", "mail", "x") })
        }
        let bytes = try sample.bytes()
        try sample.replaceFile(with: Array(bytes[..<frames[1].upperBound] + bytes[frames[1].lowerBound...]))
        let (report, store) = try salvaged(sample)
        #expect(report.missingTransactions.isEmpty)
        #expect(try store.passwords() == [1, 2, 3, 4].map { "\($0) mail x" })
        #expect(try store.verify().isIntact)
    }

    /// Fuzzing found that a salvage took over a change from another copy of the vault, although nothing was missing.
    @Test(.temporaryDirectory) func `the next frame of another history is left out`() throws {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        try sample.store.add("1", "mail", "x")
        let common = try sample.bytes()
        try sample.store.add("2", "mail", "x")
        let bytes = try sample.bytes()
        let end = try sample.store.read { vault in vault.position.offset }
        try sample.replaceFile(with: common)
        let copy = try sample.reopened()
        try copy.add("other 2", "mail", "x")
        let start = try copy.read { vault in vault.position.offset }
        try copy.add("other 3", "mail", "x")
        try sample.replaceFile(with: Array(bytes[..<end] + sample.bytes()[start...]))
        #expect(start == end)
        let (report, store) = try salvaged(sample)
        #expect(report.missingTransactions == [3...3])
        #expect(try store.passwords() == ["1 mail x", "2 mail x"])
    }

    @Test(.temporaryDirectory) func `frames behind a gap that do not follow each other are separate runs`() throws {
        let sample = try sample()
        var frames: [Range<Int>] = []
        for number in 1...9 {
            frames.append(try frame(of: sample) { try sample.store.add("\(number)", "mail", "x") })
        }
        for number in [2, 4, 5] { try damage(frames[number], of: sample) }
        try damage(frames[8], of: sample)
        let (report, store) = try salvaged(sample)
        #expect(report.missingTransactions == [3...3, 5...6, 9...9])
        #expect(try store.passwords() == [1, 2, 4, 7, 8].map { "\($0) mail x" })
        #expect(report.staleItemCount == 5)
    }

    @Test(.temporaryDirectory) func `reading for use and a verification end at the first damaged frame`() throws {
        let sample = try sample()
        try sample.store.add("1", "mail", "x")
        let lost = try frame(of: sample) { try sample.store.add("2", "mail", "x") }
        try sample.store.add("3", "mail", "x")
        try damage(lost, of: sample)
        #expect(try sample.reopened().passwords() == ["1 mail x"])
        let report = try VaultStore.verify(at: sample.path, environment: sample.environment) { _ in sample.roots }
        #expect(report.itemCount == 1)
        #expect(report.tail == .inconsistent(offset: lost.upperBound, sequence: 3))
    }
}
