import CofferBasics
import KeyedArchive
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Section 8.1: what a revision is bound to.
@Suite("Put") struct PutTests {
    private let sample: ItemSample
    private let put: Put

    init() throws {
        sample = try ItemSample()
        put = try sample.put()
    }

    private func match(_ put: Put) throws -> MatchContent {
        try put.openedMatch(keys: sample.match)
    }

    private func metadata(_ put: Put) throws -> ItemMetadata {
        try put.openedMetadata(keys: sample.data)
    }

    private func secret(_ put: Put, keys: DataKeys? = nil) throws -> (form: SecretForm, data: [UInt8]) {
        var box = put.secret
        var span = box.mutableSpan
        let (form, range) = try SecretBox.open(&span, of: put.revision, keys: keys ?? sample.data)
        return (form, Array(box[range]))
    }

    // MARK: - Sealing and opening

    @Test func `a sealed revision opens to its content`() throws {
        let attributes = try sample.attributes()
        let content = try match(put)
        #expect(content.itemClass == .genericPassword)
        #expect(content.flags == .synchronizable)
        #expect(content.order == 5)
        #expect(content.digests == (MatchDigests(attributes, keys: sample.match)))
        #expect(try metadata(put).attributes(of: .genericPassword) == attributes)
        let (form, data) = try secret(put)
        #expect(form == .data && data == [1, 2, 3])
        #expect((put.match.count, put.metadata.count % 16, put.secret.count) == (176, 0, 32))
    }

    @Test func `missing data differs from empty data`() throws {
        let without = try sample.put(secret: nil)
        #expect(without.secret == [])
        #expect(try match(without).order == 5)
        let empty = try sample.put(secret: [])
        #expect(empty.secret.count == 32)
        #expect(try secret(empty).data == [])
    }

    // MARK: - Exchanging parts

    @Test func `no box can be exchanged for that of another item or revision`() throws {
        for other in [try sample.put(sample.revision(2)), try sample.put(sample.revision(number: 2))] {
            var changed = put
            changed.match = other.match
            #expect(throws: Fault(.notAuthentic)) { try match(changed) }
            changed = put
            changed.metadata = other.metadata
            #expect(throws: Fault(.hashDiffers)) { try match(changed) }
            #expect(throws: Fault(.notAuthentic)) { try metadata(changed) }
            changed = put
            changed.secret = other.secret
            #expect(throws: Fault(.hashDiffers)) { try match(changed) }
            #expect(throws: Fault(.notAuthentic)) { try secret(changed) }
        }
    }

    /// The same revision is sealed twice, so that each box opens on its own.
    @Test func `boxes of the same revision cannot be mixed`() throws {
        let other = try sample.put(account: "alex", secret: [9])
        var changed = put
        changed.metadata = other.metadata
        #expect(try metadata(changed).attributes(of: .genericPassword)["acct"] == "alex")
        #expect(throws: Fault(.hashDiffers)) { try match(changed) }
        changed = put
        changed.secret = other.secret
        #expect(try secret(changed).data == [9])
        #expect(throws: Fault(.hashDiffers)) { try match(changed) }
        changed = put
        changed.match = other.match
        #expect(throws: Fault(.hashDiffers)) { try match(changed) }
    }

    @Test func `a secret cannot be removed, or added to an item without one`() throws {
        var changed = put
        changed.secret = []
        #expect(throws: Fault(.hashDiffers)) { try match(changed) }
        changed = try sample.put(secret: nil)
        changed.secret = put.secret
        #expect(throws: Fault(.hashDiffers)) { try match(changed) }
    }

    @Test func `the boundaries between the parts of a put cannot be moved`() throws {
        var changed = put
        changed.metadata = Array(put.metadata.dropLast(32))
        changed.secret = put.metadata.suffix(32) + put.secret
        #expect(throws: Fault(.hashDiffers)) { try match(changed) }
    }

    @Test func `the data key cannot be exchanged`() throws {
        var changed = put
        changed.dataKey = KeyHandle(countingBytes(from: 0x42, count: 8).span)
        #expect(throws: Fault(.hashDiffers)) { try match(changed) }
        #expect(throws: Fault(.notAuthentic)) {
            try put.openedMetadata(keys: sample.otherData)
        }
        #expect(throws: Fault(.notAuthentic)) { try secret(put, keys: sample.otherData) }
    }

    @Test func `every box is bound to revision, salt, item and vault`() throws {
        var changed = [put, put, put]
        changed[0].revision.number += 1
        changed[1].revision.salt += 1
        changed[2].revision.item = sample.revision(2).item
        for put in changed {
            #expect(throws: Fault(.notAuthentic)) { try match(put) }
            #expect(throws: Fault(.notAuthentic)) { try metadata(put) }
            #expect(throws: Fault(.notAuthentic)) { try secret(put) }
        }
        let otherVault = try ItemSample(vault: .none)
        #expect(throws: Fault(.notAuthentic)) { try put.openedMatch(keys: otherVault.match) }
    }

    @Test func `metadata and secret cannot be swapped`() throws {
        var changed = put
        changed.metadata = put.secret
        #expect(throws: Fault(.notAuthentic)) { try metadata(changed) }
    }

    // MARK: - Secrets

    private func sealed(_ content: [UInt8]) -> Put {
        var changed = put
        changed.secret = Put.sealedSecret(content.span, of: put.revision, keys: sample.data)
        return changed
    }

    @Test(arguments: [[], [3], [255, 1]] as [[UInt8]]) func `an unknown form is rejected`(content: [UInt8]) {
        #expect(throws: Fault(.badValue)) { try secret(sealed(content)) }
    }

    @Test func `data has at most 1 MiB`() throws {
        let data = [UInt8](repeating: 7, count: 1_048_576)
        #expect(try secret(sealed([0] + data)).data == data)
        #expect(throws: Fault(.limitExceeded(.secret, value: 1_048_577))) { try secret(sealed([0, 7] + data)) }
    }

    @Test(arguments: [1, 2] as [UInt8]) func `the content of any form has a limit`(form: UInt8) throws {
        let content = [form] + [UInt8](repeating: 7, count: 1_052_672)
        #expect(try secret(sealed(content)).data.count == 1_052_672)
        #expect(throws: Fault(.limitExceeded(.secret, value: 1_052_674))) { try secret(sealed(content + [7])) }
    }
}
