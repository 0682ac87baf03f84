import CCofferSodium
import Foundation
import Testing
import StoreTestSupport
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

@Suite("Vault vectors") struct VaultConformanceTests {
    @Test(arguments: try VaultVector.all())
    func `every vector gives the result stated in its header`(vector: VaultVector) throws {
        let subject = VaultSubject(vector.bytes)
        let opening: VaultOpening
        let contents: VaultContents
        do throws(VaultFormatError) {
            opening = try subject.opened(vector)
            contents = try subject.contents(vector)
        } catch {
            #expect(error.kind == vector.expectation, "\(error)")
            return
        }
        #expect(contents.outcome == vector.expectation, "\(contents.report)")
        #expect(contents.failureCount == vector.failedRecordCount ?? 0, "\(contents.report)")
        #expect(contents.lockedItemCount == vector.lockedCount ?? 0)
        #expect(try opening.directory.historySince == vector.historySince)
        if let tailByteCount = vector.tailByteCount { #expect(contents.tailByteCount == tailByteCount) }
        #expect((opening.header.features.readOnlyCompatible != 0) == vector.isReadOnly)
        if let itemCount = vector.itemCount { #expect(contents.readableItems.count == itemCount) }
        if let hash = vector.contentHash {
            let dump = try VaultDump(contents).text()
            #expect(unkeyedHash(dump) == hash, "\(dump)")
        }
        if let settings = vector.settings { #expect(contents.settings == settings) }
    }

    @Test(arguments: try VaultVector.golden())
    func `every golden vault has the content of its dump`(vector: VaultVector, expected: String) throws {
        let subject = VaultSubject(vector.bytes)
        let contents = try subject.contents(vector)
        #expect(contents.report.isIntact)
        #expect(try subject.opened(vector).directory.historySince == vector.historySince)
        #expect(try VaultDump(contents).text() == expected)
    }

    @Test(arguments: try VaultVector.all().filter { $0.expectation == "success" })
    func `a vault that was read is written identically`(vector: VaultVector) throws {
        let subject = VaultSubject(vector.bytes)
        let prelude = try VaultPrelude(of: subject.source)
        let opening = try subject.opened(vector)
        let hasGrants = prelude.keybag.hasGrants
        let teamSecret = hasGrants ? try opening.keyring.teamSecret(in: prelude.keybag) : nil
        // Without the user root, nobody can sign it.
        let count = hasGrants && teamSecret == nil ? Header.signatureOffset : Header.byteCount
        // Nor can the holder of a grant make the MAC.
        if let ownerKey = opening.ownerKey {
            let header = prelude.header.encoded(key: ownerKey, teamSecret: teamSecret)
            #expect(header.prefix(count) == prelude.headerBytes.prefix(count))
        }
        #expect(prelude.keybag.encoded == Array(vector.bytes[prelude.header.keybagRange]))

        var log = opening.log(in: subject.source)
        while true {
            let position = log.position
            guard let frame = try log.next() else { break }
            // The nonce differs; the rest of a frame is determined by its content.
            let again = try frame.sealed(after: position.chain, keys: opening.keys)
            #expect(again.count == log.position.offset - position.offset)
            let copy = MemorySource(Array(vector.bytes[..<position.offset]) + again)
            var reader = LogReader(at: position, in: copy, keys: opening.keys)
            #expect(try reader.next() == frame)
        }
    }
}

/// Returns BLAKE2b as used in `Fixtures/README.md`: without the personalization that the format always uses.
func unkeyedHash(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    var hash = [UInt8](repeating: 0, count: 32)
    crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
    return hash
}
