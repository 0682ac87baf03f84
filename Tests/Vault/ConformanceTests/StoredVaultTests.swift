import Foundation
import StoreTestSupport
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// The directory for random vaults, if they are to be written: `./dev compare random`.
private let directory = ProcessInfo.processInfo.environment["COFFER_RANDOM_VAULTS"]
private let vaultCount = UInt64(ProcessInfo.processInfo.environment["COFFER_VAULT_COUNT"] ?? "") ?? 12

@Suite("Stored vaults") struct StoredVaultTests {
    @Test func `a vault holds what was put into it`() throws {
        for seed in 0..<vaultCount {
            let vault = try StoredVault(seed: seed)
            let vector = try vault.vector()
            let contents = try VaultSubject(vector.bytes).contents(vector)
            #expect(contents.outcome == "success", "seed \(seed): \(contents.report)")
            var found: [ItemID: RandomContent.Item] = [:]
            for item in contents.items.values {
                found[item.stored.revision.item] = RandomContent.Item(
                    itemClass: item.stored.itemClass,
                    group: item.groupName,
                    protection: item.stored.protection,
                    attributes: try #require(item.attributes).values,
                    secret: item.secret?.bytes
                )
            }
            #expect(found == vault.content.items, "seed \(seed)")
            if let directory {
                let dump = try VaultDump(contents).text()
                let since = try VaultSubject(vector.bytes).opened(vector).directory.historySince
                var header = "expect: success\n\(vault.header)items: \(found.count)\n"
                header += "content: \(unkeyedHash(dump).hexadecimal)\n"
                if since != .beginning { header += "history since: \(since.sequence) \(since.time.microseconds)\n" }
                if let settings = contents.settings { header += "settings: \(settings)\n" }
                try Data(header.utf8 + [0x0A] + vector.bytes).write(
                    to: URL(filePath: directory).appending(path: "stored_\(seed)")
                )
            }
        }
    }
}
