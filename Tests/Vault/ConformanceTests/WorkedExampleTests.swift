import CofferBasics
import Testing
import StoreTestSupport
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

/// Reads the worked example: the document agrees with our code.
@Suite("Worked example") struct WorkedExampleTests {
    private let example: WorkedExample
    private let prelude: VaultPrelude
    private let roots: Keyring.Roots
    private let opening: VaultOpening
    private let contents: VaultContents

    init() throws {
        example = try WorkedExample()
        let source = MemorySource(example.file)
        prelude = try VaultPrelude(of: source)
        let passphrase = try example.value("passphrase", in: "1")
        let weak = Argon2Limits.weak
        roots = try prelude.roots(passphrase: passphrase.span, limits: weak, availableByteCount: nil)
        opening = try VaultOpening(prelude, roots: roots, random: try SystemRandom())
        contents = try VaultSubject(example.file).contents { [roots] _ in roots }
    }

    // MARK: - The whole

    @Test func `the lines contain all bytes of the file, and our reader can read them`() throws {
        // The offsets of the lines have already shown that none is missing or repeated.
        #expect(example.file.count == 2112)
        #expect(contents.outcome == "success", "\(contents.report)")
        #expect(try VaultDump(contents).text() == example.readings.first?.dump)
    }

    @Test func `readers reject its Argon2id parameters unless they are told that it is a test`() throws {
        let passphrase = try example.value("passphrase", in: "1")
        #expect(throws: VaultFormatError.limitExceeded(.argon2Memory, value: 8)) {
            try prelude.roots(passphrase: passphrase.span, availableByteCount: nil)
        }
    }

    // MARK: - Keys

    @Test func `the random keys are those in the wraps`() throws {
        let user = try #require(roots.user)
        expect(user.key, is: try example.value("UR", in: "1"))
        let ring = try Keyring(roots: roots, cipher: opening.keys.cipher)
        let structureKey = try #require(try ring.structureKey(in: prelude.keybag))
        expect(structureKey.key, is: try example.value("Ks", in: "1"))
        let groupID = try example.value("group id", in: "1.1")
        let group = GroupEpoch(group: GroupID(groupID.span), epoch: 1)
        expect(try #require(opening.keyring.matchKeys[group]), is: try example.value("match key", in: "1.1"))
        let handle = try example.value("key handle", in: "1")
        expect(try #require(opening.keyring.dataKeys[KeyHandle(handle.span)]), is: try example.value("Kd", in: "1"))
    }

    @Test func `the slot gives the printed key and commitment`() throws {
        let slot = try #require(prelude.keybag.slots.first)
        let passphrase = try example.value("passphrase", in: "1")
        let parameters = try #require(slot.derivation)
        let seed = try Key.ofPassphrase(
            passphrase.span,
            salt: slot.salt,
            operations: parameters.operations,
            memoryByteCount: parameters.memoryKiB << 10
        )
        expect(seed, is: try example.value("seed", in: "3.1"))
        let input = try example.value("input", in: "3.1")
        let (key, commitment) = try seed.keyAndCommitment(.slot, input)
        expect(key, is: try example.value("KEK", in: "3.1"))
        #expect(try commitment == example.value("COMMIT", in: "3.1"))
        #expect(try slot.commitment == example.value("COMMIT", in: "3.1"))
    }

    @Test func `the generation keys match the printed ones`() throws {
        let header = opening.header
        var input = header.vault.bytes
        input.append(littleEndian: header.generation)
        let structureKey = try key(example.value("Ks", in: "1"))
        let generation = try structureKey.derived(.generation, input + header.salt)
        expect(generation, is: try example.value("G", in: "2"))
        expect(try #require(opening.ownerKey), is: try example.value("K_owner", in: "1.1"))
        expect(opening.keys.head, is: try example.value("K_head", in: "2"))
        expect(opening.keys.frame, is: try example.value("K_frame", in: "2"))
        expect(opening.keys.chain, is: try example.value("K_chain", in: "2"))
        expect(opening.keys.snapshot, is: try example.value("K_snapshot", in: "2"))
    }

    @Test func `the item keys match the printed ones`() throws {
        let match = try MatchKeys(key(example.value("match key", in: "1.1")), cipher: opening.keys.cipher)
        expect(match.match, is: try example.value("K_match", in: "5.1"))
        expect(match.digest, is: try example.value("K_digest", in: "5.1"))
        let data = try DataKeys(key(example.value("Kd", in: "1")), cipher: opening.keys.cipher)
        expect(data.metadata, is: try example.value("K_meta", in: "5.1"))
        expect(data.secret, is: try example.value("K_secret", in: "5.1"))
    }

    @Test(arguments: [(1, "3.2", "Ks"), (3, "3.4", "Kd")])
    func `a wrapped key matches its printed commitment`(entry number: Int, section: String, name: String) throws {
        let entry = try #require(prelude.keybag.entries[number].wrappedKey)
        let wrapped = try key(example.value(name, in: "1"))
        let vault = opening.header.vault
        #expect(try entry.identity == example.value("commitment input", in: section))
        let hashed = try example.value("hashed for commitment", in: section)
        #expect(wrapped.hash(32, .commitment, hashed) == entry.wrap.commitment)
        #expect(entry.commitment(to: wrapped, vault: vault) == entry.wrap.commitment)
        let type = [UInt8(type(of: entry).type), 0]
        let associatedData = vault.bytes + type + entry.fields + entry.wrap.commitment
        #expect(try associatedData == example.value("associated data", in: section))
        let outer = try key(example.value("W", in: section))
        let wrapping = try outer.derived(.wrap, vault.bytes)
        expect(wrapping, is: try example.value("key of the AEAD", in: section))
    }

    @Test func `the tag of the group name matches the printed values`() throws {
        guard case .groupName(let entry) = prelude.keybag.entries[2] else {
            Issue.record("entry 3 is not a group name")
            return
        }
        let groupRoot = try key(example.value("GR", in: "1.1"))
        #expect(try groupRoot.hash(32, .groupName, example.value("hashed for the tag", in: "3.3")) == entry.tag)
        let matchKey = try key(example.value("match key", in: "1.1"))
        let boxKey = try matchKey.derived(.groupName)
        expect(boxKey, is: try example.value("key of the box", in: "3.3"))
        #expect(try entry.name(matchKey: matchKey, vault: opening.header.vault) == Array("mail".utf8))
    }

    // MARK: - Chain and digests

    @Test func `the chain matches the printed values`() throws {
        var log = opening.log(in: MemorySource(example.file))
        #expect(try log.position.chain.bytes == example.value("chain(0)", in: "5"))
        let start = log.position.offset
        #expect(try log.next() != nil)
        #expect(try log.position.chain.bytes == example.value("chain(1)", in: "5"))
        let frame = Array(example.file[start..<log.position.offset])
        #expect(try Label.file.hash(32, frame) == example.value("hash of the frame", in: "5"))
        #expect(log.position.offset == example.file.count)
    }

    @Test func `the digests match the printed values`() throws {
        let item = try #require(contents.readableItems.first)
        let digestKey = try key(example.value("K_digest", in: "5.1"))
        let hashed = try example.value("hashed for its second half", in: "5.1")
        let whole = [UInt8](copying: digestKey.shortHash(.first, hashed.span).span)
        let service = [UInt8](copying: digestKey.shortHash(.second, Array("svcemail.example.com".utf8).span).span)
        let digest = Array(service[..<8] + whole[..<8])
        #expect(item.stored.digests.primaryKey.bytes == digest)
        let plaintext = try example.plaintext(in: "5.1")
        let match = try MatchContent(parsing: Array(plaintext[..<136]))
        #expect(match.digests == item.stored.digests)
        #expect(match.digests.primaryKey.bytes == digest)
    }

    // MARK: - Sealed parts

    @Test(arguments: SealedPart.all)
    private func `every nonce and ciphertext follows from the printed values`(part: SealedPart) throws {
        let text =
            try part.plaintext.map { try example.plaintext(in: part.section, block: $0) }
            ?? example.value("plaintext", in: part.section)
        let associatedData = try example.value("associated data", in: part.section, block: part.values)
        let nonceData = try part.isFrame ? example.value("chain(0)", in: part.section) : associatedData
        let key = try key(example.value(part.key, in: part.section, block: part.values))
        let random = ScriptedRandom([try example.value("R", in: part.section, block: part.values)])
        let made = key.nonce(for: text.span, associatedData: nonceData.span, random: random)
        var nonce = [UInt8](copying: made.span)
        if part.isItemBox { nonce = WorkedExample.nonceOfItemBox(nonce, associatedData) }
        var buffer = text + [UInt8](repeating: 0, count: 16)
        var span = buffer.mutableSpan
        key.seal(&span, nonce: nonce.span, associatedData: associatedData.span)
        let container = try part.isItemBox ? example.plaintext(in: "5") : example.file
        let written = nonce.prefix(part.isItemBox ? 8 : 24)
        let textOffset = part.ciphertextOffset ?? part.nonceOffset + written.count
        #expect(container[part.nonceOffset..<part.nonceOffset + written.count] == written)
        #expect(Array(container[textOffset..<textOffset + buffer.count]) == buffer)
    }

    // MARK: - Helpers

    private func key(_ bytes: [UInt8]) throws -> Key { try Key(bytes) }

    private func expect(
        _ key: Key,
        is expected: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let bytes = key.withBytes { [UInt8](copying: $0) }
        #expect(bytes == expected, sourceLocation: sourceLocation)
    }
}

/// A text that the example seals: where its values are printed, and where the result is.
private struct SealedPart: Sendable, CustomTestStringConvertible {
    var section: String
    var key: String
    var values = 0
    /// The number of the block with the text, or nil if it is among the values.
    var plaintext: Int?
    var nonceOffset: Int
    /// Where the ciphertext begins, if not directly after the nonce.
    var ciphertextOffset: Int?
    /// Whether the result is an item box, which is in the frame.
    var isItemBox = false

    var isFrame: Bool { ciphertextOffset != nil }
    var testDescription: String { "\(section) \(key) \(values)" }

    static let all = [
        SealedPart(section: "3.1", key: "KEK", nonceOffset: 0x1A8),
        SealedPart(section: "3.2", key: "key of the AEAD", nonceOffset: 0x230),
        SealedPart(section: "3.3", key: "key of the box", plaintext: 0, nonceOffset: 0x2B0),
        SealedPart(section: "3.4", key: "key of the AEAD", nonceOffset: 0x344),
        SealedPart(section: "4", key: "key of the box", plaintext: 0, nonceOffset: 0x3C0),
        SealedPart(
            section: "5",
            key: "key of the body",
            plaintext: 0,
            nonceOffset: 0x458,
            ciphertextOffset: 0x4A0
        ),
        SealedPart(section: "5.1", key: "key of the box", values: 1, plaintext: 0, nonceOffset: 0x70, isItemBox: true),
        SealedPart(section: "5.1", key: "key of the box", values: 2, plaintext: 1, nonceOffset: 0x120, isItemBox: true),
        SealedPart(section: "5.1", key: "key of the box", values: 3, plaintext: 2, nonceOffset: 0x2F0, isItemBox: true),
    ]
}

extension KeybagEntry {
    /// The entry, if it contains a wrapped key.
    fileprivate var wrappedKey: (any WrappedKeyEntry)? {
        switch self {
        case .structureKey(let entry): entry
        case .alwaysKey(let entry): entry
        case .matchKey(let entry): entry
        case .dataKey(let entry): entry
        case .teamKey(let entry): entry
        case .previousRoot(let entry): entry
        case .slot, .recipient, .device, .groupName, .grant, .unknownWay, .unknown: nil
        }
    }
}
