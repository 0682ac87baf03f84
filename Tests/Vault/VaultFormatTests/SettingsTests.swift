import CofferBasics
import KeyedArchive
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

/// Section 8.7.
@Suite("Settings") struct SettingsTests {
    private let teamSecret: Key
    private let settings = Settings(
        revision: 258,
        values: ["historyDays": 30, "historyRevisions": 10, "compression": true, "later": "kept"]
    )

    init() throws {
        teamSecret = try Key(countingBytes(from: 1, count: 32))
    }

    private var teamKey: [UInt8] { teamSecret.signingPublicKey }

    private func read(_ body: [UInt8], teamKey: [UInt8]? = nil, vault: VaultID = .sample) throws -> Settings {
        try Settings(body: body, teamKey: teamKey ?? self.teamKey, vault: vault)
    }

    private var body: [UInt8] {
        get throws { try settings.signed(by: teamSecret, vault: .sample) }
    }

    /// The body of `content` with a valid signature.
    private func signed(_ content: [UInt8]) -> [UInt8] {
        let text = Array("coffer1.settings".utf8) + VaultID.sample.bytes + content
        return content + teamSecret.signature(of: text.span)
    }

    private func content(_ archive: [UInt8], byteCount: Int? = nil) -> [UInt8] {
        littleEndian(UInt64(1)) + littleEndian(UInt32(byteCount ?? archive.count)) + [0, 0, 0, 0] + archive
    }

    @Test func `settings are read back, including unknown ones`() throws {
        #expect(try read(try body) == settings)
    }

    @Test func `a negative number or a value of the wrong type is ignored`() {
        var settings = settings
        #expect((settings.historyRevisions, settings.historyDays) == (10, 30))
        settings.values["historyDays"] = -1
        settings.values["historyRevisions"] = "10"
        #expect((settings.historyRevisions, settings.historyDays) == (nil, nil))
    }

    @Test func `the body is laid out and signed as the specification says`() throws {
        let archive = try ArchiveValue.dictionary(settings.values).archived()
        let expected = littleEndian(UInt64(258)) + littleEndian(UInt32(archive.count)) + [0, 0, 0, 0] + archive
        #expect(try body == signed(expected))
    }

    @Test func `a signature that the team key does not verify is rejected`() throws {
        let body = try body
        let other = try Key(countingBytes(from: 2, count: 32)).signingPublicKey
        #expect(throws: Fault(.notAuthentic)) { try read(body, teamKey: other) }
        #expect(throws: Fault(.notAuthentic)) { try read(body, vault: .none) }
        #expect(throws: Fault(.missing)) { try Settings(body: body, teamKey: nil, vault: .sample) }
        for offset in stride(from: 0, to: body.count, by: 7) {
            var changed = body
            changed[offset] ^= 4
            #expect(throws: Fault(.notAuthentic), "byte \(offset)") { try read(changed) }
        }
    }

    @Test(arguments: [0, 1, 63]) func `a body without room for a signature is too short`(byteCount: Int) {
        #expect(throws: Fault(.tooShort)) { try read([UInt8](repeating: 0, count: byteCount)) }
    }

    @Test func `invalid settings are rejected even with a valid signature`() throws {
        let archive = try ArchiveValue.dictionary(settings.values).archived()
        #expect(throws: Fault(.tooShort)) { try read(signed([])) }
        #expect(throws: Fault(.tooShort, at: 16)) { try read(signed(content(archive, byteCount: archive.count + 1))) }
        #expect(throws: Fault(.badLength, at: 16 + archive.count)) { try read(signed(content(archive) + [0])) }
        var reserved = content(archive)
        reserved[12] = 1
        #expect(throws: Fault(.reservedNotZero, at: 12)) { try read(signed(reserved)) }
        #expect(throws: Fault(.archive, at: 16)) { try read(signed(content(Array("text".utf8)))) }
        #expect(throws: Fault(.archive, at: 16)) {
            try read(signed(content(try ArchiveValue.string("text").archived())))
        }
        #expect(throws: Fault(.archive, at: 16)) { try read(signed(content(archive + [0]))) }
    }

    @Test func `revocations are laid out as the specification says, and at most 1,024 of them`() throws {
        var revocations = Revocations()
        let group = GroupID(countingBytes(from: 1, count: 8).span)
        revocations.insert(.device, [UInt8](repeating: 7, count: 16), of: .none, epoch: 3)
        revocations.insert(.grant, [UInt8](repeating: 5, count: 16), of: group, epoch: 258)
        let all = [UInt8](repeating: 0, count: 8) + [2] + [UInt8](repeating: 7, count: 16) + [3, 0, 0, 0]
        let one = countingBytes(from: 1, count: 8) + [1] + [UInt8](repeating: 5, count: 16) + [2, 1, 0, 0]
        #expect(revocations.bytes == all + one)
        #expect(Revocations(bytes: all + one) == revocations)
        #expect(Revocations(bytes: one + all) == nil)
        #expect(Revocations(bytes: revocations.bytes)?.hasGrants == true)
    }

    @Test func `of more than 1,024 revocations, the newest of each group stays`() throws {
        var revocations = Revocations()
        let first = GroupID(countingBytes(from: 1, count: 8).span)
        let second = GroupID(countingBytes(from: 2, count: 8).span)
        revocations.insert(.grant, [UInt8](repeating: 5, count: 16), of: first, epoch: 2)
        for number in 0..<1_100 {
            let id = littleEndian(UInt64(number)) + [UInt8](repeating: 1, count: 8)
            revocations.insert(.grant, id, of: second, epoch: UInt32(3 + number))
        }
        let kept = try #require(Revocations(bytes: revocations.bytes))
        #expect(revocations.bytes.count == 1_024 * 29)
        #expect(!kept.concerning([first]).isEmpty)
        #expect(kept.bytes == revocations.bytes)
    }

    @Test func `with more than 1,024 groups, revocations hold for all groups`() throws {
        var revocations = Revocations()
        for number in 0..<1_100 {
            let group = GroupID(littleEndian(UInt64(number + 1)).span)
            revocations.insert(.grant, [UInt8](repeating: UInt8(number / 260), count: 16), of: group, epoch: 2)
        }
        let kept = try #require(Revocations(bytes: revocations.bytes))
        #expect(kept.bytes.count == 5 * 29)
        #expect(kept.concerning([]) == kept)
    }
}
