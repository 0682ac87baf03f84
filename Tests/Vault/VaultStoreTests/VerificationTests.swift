import Foundation
import TestSupport
import Testing
import VaultFormat
@testable import VaultStore

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

    /// Changes a byte of a part of the only section, which `part` chooses.
    private func damage(_ sample: StoreSample, _ part: (SnapshotSection.Reader) -> SectionPart) throws {
        let range = try sample.store.read { vault in
            let section = vault.opening.directory.sections[0]
            let reader = try #require(try vault.withSection(section.group) { $0.reader })
            return vault.opening.fileRange(of: part(reader), in: section)
        }
        try sample.overwrite([try sample.bytes()[range.lowerBound + 30] ^ 1], at: range.lowerBound + 30)
    }

    private func salvaged(_ sample: StoreSample) throws -> (report: SalvageReport, store: VaultStore) {
        let path = try TemporaryDirectory.current.appending(path: "saved.coffer").path
        let report = try VaultStore.salvage(at: sample.path, to: path, environment: sample.environment) { _ in
            sample.roots
        }
        return (report, try VaultStore.open(at: path, environment: sample.environment) { _ in sample.roots })
    }

    @Test(.temporaryDirectory) func `items lost with a damaged leaf are reported, and the rest is saved`() throws {
        let sample = try sample()
        try damage(sample) { $0.fence.leafPart(0, of: .live).page }
        let bytes = try sample.bytes()
        let report = try VaultStore.verify(at: sample.path, environment: sample.environment) { _ in sample.roots }
        #expect(report.damages.map(\.part) == [.leaf(0)])
        // The rest of the 60 items of the snapshot, and those of the log.
        #expect((4..<62).contains(report.itemCount))
        let (saved, store) = try salvaged(sample)
        #expect(saved.itemCount == report.itemCount)
        #expect(try store.verify().isIntact)
        #expect(try store.passwords().count == report.itemCount)
        #expect(try sample.bytes() == bytes)
    }

    @Test(.temporaryDirectory) func `a damaged box costs one item, which is not absent but damaged`() throws {
        let sample = try sample()
        try damage(sample) { $0.fence.leafPart(0, of: .live).boxes }
        let report = try VaultStore.verify(at: sample.path, environment: sample.environment) { _ in sample.roots }
        #expect(report.damages.map(\.part) == [.section])
        #expect(report.invalidItems.count == 1)
        #expect(report.itemCount == 62)
        let (saved, store) = try salvaged(sample)
        #expect(saved.itemCount == 62)
        let again = try store.verify()
        #expect(again.damages.isEmpty)
        #expect(again.invalidItems == report.invalidItems)
        let name = try #require(report.invalidItems.first?.name)
        let item = try #require(try store.read { vault in try vault.item(name) })
        #expect(throws: StoreError.self) { try store.attributes(of: item) }
        try store.delete(item)
        try store.compact()
        #expect(try store.verify().isIntact)
    }

    @Test(.temporaryDirectory) func `the past is not whole after a salvage that lost a leaf of it`() throws {
        let sample = try sample()
        try sample.store.transaction { transaction in
            var settings = Settings()
            settings.historyRevisions = 5
            try transaction.change(settings)
        }
        let item = try #require(try sample.store.item("account 1", "service"))
        try sample.store.update(item, "account 1", "service", secret: "changed")
        try sample.store.compact()
        #expect(try sample.store.read { vault in vault.historySince } == .beginning)
        try damage(sample) { $0.fence.leafPart(0, of: .past).page }
        let report = try VaultStore.verify(at: sample.path, environment: sample.environment) { _ in sample.roots }
        #expect(report.damages.map(\.part) == [.pastLeaf(0)])
        let (saved, store) = try salvaged(sample)
        #expect(saved.itemCount == 63)
        #expect(try store.read { vault in vault.historySince.sequence } == report.transactionCount)
        #expect(try store.read { vault in try vault.revisions(of: item.name) }.count == 1)
    }

    // A log record about an item whose place in the snapshot is damaged made the whole vault unreadable.
    @Test(.temporaryDirectory, arguments: ["fence", "leaf", "id page"])
    func `damage to items that have log records is reported, and the rest is saved`(part: String) throws {
        let sample = try sample()
        try sample.store.delete(#require(try sample.store.item("account 1", "service")))
        let changed = try #require(try sample.store.item("account 2", "service"))
        try sample.store.update(changed, "account 2", "service", secret: "changed")
        try damage(sample) { reader in
            switch part {
            case "fence": reader.section.fence
            case "leaf": reader.fence.leafPart(0, of: .live).page
            default: reader.fence.idPagePart(0)
            }
        }

        let report = try VaultStore.verify(at: sample.path, environment: sample.environment) { _ in sample.roots }
        #expect(!report.damages.isEmpty)
        let (saved, store) = try salvaged(sample)
        #expect(try store.verify().isIntact)
        let accounts = try store.passwords()
        #expect(accounts.count == saved.itemCount)
        #expect(!accounts.contains { $0.hasPrefix("account 1 ") })
        for number in [2, 60, 61, 62] { #expect(accounts.contains { $0.hasPrefix("account \(number) ") }) }
    }
}
