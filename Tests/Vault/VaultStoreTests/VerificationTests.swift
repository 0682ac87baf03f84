import Foundation
import TestSupport
import Testing
import VaultFormat
import VaultStore

@Suite("Verification and salvage") struct VerificationTests {
    /// A compacted vault with 60 items, and a few more in its log.
    private func sample() throws -> StoreSample {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        try sample.store.transaction { transaction in
            for number in 0..<60 {
                _ = try transaction.addLogin("account \(number)", "service", "secret \(number)")
            }
        }
        try sample.store.compact()
        for number in 60..<63 {
            try sample.store.transaction { transaction in
                _ = try transaction.addLogin("account \(number)", "service", "secret \(number)")
            }
        }
        return sample
    }

    @Test(.temporaryDirectory) func `an undamaged vault is intact`() throws {
        let report = try sample().store.verify()
        #expect(report.isIntact)
        #expect(report.itemCount == 63)
        #expect(report.transactionCount == 4)
    }

    @Test(.temporaryDirectory) func `items lost with a damaged block are reported, and the rest is saved`() throws {
        let sample = try sample()
        let url = URL(filePath: sample.path)
        var bytes = [UInt8](try Data(contentsOf: url))
        let section = try sample.store.read { vault in vault.opening.directory.sections[0] }
        let snapshot = try sample.store.read { vault in vault.header.snapshotRange.lowerBound }
        bytes[snapshot + section.offset + section.blocksOffset + 100] ^= 1
        try Data(bytes).write(to: url)

        let report = try VaultStore.verify(at: sample.path, environment: sample.environment) { _ in sample.roots }
        #expect(report.damages.map(\.part) == [.metadataBlock])
        let lost = report.damages[0].items.count
        #expect(lost > 0)
        #expect(report.itemCount == 63 - lost)

        let newPath = try TemporaryDirectory.current.appending(path: "saved.coffer").path
        let saved = try VaultStore.salvage(at: sample.path, to: newPath, environment: sample.environment) { _ in
            sample.roots
        }
        #expect(saved.itemCount == 63 - lost)
        let store = try VaultStore.open(at: newPath, environment: sample.environment) { _ in sample.roots }
        #expect(try store.verify().isIntact)
        #expect(try store.passwords().count == 63 - lost)
        #expect([UInt8](try Data(contentsOf: url)) == bytes)
    }

    // A log record about an item whose place in the snapshot is damaged made the whole vault unreadable.
    @Test(.temporaryDirectory, arguments: ["fence", "digest page", "item page"])
    func `damage to items that have log records is reported, and the rest is saved`(part: String) throws {
        let sample = try sample()
        try sample.store.delete(#require(try sample.store.item("account 1", "service")))
        let changed = try #require(try sample.store.item("account 2", "service"))
        try sample.store.update(changed, "account 2", "service", secret: "changed")
        let url = URL(filePath: sample.path)
        var bytes = [UInt8](try Data(contentsOf: url))
        let section = try sample.store.read { vault in vault.opening.directory.sections[0] }
        let snapshot = try sample.store.read { vault in vault.header.snapshotRange.lowerBound }
        let range =
            switch part {
            case "fence": section.fenceRange
            case "digest page": section.digestPagesRange
            default: section.itemPagesRange
            }
        bytes[snapshot + section.offset + range.lowerBound + 100] ^= 1
        try Data(bytes).write(to: url)

        let report = try VaultStore.verify(at: sample.path, environment: sample.environment) { _ in sample.roots }
        #expect(!report.damages.isEmpty)
        let newPath = try TemporaryDirectory.current.appending(path: "saved.coffer").path
        let saved = try VaultStore.salvage(at: sample.path, to: newPath, environment: sample.environment) { _ in
            sample.roots
        }
        let store = try VaultStore.open(at: newPath, environment: sample.environment) { _ in sample.roots }
        #expect(try store.verify().isIntact)
        let accounts = try store.passwords()
        #expect(accounts.count == saved.itemCount)
        #expect(!accounts.contains { $0.hasPrefix("account 1 ") })
        for number in [2, 60, 61, 62] { #expect(accounts.contains { $0.hasPrefix("account \(number) ") }) }
    }
}
