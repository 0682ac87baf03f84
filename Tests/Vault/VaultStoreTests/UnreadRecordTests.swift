import Foundation
import KeyedArchive
import Testing
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

/// Records of unknown kinds, or that cannot be parsed: anyone with the keys of a file can fill it with them.
@Suite("Unread records", .temporaryDirectory) struct UnreadRecordTests {
    private let sample: StoreSample

    init() throws {
        sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        try sample.store.transaction { transaction in
            _ = try transaction.addLogin("kim", "mail", "x")
        }
    }

    private static let unknown = Record.unknown(kind: 99, body: [])
    private static let malformed = Record.malformed([2, 0, 0, 0, 0, 0, 0, 0], Fault(.tooShort, at: 0))

    private func services(of store: VaultStore) throws -> [String] {
        try store.read { vault in
            var services: [String] = []
            for group in vault.groupNames.keys {
                for item in try vault.items(in: group) {
                    if let service = try vault.attributes(of: item)["svce"]?.string { services.append(service) }
                }
            }
            return services
        }
    }

    @Test func `compactions carry them until the owner drops them`() throws {
        try sample.append([[Self.unknown, Self.malformed], [Self.unknown]])
        var store = try sample.reopened()
        for _ in 0..<2 {
            let report = try store.compact()
            #expect(report.carriedRecordCount == 3)
            store = try sample.reopened()
            let findings = try store.verify()
            #expect(findings.unknownRecordCount == 2)
            #expect(findings.invalidRecordCount == 1)
            #expect(findings.invalidRecords.map(\.fault) == [.tooShort])
        }
        var request = CompactionRequest()
        request.dropsInvalid = true
        #expect(try store.compact(request).carriedRecordCount == 0)
        let findings = try sample.reopened().verify()
        #expect(findings.isIntact)
        #expect(findings.unknownRecordCount == 0)
        #expect(try services(of: store) == ["mail"])
    }

    @Test func `an invalid put is dropped on request, and what came after it stays`() throws {
        // A put under the key of the item, with boxes that are not its own.
        let items = try sample.store.read { vault in
            var items: [StoredItem] = []
            for group in vault.groupNames.keys { items += try vault.items(in: group) }
            return items
        }
        let item = try #require(items.first)
        let box = [UInt8](repeating: 0, count: 192)
        let revision = Revision(item: item.revision.item, number: 7, salt: 1)
        let origin = Origin(writer: sample.environment.random.shortIdentifier(), place: 1)
        let put = Put(
            revision: revision,
            provenance: Provenance(origin: origin, previousPlace: 0, replacedSalt: 0),
            dataKey: item.dataKey,
            match: box,
            metadata: box,
            secret: []
        )
        try sample.append([[.put(put)]])
        let store = try sample.reopened()
        #expect(try store.verify().invalidRecordCount == 1)
        #expect(try store.compact().carriedRecordCount == 1)
        var request = CompactionRequest()
        request.dropsInvalid = true
        #expect(try store.compact(request).carriedRecordCount == 0)
        #expect(try sample.reopened().verify().isIntact)
        #expect(try services(of: sample.reopened()) == ["mail"])
    }

    @Test func `as many as the limit allows are accepted, and one more is not`() throws {
        let full = [Record](repeating: Self.unknown, count: Limits.transactionRecordCount)
        try sample.append([full, full, full, Array(full.dropLast()), [Self.malformed]])
        #expect(try services(of: sample.reopened()) == ["mail"])
        try sample.append([[Self.unknown]])
        #expect(throws: StoreError.vault(.limitExceeded(.unreadRecords, value: 1_048_577), path: sample.path)) {
            try sample.reopened()
        }
    }

    @Test func `too many unknown records keep a vault from opening, and salvage drops them`() throws {
        let full = [Record](repeating: Self.unknown, count: Limits.transactionRecordCount)
        try sample.append([full, full, full, full, [Self.unknown]])
        let roots = sample.roots
        let findings = try VaultStore.verify(at: sample.path, environment: sample.environment) { _ in roots }
        #expect(findings.unknownRecordCount == 1_048_577)
        #expect(!findings.isIntact)
        #expect(findings.furtherFindings.count == 1)
        let saved = try TemporaryDirectory.current.appending(path: "saved.coffer").path
        let report = try VaultStore.salvage(at: sample.path, to: saved, environment: sample.environment) { _ in roots }
        #expect(report.itemCount == 1)
        let store = try VaultStore.open(at: saved, environment: sample.environment) { _ in roots }
        #expect(try services(of: store) == ["mail"])
        #expect(try store.verify().unknownRecordCount == 0)
    }

    @Test func `a verification lists the first thousand invalid records, and counts the others`() throws {
        try sample.append([[Record](repeating: Self.malformed, count: 1500)])
        let findings = try sample.reopened().verify()
        #expect(findings.invalidRecords.count == 1000)
        #expect(findings.invalidRecordCount == 1500)
        #expect(findings.furtherFindings == ["500 more changes are invalid"])
    }
}
