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
        #expect(body.count == 160 + 368)
        #expect(Array(body[..<56]) == (try sample.head))
        #expect(Array(body[88..<96]) == [0x70, 1, 0, 0, 0, 0, 0, 0])
        #expect(try Grant(parsing: body.span) == grant)
        #expect(try Grant(parsing: body.span).body == body)
        let recipient = try sample.recipient
        #expect((grant.id, grant.creationTime, grant.recipient) == (.sample, -2, recipient))
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
        ]
        let body = try #require(try oracleAnswer(to: items, task: "grant-make").first)
        #expect(try sample.opened(body).groups.map(\.epoch) == [3, 4])
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
                if index >= 96 || (16..<88).contains(index) { #expect(error == .wrongSignature, "byte \(index)") }
                if (92..<96).contains(index) { #expect(error == .reservedNotZero(offset: index)) }
                errors.insert("\(error)")
            }
        }
        #expect(errors.count > 4)
    }

    @Test func `with a valid signature, the box and the commitment still detect changes`() throws {
        let body = Array(try sample.grant().body.dropLast(64))
        for index in body.indices where !(0..<16).contains(index) && !(88..<96).contains(index) {
            var changed = body
            changed[index] ^= 1
            let expected: GrantError = index < 88 ? .wrongCommitment : .otherRecipient
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
        for byteCount in [0, 1, 95, 96, 159, 160, body.count - 1] {
            #expect(throws: GrantError.wrongByteCount(byteCount)) { try sample.opened(Array(body.prefix(byteCount))) }
        }
        #expect(throws: GrantError.wrongByteCount(body.count + 1)) { try sample.opened(body + [0]) }
    }

    @Test(arguments: [0, 1, 47, 48, 49, 111, 113, 48 + 2_112, 48 + 65_472, 48 + 65_535])
    func `an impossible size of the sealed payload is rejected`(byteCount: Int) throws {
        let body = try sample.head + [UInt8](repeating: 0, count: 32) + littleEndian(UInt32(byteCount)) + [0, 0, 0, 0]
        #expect(throws: GrantError.wrongPayloadByteCount(byteCount)) {
            try sample.opened(body + [UInt8](repeating: 0, count: byteCount + 64))
        }
    }

    @Test(arguments: [65_537, 65_600, Int(UInt32.max) - 48])
    func `a payload beyond the limit is rejected before it is used`(byteCount: Int) throws {
        let size = littleEndian(UInt32(byteCount + 48))
        let body = try sample.head + [UInt8](repeating: 0, count: 32) + size + [0, 0, 0, 0]
        #expect(throws: GrantError.tooLarge(payloadByteCount: byteCount)) {
            try sample.opened(body + [UInt8](repeating: 0, count: 64))
        }
    }

    @Test func `a grant to a public key of low order is rejected`() throws {
        let sample = sample
        #expect(throws: GrantError.cipher(.unusablePublicKey)) {
            try Grant(
                sealing: try sample.payload,
                id: .sample,
                creationTime: 0,
                recipient: [UInt8](repeating: 0, count: 32),
                teamSecret: try Key(sample.teamSeed),
                cipher: sample.cipher
            )
        }
    }
}
