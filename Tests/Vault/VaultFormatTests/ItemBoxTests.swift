import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Section 1.3: the boxes of a revision of an item.
@Suite("Item box") struct ItemBoxTests {
    private let sample: ItemSample
    private let revision: Revision
    /// With the id of counting bytes.
    private let dictionary: MetadataDictionary

    init() throws {
        sample = try ItemSample()
        revision = sample.revision(number: 0x1112_1314_1516_1718)
        dictionary = Self.dictionary(id: 0x61)
    }

    private static func dictionary(id: UInt8) -> MetadataDictionary {
        let random = ScriptedRandom([countingBytes(from: id, count: 8)])
        return MetadataDictionary(of: [ItemMetadata(archive: [1])], handle: .none, random: random)
    }

    private func metadata(_ content: [UInt8]) -> [UInt8] {
        ItemMetadata(archive: content).sealed(of: revision, keys: sample.data)
    }

    private func secret(_ content: [UInt8]) -> [UInt8] {
        Put.sealedSecret(content.span, of: revision, keys: sample.data)
    }

    private func openedMetadata(
        _ box: [UInt8],
        of revision: Revision? = nil,
        _ dictionary: MetadataDictionary? = nil
    ) throws -> [UInt8] {
        try ItemMetadata(opening: box.span, of: revision ?? self.revision, dictionary: dictionary, keys: sample.data)
            .withArchive { $0 }
    }

    /// The content of a secret box, which begins with the form 0.
    private func openedSecret(_ box: [UInt8]) throws -> [UInt8] {
        var box = box
        var span = box.mutableSpan
        let (_, range) = try SecretBox.open(&span, of: revision, keys: sample.data)
        return [0] + box[range]
    }

    /// A box around an arbitrary text, by the formulas of the specification.
    private func forged(_ text: [UInt8], part: UInt32 = 2, dictionary: [UInt8] = []) -> [UInt8] {
        let random = countingBytes(from: 0x91, count: 8)
        let (number, salt) = (littleEndian(revision.number), littleEndian(revision.salt))
        let associatedData =
            Array("coffer1.item".utf8) + [0, 0, 0, 0] + VaultID.sample.bytes + revision.item.bytes + number + salt
            + littleEndian(part) + dictionary
        var sealedPart = text + [UInt8](repeating: 0, count: 16)
        var span = sealedPart.mutableSpan
        let key = part == 3 ? sample.data.secret : sample.data.metadata
        key.seal(&span, nonce: (random + salt + number).span, associatedData: associatedData.span)
        return random + sealedPart
    }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    // MARK: - Sealing

    /// Beside the content there are 8 random bytes, the byte 80, and a tag of 16 bytes.
    @Test(arguments: [(0, 32), (1, 32), (7, 32), (8, 48), (23, 48), (24, 64), (1000, 1040), (65_536, 65_568)])
    func `the size of a metadata box is a multiple of 16`(byteCount: Int, boxByteCount: Int) throws {
        let content = countingBytes(from: 7, count: byteCount)
        let box = metadata(content)
        #expect(box.count == boxByteCount)
        #expect(try openedMetadata(box) == content)
    }

    @Test(arguments: [(1, 32), (7, 32), (8, 64), (39, 64), (40, 96), (1_048_577, 1_048_608)])
    func `the size of a secret box is a multiple of 32`(byteCount: Int, boxByteCount: Int) throws {
        let content = [0] + countingBytes(from: 7, count: byteCount - 1)
        let box = secret(content)
        #expect(box.count == boxByteCount)
        #expect(try openedSecret(box) == content)
    }

    @Test(arguments: [[0x80], [0x80, 0, 0], [0, 0, 0, 0, 0, 0, 0], [1, 0x80, 0x80, 0]] as [[UInt8]])
    func `content that ends like the end of a box comes back whole`(content: [UInt8]) throws {
        #expect(try openedMetadata(metadata(content)) == content)
        #expect(try openedSecret(secret([0] + content)) == [0] + content)
    }

