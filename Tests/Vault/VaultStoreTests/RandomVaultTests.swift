import Testing
import StoreTestSupport
import TestSupport
import VaultFormat
import VaultStore

/// Writers and readers together: everything that is written to a vault is read back.
@Suite("Random vaults") struct RandomVaultTests {
    @Test(arguments: UInt64(0)..<20) func `the items of a vault are read back`(seed: UInt64) throws {
        let vault = try RandomVault(seed: seed)
        let opening = try vault.opened()
        let subject = VaultSubject(vault.bytes)
        let contents = try subject.contents { prelude throws(VaultFormatError) in try vault.roots(prelude) }
        #expect(contents.outcome == "success", "\(contents.report)")
        let past = try SnapshotParts(of: vault.bytes, roots: vault.roots(VaultPrelude(of: subject.source))).past
        #expect(past.map { RandomVault.Past(revision: $0.revision, ended: $0.ended) } == vault.history)
        #expect(opening.directory.historySince == vault.historySince)
        #expect(contents.groupNames == vault.groupNames)
        #expect(Set(contents.items.keys) == Set(vault.items.keys))
        for (name, item) in contents.items { #expect(try found(item) == vault.items[name]) }
    }

    private func found(_ item: VaultContents.Item) throws -> RandomVault.Expected {
        let attributes = try #require(item.attributes)
        #expect(item.secret.map { $0.form == .data } ?? true)
        return RandomVault.Expected(
            revision: item.stored.revision,
            protection: item.stored.protection,
            order: item.stored.order,
            sequence: item.stored.written.sequence,
            attributes: attributes,
            secret: item.secret?.bytes
        )
    }

    @Test func `the same seed makes the same vault`() throws {
        #expect(try RandomVault(seed: 3).bytes == RandomVault(seed: 3).bytes)
    }

    @Test func `groups are counted without a key, once over all their epochs and roots`() throws {
        let source = MemorySource(try RandomVault(seed: 1).bytes)
        var groups: [GroupID] = []
        let keybag = try VaultPrelude(of: source).keybag
        for case .matchKey(let entry) in keybag.entries { groups.append(entry.group.group) }
        #expect(try VaultInspection(of: source).groupCount == Set(groups).count)
        #expect(groups.count > Set(groups).count)
    }
}
