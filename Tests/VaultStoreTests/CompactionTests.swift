import Foundation
import TestSupport
import Testing
import VaultFormat
import VaultStore

@Suite("Compaction") struct CompactionTests {
    @Test(.temporaryDirectory) func `a compaction keeps every item, and its order`() throws {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        for number in 0..<200 {
            _ = try sample.store.transaction(durability: .relaxed) { (transaction) throws(StoreError) in
                try transaction.addLogin("account \(number)", "service \(number % 7)", "secret \(number)")
            }
        }
        let before = try sample.store.passwords()
        let report = try sample.store.compact()
        #expect(report.generation == 2)
        #expect(try sample.store.passwords() == before)
        #expect(try sample.reopened().passwords() == before)
        #expect(try sample.store.password("account 5", "service 5") == "secret 5")
        _ = try sample.store.transaction { (transaction) throws(StoreError) in
            try transaction.addLogin("late", "service", "x")
        }
        try sample.store.compact()
        #expect(try sample.reopened().passwords() == before + ["late service x"])
    }
}