    @Test(
        .temporaryDirectory,
        .enabled(if: PythonOracle.isExpected, "Python is missing."),
        arguments: [0, 7, 8, 500]
    )
    func `boxes and their nonces are those that Python makes of the same random bytes`(byteCount: Int) throws {
        let random = countingBytes(from: 0xA0, count: 32)
        let cipher = Cipher(vault: .sample, random: ScriptedRandom([random, random, random]))
        let key = try Key(countingBytes(from: 0x20, count: 32))
        let keys = try DataKeys(key, cipher: cipher)
        let content = [UInt8](repeating: 9, count: byteCount + 50)
        func made(_ key: Key, _ part: [UInt8], _ unit: UInt8, _ content: [UInt8]) throws -> [[UInt8]] {
            try formatOracleAnswer(
                to: [key.bytes, random, VaultID.sample.bytes, revision.bytes, part, [unit], content],
                task: "item-box"
            )
        }
        let metadata = ItemMetadata(archive: content)
        #expect(try made(keys.metadata, [2, 0, 0, 0], 16, content) == [metadata.sealed(of: revision, keys: keys)])
        let secret = Put.sealedSecret(content.span, of: revision, keys: keys)
        #expect(try made(keys.secret, [3, 0, 0, 0], 32, content) == [secret])
        let compressor = try dictionary.compressor()
        let stream = try compressor.compressed(content)
        let deflated = try #require(
            try metadata.deflated(of: revision, dictionary.id, compressor, keys: keys)
        )
        #expect(try made(keys.metadata, [4, 0, 0, 0] + dictionary.id.bytes, 16, stream) == [deflated])
    }

    // MARK: - Opening

    @Test(arguments: [0, 16, 31, 33, 40, 47]) func `a size that no box has is rejected`(byteCount: Int) {
        #expect(throws: Fault(.badLength)) { try openedMetadata(zeros(byteCount)) }
        #expect(throws: Fault(.badLength)) { try openedSecret(zeros(byteCount)) }
    }

    @Test func `a metadata box of 48 bytes is none of a secret`() throws {
        #expect(throws: Fault(.notAuthentic)) { try openedMetadata(zeros(48)) }
        #expect(throws: Fault(.badLength)) { try openedSecret(zeros(48)) }
    }

    @Test func `the content ends before the byte 80 and fewer zeros than a unit`() throws {
        let content = countingBytes(from: 1, count: 8)
        #expect(try openedMetadata(forged(content + [0x80] + zeros(15))) == content)
        #expect(throws: Fault(.badPadding)) { try openedMetadata(forged(content.dropLast() + [0x80] + zeros(16))) }
        #expect(try openedSecret(forged([0] + content.dropLast() + [0x80] + zeros(31), part: 3)).count == 8)
        #expect(throws: Fault(.badPadding)) {
            try openedSecret(forged([0] + content.dropLast(2) + [0x80] + zeros(32), part: 3))
        }
    }

    @Test(arguments: [0, 1, 0x40, 0x81, 0xFF] as [UInt8]) func `another byte at the end is rejected`(byte: UInt8) {
        #expect(throws: Fault(.badPadding)) { try openedMetadata(forged([1, 2, 3, 4, byte, 0, 0, 0])) }
        #expect(throws: Fault(.badPadding)) { try openedMetadata(forged(zeros(7) + [byte])) }
    }

    @Test func `every flipped bit is detected`() {
        let box = metadata([1, 2, 3])
        for bit in 0..<box.count * 8 {
            var changed = box
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: Fault(.notAuthentic), "bit \(bit)") { try openedMetadata(changed) }
        }
    }

    @Test func `a box opens only for its revision`() throws {
        let box = metadata([1, 2, 3])
        var others = [revision, revision, revision]
        others[0].number += 1
        others[1].salt += 1
        others[2].item = sample.revision(2).item
        for other in others { #expect(throws: Fault(.notAuthentic)) { try openedMetadata(box, of: other) } }
        let otherVault = try ItemSample(vault: .none)
        #expect(throws: Fault(.notAuthentic)) {
            try ItemMetadata(opening: box.span, of: revision, keys: otherVault.data)
        }
    }

    @Test func `a box opens only as its part`() throws {
        let text = [3, 0, 0x80] + zeros(5)
        #expect(try openedMetadata(forged(text)) == [3, 0])
        for part in [0, 1, 3, 4] as [UInt32] {
            #expect(throws: Fault(.notAuthentic)) { try openedMetadata(forged(text, part: part)) }
        }
    }

    @Test func `deflated metadata opens only with its dictionary`() throws {
        let id = countingBytes(from: 0x61, count: 8)
        // The stream of no bytes.
        let box = forged([3, 0, 0x80] + zeros(5), part: 4, dictionary: id)
        #expect(try openedMetadata(box, dictionary) == [])
        #expect(throws: Fault(.notAuthentic)) { try openedMetadata(box, Self.dictionary(id: 0x62)) }
        #expect(throws: Fault(.notAuthentic)) { try openedMetadata(box) }
        #expect(throws: Fault(.notAuthentic)) {
            try openedMetadata(forged([3, 0, 0x80] + zeros(5), part: 4), dictionary)
        }
        #expect(throws: Fault(.notAuthentic)) { try openedMetadata(forged([3, 0, 0x80] + zeros(5)), dictionary) }
    }

    /// The box opens and only then breaks a rule; its plaintext must not stay in the caller's memory.
    @Test func `after an error the buffer holds no plaintext`() {
        var buffer = forged(Array("secret with no end".utf8) + zeros(6 + 16), part: 3)
        #expect(throws: Fault(.badPadding)) {
            var span = buffer.mutableSpan
            _ = try SecretBox.open(&span, of: revision, keys: sample.data)
        }
        #expect(buffer[8...].allSatisfy { $0 == 0 })
    }
}
