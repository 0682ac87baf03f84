import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Section 8.5: the tag that authenticates a delete.
@Suite("Delete") struct DeleteTests {
    private let sample: ItemSample
    private let delete: Delete

    init() throws {
        sample = try ItemSample()
        delete = Delete(ending: sample.revision(), group: sample.group, keys: sample.match)
    }

    private func isAuthentic(_ delete: Delete) -> Bool { delete.isAuthentic(keys: sample.match) }

    @Test func `the tag covers the vault and the 48 bytes before it`() {
        let revision = delete.revision
        let bytes =
            revision.item.bytes + littleEndian(revision.number) + littleEndian(revision.salt)
            + sample.group.group.bytes + littleEndian(sample.group.epoch) + [0, 0, 0, 0]
        #expect(bytes.count == 48)
        let tag = sample.match.delete.hash(32, .delete, VaultID.sample.bytes + bytes)
        #expect(delete.tag == tag)
        #expect(isAuthentic(delete))
        #expect(Record.delete(delete).encoded == [2, 0, 0, 0, 80, 0, 0, 0] + bytes + tag)
    }

    @Test func `any change is detected`() {
        var changed = [delete, delete, delete, delete, delete, delete]
        changed[0].revision.item = sample.revision(2).item
        changed[1].revision.number += 1
        changed[2].revision.salt += 1
        changed[3].group.group = GroupID(countingBytes(from: 1, count: 8).span)
        changed[4].group.epoch += 1
        changed[5].tag[31] ^= 1
        for delete in changed { #expect(!isAuthentic(delete)) }
    }

    @Test func `a delete is valid only in its own vault`() throws {
        let other = try ItemSample(vault: .none)
        #expect(!delete.isAuthentic(keys: other.match))
    }

    @Test func `a tag of the wrong length is rejected`() {
        var short = delete
        short.tag.removeLast()
        #expect(!isAuthentic(short))
        short.tag = []
        #expect(!isAuthentic(short))
    }

    @Test func `a tag made with another match key is rejected`() throws {
        let other = try MatchKeys(try sample.cipher.random.key(), cipher: sample.cipher)
        #expect(!delete.isAuthentic(keys: other))
    }
}
