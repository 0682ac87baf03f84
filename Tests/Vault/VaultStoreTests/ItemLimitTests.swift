import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

@Suite("Number of items") struct ItemLimitTests {
    /// A vault whose directory claims this many items in a group whose keys nobody has.
    ///
    /// The store does not read what it cannot open, so the items need not exist.
    private func sample(itemCount: Int) throws -> StoreSample {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        try sample.store.add("kim", "mail", "x")
        try sample.store.compact()
        let (file, random) = (try sample.bytes(), sample.environment.random)
        let prelude = try VaultPrelude(of: MemorySource(file))
        let opening = try VaultOpening(prelude, roots: sample.roots, random: random)
        let structureKey = try #require(try opening.keyring.structureKey(in: prelude.keybag)).key
        var section = try #require(opening.directory.sections.first { $0.kind == .group })
        let start = prelude.header.snapshotRange.lowerBound + section.offset
        let content = Array(file[start..<start + section.byteCount])
        section.group = GroupEpoch(group: random.shortIdentifier(), epoch: 1)
        section.count = itemCount
        let identity = GenerationIdentity(
            generation: prelude.header.generation + 1,
            baseSequence: prelude.header.baseSequence,
            previousChain: ChainValue(bytes: prelude.header.previousChain)
        )
        var writer = try GenerationWriter(
            identity,
            prelude.keybag,
            sectionCount: 1,
            structureKey: structureKey,
            ownerKey: try #require(opening.ownerKey),
            cipher: opening.keys.cipher,
            to: MemorySink()
        )
        var rest = [content]
        writer.append(copying: section) { rest.popLast() }
        _ = writer.finish()
        try sample.replaceFile(with: writer.sink.bytes)
        return sample
    }

    @Test(.temporaryDirectory) func `a vault accepts a millionth item, and no more until one is deleted`() throws {
        let sample = try sample(itemCount: 999_998)
        let error = StoreError.refused(.limitExceeded(.items, value: 1_000_001))
        #expect(throws: error) {
            try sample.store.transaction { transaction in
                for account in ["a", "b", "c"] { try transaction.addLogin(account, "mail", "x") }
            }
        }
        #expect(try sample.store.passwords() == [], "none of them was added")
        try sample.store.add("a", "mail", "x")
        let last = try sample.store.add("b", "mail", "x")
        for store in [sample.store, try sample.reopened()] {
            #expect(throws: error) { try store.add("c", "mail", "x") }
        }
        try sample.store.transaction { transaction in
            guard let item = try transaction.vault.item(last) else { throw StoreError.noSuchItem(last) }
            try transaction.delete(item)
        }
        try sample.store.add("c", "mail", "x")
        #expect(try sample.reopened().passwords() == ["a mail x", "c mail x"])
    }
}
