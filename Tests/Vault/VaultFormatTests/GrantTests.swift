import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Grant") struct GrantTests {
    private let sample: GrantSample

    init() throws {
        sample = try GrantSample()
    }

    @Test func `a grant gives its recipient the keys in order`() throws {
        let payload = try sample.opened(try sample.grant().body)
        #expect(payload.structureKey.bytes == sample.structureKey)
        #expect(payload.structureKeyEpoch == 258)
        #expect(payload.groups.map(\.name) == [Array("türen".utf8), Array("b".utf8)])
        #expect(payload.groups.map(\.id.bytes) == [0x21, 0x22].map { countingBytes(from: $0, count: 8) })
        #expect(payload.groups.map(\.epoch) == [3, 4])
        let matchKeys = payload.groups.map { $0.matchKey.bytes }
        #expect(matchKeys == [0x61, 0x62].map { countingBytes(from: $0, count: 32) })
        #expect(payload.groups.map(\.dataKeys.count) == [2, 0])
        let dataKeys = payload.groups[0].dataKeys
        #expect(dataKeys.map(\.handle.bytes) == [0x31, 0x32].map { countingBytes(from: $0, count: 8) })
        #expect(dataKeys.map(\.protection) == [.whenUnlocked, .alwaysThisDeviceOnly])
        #expect(dataKeys.map(\.owner) == [.none, DeviceID(countingBytes(from: 0x51, count: 16).span)])
        #expect(dataKeys.map { $0.key.bytes } == [0x41, 0x42].map { countingBytes(from: $0, count: 32) })
    }

    @Test func `the body has the fields of the table`() throws {
        let grant = try sample.grant()
        let body = grant.body
        // The boxes of two group ids, and of 6 bytes of a name, with 44 bytes more, have 64 bytes each.
        #expect(body.count == 164 + 368 + 64 + 64)
        #expect(Array(body[..<56]) == (try sample.head))
        #expect(Array(body[88..<100]) == [0x70, 1, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0])
        #expect(try Grant(parsing: body.span) == grant)
        #expect(try Grant(parsing: body.span).body == body)
        let recipient = try sample.recipient
        #expect((grant.id, grant.created.microseconds, grant.recipient) == (.sample, -2, recipient))
        #expect(grant.expiry == nil)
    }

    @Test(.temporaryDirectory, .enabled(if: PythonOracle.isExpected, "Python is missing."))
    func `Python opens our grant and finds the payload`() throws {
        let items = [VaultID.sample.bytes, try sample.team, sample.recipientSecret, try sample.grant().body]
        #expect(try oracleAnswer(to: items, task: "grant-open") == [sample.payloadBytes])
    }

    @Test(.temporaryDirectory, .enabled(if: PythonOracle.isExpected, "Python is missing."))
    func `we open a grant made by Python`() throws {
        let items = [
            VaultID.sample.bytes, try sample.head, sample.teamSeed, sample.structureKey, sample.payloadBytes,
            littleEndian(UInt32(29_348_640)), sample.boxes,
        ]
        let body = try #require(try oracleAnswer(to: items, task: "grant-make").first)
        #expect(try sample.opened(body).groups.map(\.epoch) == [3, 4])
        // 20,381 days after 1970 and no hours.
        #expect(try Grant(parsing: body.span).expiry == Time(microseconds: 20_381 * 86_400_000_000))
    }

    @Test(arguments: [(0, 1), (59_999_999, 1), (60_000_000, 1), (119_999_999, 1), (120_000_000, 2)])
    func `a grant expires at a whole minute, never later than asked`(microseconds: Int64, minutes: UInt32) throws {
        var terms = try sample.terms
        terms.expiry = Time(microseconds: microseconds)
        let body = try sample.grant(nil, terms).body
        #expect(Array(body[92..<96]) == littleEndian(minutes))
    }

    // MARK: - The note

    @Test func `the owner reads for whom and for which groups a grant is`() throws {
        var terms = try sample.terms
        terms.expiry = Time(microseconds: 20_381 * 86_400_000_000)
        let grant = try sample.grant(nil, terms)
        let groups = try grant.groups(structureKey: Key(sample.structureKey), vault: .sample)
        #expect(try GrantTerms(of: grant, groups, userRoot: Key(sample.userRoot), vault: .sample) == terms)
        #expect(throws: Fault(.notAuthentic)) { try grant.groups(structureKey: Key(sample.userRoot), vault: .sample) }
        #expect(throws: Fault(.notAuthentic)) {
            try GrantTerms(of: grant, [], userRoot: Key(sample.teamSeed), vault: .sample)
        }
        #expect(terms.hasExpired(at: Time(microseconds: 20_381 * 86_400_000_000)))
        #expect(!terms.hasExpired(at: Time(microseconds: 20_381 * 86_400_000_000 - 1)))
    }

    @Test func `a note opens in its own grant only`() throws {
        let body = try sample.grant().body
        for index in [0, 15, 16, 23, 24, 55] {
            var changed = body
            changed[index] ^= 1
            let grant = try Grant(parsing: changed.span)
            #expect(throws: Fault(.notAuthentic), "byte \(index)") {
                try GrantTerms(of: grant, [], userRoot: Key(sample.userRoot), vault: .sample)
            }
            #expect(throws: Fault(.notAuthentic), "byte \(index)") {
                try grant.groups(structureKey: Key(sample.structureKey), vault: .sample)
            }
        }
    }

    @Test(arguments: [[UInt8](), [0xFF], [UInt8](repeating: 0x61, count: 1025)])
    func `a name is UTF-8, of 1 to 1,024 bytes`(name: [UInt8]) throws {
        var terms = try sample.terms
        terms.name = name
        let grant = try sample.grant(nil, terms)
        #expect(throws: Fault(.badValue)) {
            try GrantTerms(of: grant, [], userRoot: Key(sample.userRoot), vault: .sample)
        }
    }

    // MARK: - Access

    @Test func `only the team, vault and grant of the credential are accepted`() throws {
        let body = try sample.grant().body
        let otherTeam = try Key(sample.recipientSecret).signingPublicKey
        #expect(throws: GrantError.wrongSignature) { try sample.opened(body, with: sample.credential(team: otherTeam)) }
        let otherVault = VaultID(countingBytes(from: 0x11, count: 16).span)
        #expect(throws: GrantError.wrongSignature) {
            try sample.opened(body, with: sample.credential(vault: otherVault))
        }
        let otherGrant = GrantID(countingBytes(from: 0x61, count: 16).span)
        #expect(throws: GrantError.otherGrant) { try sample.opened(body, with: sample.credential(grant: otherGrant)) }
    }

    @Test func `only the recipient opens a grant`() throws {
        let body = try sample.grant().body
        #expect(throws: GrantError.otherRecipient) {
            try sample.opened(body, with: sample.credential(secret: sample.teamSeed))
        }
    }

    @Test func `a grant signed for another vault is rejected`() throws {
        let body = Array(try sample.grant().body.dropLast(64))
        let otherVault = VaultID(countingBytes(from: 0x11, count: 16).span)
        #expect(throws: GrantError.wrongSignature) { try sample.opened(sample.signed(body, vault: otherVault)) }
        #expect(throws: Never.self) { try sample.opened(sample.signed(body)) }
    }

    // MARK: - Changes

    @Test func `any changed byte is detected`() throws {
        let body = try sample.grant().body
        var errors: Set<String> = []
        for index in body.indices {
            var changed = body
            changed[index] ^= 0x40
            do {
                _ = try sample.opened(changed)
                Issue.record("byte \(index)")
            } catch {
                let error = try #require(error as? GrantError)
                // Before the signature the id and the sizes are read.
                let isReadBefore = index < 16 || (88..<92).contains(index) || (96..<100).contains(index)
                if !isReadBefore { #expect(error == .wrongSignature, "byte \(index)") }
                errors.insert("\(error)")
            }
        }
        #expect(errors.count > 4)
    }

    @Test func `with a valid signature, the box and the commitment still detect changes`() throws {
        let body = Array(try sample.grant().body.dropLast(64))
        // The sizes, the expiry and the last two boxes concern the signature alone.
        for index in body.indices.prefix(100 + 368) where !(0..<16).contains(index) && !(88..<100).contains(index) {
            var changed = body
            changed[index] ^= 1
            let isOfRecipient = (24..<56).contains(index) || index >= 100
            let expected: GrantError = isOfRecipient ? .otherRecipient : .wrongCommitment
            #expect(throws: expected, "byte \(index)") { try sample.opened(sample.signed(changed)) }
        }
    }

    @Test func `the commitment covers every byte of the payload, and the order of the groups`() throws {
        let intact = sample.payloadBytes
        let text = VaultID.sample.bytes + (try sample.head) + intact
        let commitment = try Key(sample.structureKey).hash(32, .grant, text)
        #expect(throws: Never.self) { try sample.opened(sample.forgedBody(around: intact, commitment: commitment)) }
        for index in intact.indices {
            var changed = intact
            changed[index] ^= 1
            #expect(throws: GrantError.wrongCommitment, "byte \(index)") {
                try sample.opened(sample.forgedBody(around: changed, commitment: commitment))
            }
        }
        // The groups are at 40 ..< 218 and 218 ..< 271.
        let swapped = intact[..<40] + intact[218..<271] + intact[40..<218] + intact[271...]
        #expect(throws: GrantError.wrongCommitment) {
            try sample.opened(sample.forgedBody(around: Array(swapped), commitment: commitment))
        }
        #expect(try sample.opened(sample.forgedBody(around: Array(swapped))).groups.map(\.epoch) == [4, 3])
    }

    @Test func `the order of the groups is that of the payload`() throws {
        let payload = try sample.payload
        let turned = GrantPayload(
            structureKey: payload.structureKey,
            structureKeyEpoch: payload.structureKeyEpoch,
            groups: payload.groups.reversed()
        )
        let opened = try sample.opened(try sample.grant(turned).body)
        #expect(opened.groups.map(\.epoch) == [4, 3])
        #expect(opened.structureKey.bytes == sample.structureKey)
    }

    // MARK: - Sizes of the body

    @Test func `a body whose size does not match its parts is rejected`() throws {
        let body = try sample.grant().body
        for byteCount in [0, 1, 99, 100, 163, 164, body.count - 1] {
            #expect(throws: GrantError.wrongByteCount(byteCount)) { try sample.opened(Array(body.prefix(byteCount))) }
        }
        #expect(throws: GrantError.wrongByteCount(body.count + 1)) { try sample.opened(body + [0]) }
        let note = body.count - 64 - 64
        for byteCount in [note + 64, note + 64 + 16_384 + 64] {
            let bytes = Array((body + [UInt8](repeating: 0, count: 16_384)).prefix(byteCount))
            #expect(throws: GrantError.wrongByteCount(byteCount)) { try sample.opened(bytes) }
        }
    }

    @Test(arguments: [0, 1, 47])
    func `an impossible size of the sealed payload is rejected`(byteCount: Int) throws {
        let body = try sample.head + [UInt8](repeating: 0, count: 32) + littleEndian(UInt32(byteCount))
        #expect(throws: GrantError.wrongPayloadByteCount(byteCount)) {
            try sample.opened(body + sample.expiryAndSize + [UInt8](repeating: 0, count: byteCount + 3 * 64))
        }
    }

    @Test func `a payload without room for a structure key does not open`() throws {
        let head = try sample.head + [UInt8](repeating: 0, count: 32)
        for byteCount in [0, 31] {
            let payload = [UInt8](repeating: 0, count: byteCount)
            let box = try SealedBox.sealed(payload.span, to: try sample.recipient, random: sample.cipher.random)
            let sizes = littleEndian(UInt32(box.count)) + sample.expiryAndSize
            let body = try sample.signed(head + sizes + box + sample.boxes)
            #expect(throws: GrantError.otherRecipient, "\(byteCount) bytes") { try sample.opened(body) }
        }
    }

    @Test(arguments: [65_537, 65_600, Int(UInt32.max) - 48])
    func `a payload beyond the limit is rejected before it is used`(byteCount: Int) throws {
        let size = littleEndian(UInt32(byteCount + 48))
        let body = try sample.head + [UInt8](repeating: 0, count: 32) + size + sample.expiryAndSize
        #expect(throws: GrantError.tooLarge(payloadByteCount: byteCount)) {
            try sample.opened(body + [UInt8](repeating: 0, count: 64))
        }
    }

    @Test func `a grant to a public key of low order is rejected`() throws {
        var terms = try sample.terms
        terms.recipient = [UInt8](repeating: 0, count: 32)
        let grant = Result { [terms] in try sample.grant(nil, terms) }
        #expect(throws: GrantError.cipher(.unusablePublicKey)) { try grant.get() }
    }
}
