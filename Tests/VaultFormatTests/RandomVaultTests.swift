import Testing
import VaultCompression
import VaultCrypto
import VaultFormat

/// Writers and readers together: what goes into a vault comes out of it.
@Suite("Random vaults") struct RandomVaultTests {
    @Test(arguments: UInt64(0)..<20) func `equal items come out of a vault`(seed: UInt64) throws {
        let vault = try RandomVault(seed: seed)
        var opening = try vault.opened()
        let contents = try VaultContentsReader.contents(
            of: &opening,
            in: MemorySource(vault.bytes),
            suite: vault.keys.suite,
            compressor: ZlibCompressor()
        )
        #expect(contents.failures == [])
        #expect(contents.tail == .clean)
        #expect(contents.history == vault.history)
        #expect(opening.directory.historySince == vault.historySince)
        #expect(opening.keyring.groupNames == vault.groupNames)
        #expect(Set(contents.items.keys) == Set(vault.items.keys))
        for (name, item) in contents.items {
            #expect(try found(item, opening, vault.keys.suite) == vault.items[name])
        }
    }

    private func found(
        _ item: VaultContents.Item,
        _ opening: VaultOpening<SodiumSuite>,
        _ suite: SodiumSuite
    ) throws -> RandomVault.Expected {
        RandomVault.Expected(
            revision: item.revision,
            protection: item.protection,
            order: item.match.order,
            sequence: item.sequence,
            attributes: try #require(item.attributes),
            secret: try secret(item, opening, suite)
        )
    }

    private func secret(
        _ item: VaultContents.Item,
        _ opening: VaultOpening<SodiumSuite>,
        _ suite: SodiumSuite
    ) throws -> [UInt8]? {
        guard !item.secretBox.isEmpty else { return nil }
        var box = item.secretBox
        var span = box.mutableSpan
        let keys = try DataKeys(try #require(opening.keyring.dataKeys[item.dataKey]), suite: suite)
        let (form, range) = try SecretBox.open(
            &span,
            of: item.revision,
            keys: keys,
            vault: .sample,
            suite: suite
        )
        #expect(form == .data)
        return Array(box[range])
    }

    @Test func `the same seed makes the same vault`() throws {
        #expect(try RandomVault(seed: 3).bytes == RandomVault(seed: 3).bytes)
    }
}
