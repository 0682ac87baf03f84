import Foundation
import TestSupport
import Testing
import VaultFiles
import VaultFormat
import VaultStore

/// What a writer does with the bytes after the last frame that verifies: section 7.
@Suite("The end of the file") struct TailTests {
    /// A vault with three frames, and where each of them ends.
    private func sample() throws -> (sample: StoreSample, bytes: [UInt8], ends: [Int]) {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        var ends: [Int] = []
        for number in 0..<3 {
            try sample.store.add("\(number)", "mail", "x")
            let bytes = try sample.bytes()
            ends.append((bytes.count - bytes.reversed().prefix { $0 == 0 }.count + 63) / 64 * 64)
        }
        return (sample, try sample.bytes(), ends)
    }

    @Test(.temporaryDirectory) func `a torn tail is not read, and the first write cuts and reports it`() throws {
        var (sample, bytes, ends) = try sample()
        bytes.removeSubrange((ends[2] - 64)...)
        try sample.replaceFile(with: bytes)
        let store = try sample.reopened()
        #expect(try store.passwords() == ["0 mail x", "1 mail x"])
        #expect(store.recoveries == [])
        #expect(try sample.bytes() == bytes, "reading writes nothing")
        try store.add("3", "mail", "x")
        #expect(store.recoveries.map(\.offset) == [ends[1]])
        #expect(store.recoveries.map(\.byteCount) == [bytes.count - ends[1]])
        #expect(try store.passwords() == ["0 mail x", "1 mail x", "3 mail x"])
        #expect(try sample.reopened().passwords() == ["0 mail x", "1 mail x", "3 mail x"])
        #expect(try sample.reopened().verify().tail == .clean)
    }

    @Test(.temporaryDirectory) func `a torn tail is cut and synced before anything is appended`() throws {
        let disk = SimulatedDisk(files: ["/home/other": []])
        let sample = try StoreSample(at: "/home/vault.coffer", files: disk, user: 1000)
        try sample.store.add("kim", "mail", "x")
        let end = try #require(disk.content(of: sample.path)).count
        let handle = try disk.locate(sample.path)
        let garbage = [UInt8](repeating: 7, count: 100)
        // After the reserve, where whole units of the medium are zero: an interrupted append.
        try handle.directory.open(handle.name, for: .writing).writeAll(garbage.span, at: end)
        let store = try sample.reopened()
        let calls = disk.callCount
        try store.add("kim", "shop", "x")
        let operations = disk.trace.calls[calls...].map(\.operation)
        let cut = try #require(operations.firstIndex(of: .truncate))
        let sync = try #require(operations[cut...].firstIndex(of: .sync))
        let write = try #require(operations.firstIndex(of: .write))
        #expect(cut < sync && sync < write)
        #expect(store.recoveries.count == 1)
    }

    @Test(.temporaryDirectory) func `a damaged tail makes the vault read-only until its owner discards it`() throws {
        var (sample, bytes, ends) = try sample()
        bytes[ends[2] - 100] ^= 1
        try sample.replaceFile(with: bytes)
        let store = try sample.reopened()
        #expect(try store.passwords() == ["0 mail x", "1 mail x"])
        let error = StoreError.readOnly(.damagedTail(byteCount: bytes.count - ends[1]), path: sample.path)
        #expect(throws: error) { try store.add("3", "mail", "x") }
        #expect(throws: error) { try store.compact() }
        #expect(try sample.bytes() == bytes)
        var options = StoreOptions()
        options.discardsDamagedTail = true
        let discarding = try sample.reopened(options: options)
        #expect(try sample.bytes() == bytes, "opening writes nothing")
        try discarding.add("3", "mail", "x")
        #expect(discarding.recoveries.map(\.offset) == [ends[1]])
        #expect(try sample.reopened().passwords() == ["0 mail x", "1 mail x", "3 mail x"])
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `an altered earlier frame prevents writing, whatever the owner says`(discards: Bool) throws {
        var (sample, bytes, ends) = try sample()
        bytes[ends[1] - 100] ^= 1
        try sample.replaceFile(with: bytes)
        var options = StoreOptions()
        options.discardsDamagedTail = discards
        let store = try sample.reopened(options: options)
        #expect(try store.passwords() == ["0 mail x"])
        let error = StoreError.readOnly(.inconsistent(offset: ends[1], sequence: 3), path: sample.path)
        #expect(throws: error) { try store.add("3", "mail", "x") }
        #expect(throws: error) { try store.compact() }
        #expect(try sample.bytes() == bytes)
    }

    /// The head of a frame shows that there is one, so it is written last.
    @Test(.temporaryDirectory) func `a frame that is being written is read only when it is complete`()
        throws
    {
        let (sample, bytes, ends) = try sample()
        try sample.replaceFile(with: bytes)
        let reader = try sample.reopened()
        #expect(try reader.passwords().count == 3)
        try sample.reopened().add("3", "mail", "x")
        let whole = try sample.bytes()
        // The same file, with half of the last frame.
        let half = ends[2]..<(ends[2] + 256)
        try sample.overwrite([UInt8](repeating: 0, count: half.count), at: half.lowerBound + 256)
        #expect(try reader.passwords().count == 3)
        try sample.overwrite(Array(whole[ends[2]...]), at: ends[2])
        #expect(try reader.passwords().count == 4)
    }
}
