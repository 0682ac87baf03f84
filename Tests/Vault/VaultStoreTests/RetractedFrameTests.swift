import TestSupport
import Testing
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Frames that are taken back") struct RetractedFrameTests {
    private let disk = SimulatedDisk(files: ["/home/other": []])

    private func add(_ account: String, to store: VaultStore, _ durability: Durability = .full) throws {
        try store.transaction(durability: durability) { transaction in
            _ = try transaction.addLogin(account, "service", "secret")
        }
    }

    // A compaction compared the number of the last transaction that it had read with that in the file, but not which
    // transaction it was. If another process had taken its last frame back and written another one, the new file had
    // the change that failed, and the one that was acknowledged was gone.
    @Test func `a compaction neither brings back a failed change nor loses its successor`() throws {
        let sample = try StoreSample(at: "/home/vault.coffer", files: disk, time: ManualTime(), user: 1000)
        let other = try sample.reopened()
        try add("first", to: other)
        try add("not durable", to: other, .relaxed)
        #expect(try sample.store.passwords().count == 2)

        var failure: StoreError?
        try sample.store.compact { _ in
            guard failure == nil else { return true }
            disk.inject(SimulatedFault(.failure(.inputOutput), of: .sync))
            do {
                try add("fails", to: other)
            } catch {
                failure = error as? StoreError
            }
            disk.removeFaults()
            do {
                try add("durable", to: other)
            } catch {
                Issue.record("\(error)")
            }
            return true
        }
        guard case .syncFailed = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
        let expected = ["first service secret", "durable service secret"]
        #expect(try sample.store.passwords() == expected)
        #expect(try other.passwords() == expected)
        #expect(try sample.reopened().passwords() == expected)
        #expect(disk.fileNames(in: "/home").sorted() == ["other", "vault.coffer"])
    }

    @Test func `a second process sees them disappear`() throws {
        let sample = try StoreSample(at: "/home/vault.coffer", files: disk, time: ManualTime(), user: 1000)
        let other = try sample.reopened()
        try add("first", to: other)
        try add("not durable", to: other, .relaxed)
        #expect(try sample.store.passwords().count == 2)
        disk.inject(SimulatedFault(.failure(.inputOutput), of: .sync))
        #expect(throws: StoreError.self) { try add("fails", to: other) }
        disk.removeFaults()
        #expect(try sample.store.passwords() == ["first service secret"])
        #expect(try other.passwords() == ["first service secret"])
    }
}
