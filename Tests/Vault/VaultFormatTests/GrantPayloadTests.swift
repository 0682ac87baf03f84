import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Grant payload") struct GrantPayloadTests {
    private let sample: GrantSample

    init() throws {
        sample = try GrantSample()
    }

    /// Opens a grant around `payload`, as a team member could make it.
    private func opened(_ payload: [UInt8]) throws -> GrantPayload {
        try sample.opened(try sample.forgedBody(around: payload))
    }

    /// The sample with `bytes` at `offset`.
    private func payload(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
        var payload = sample.payloadBytes
        payload.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return payload
    }

    /// The offsets of the counts in the sample: groups at 36, size of a name at 52, data keys at 94.
    @Test(
        arguments: [
            (36, 3, GrantPayloadDefect.nameByteCount, 283), (36, 6, .tooManyGroups, 36),
            (36, UInt32.max, .tooManyGroups, 36), (36, 0, .wrongPadding, 40), (36, 1, .wrongPadding, 218),
            (52, 0, .nameByteCount, 52), (52, 1025, .nameByteCount, 52), (52, .max, .nameByteCount, 52),
            (52, 265, .endsEarly, 56), (94, 4, .tooManyDataKeys, 94), (94, .max, .tooManyDataKeys, 94),
            (94, 0x0400_0000, .tooManyDataKeys, 94),
        ] as [(Int, UInt32, GrantPayloadDefect, Int)]
    )
    func `a wrong count is reported`(offset: Int, value: UInt32, defect: GrantPayloadDefect, at place: Int) throws {
        #expect(throws: GrantError.malformedPayload(defect, offset: place)) {
            try opened(payload(offset, littleEndian(value)))
        }
    }

    /// The data keys of the sample are at 98 and 158: handle, class, three zeros, device, key.
    @Test(
        arguments: [
            (56, [0xC3, 0x28], GrantPayloadDefect.nameIsNotUTF8, 56),
            (106, [5], .unknownProtectionClass, 106), (106, [13], .unknownProtectionClass, 106),
            (106, [0], .unknownProtectionClass, 106), (106, [9], .ownerDoesNotFitClass, 110),
            (110, [1], .ownerDoesNotFitClass, 110), (166, [8], .ownerDoesNotFitClass, 170),
            (107, [1], .reservedNotZero, 107), (108, [1], .reservedNotZero, 107), (109, [1], .reservedNotZero, 107),
            (271, [1], .paddingNotZero, 271), (319, [1], .paddingNotZero, 319),
        ] as [(Int, [UInt8], GrantPayloadDefect, Int)]
    )
    func `an invalid value is reported`(
        offset: Int,
        bytes: [UInt8],
        defect: GrantPayloadDefect,
        at place: Int
    ) throws {
        #expect(throws: GrantError.malformedPayload(defect, offset: place)) { try opened(payload(offset, bytes)) }
    }

    @Test func `excess padding is rejected`() throws {
        let longer = sample.payloadBytes + [UInt8](repeating: 0, count: 64)
        #expect(throws: GrantError.malformedPayload(.wrongPadding, offset: 271)) { try opened(longer) }
    }

    @Test(arguments: [
        (64, GrantPayloadDefect.tooManyGroups, 36), (128, .tooManyGroups, 36), (192, .tooManyDataKeys, 94),
        (256, .endsEarly, 235),
    ])
    func `a truncated payload is reported`(byteCount: Int, defect: GrantPayloadDefect, place: Int) {
        #expect(throws: GrantError.malformedPayload(defect, offset: place)) {
            try opened(Array(sample.payloadBytes.prefix(byteCount)))
        }
    }

    @Test func `a grant may have no groups`() throws {
        let payload = GrantPayload(
            structureKey: try Key(sample.structureKey),
            structureKeyEpoch: 1,
            groups: []
        )
        #expect(try sample.opened(try sample.grant(payload).body).groups.isEmpty)
    }

    @Test func `a group or a data key that occurs twice is refused`() throws {
        let twice = try payload(names: [[0x61]])
        let groups = GrantPayload(
            structureKey: twice.structureKey,
            structureKeyEpoch: 1,
            groups: twice.groups + twice.groups
        )
        let key = try sample.payload.groups[0].dataKeys[0]
        let keys = GrantPayload(
            structureKey: twice.structureKey,
            structureKeyEpoch: 1,
            groups: [try sample.group(0x21, name: [0x61], [key, key])]
        )
        for payload in [groups, keys] {
            let body = try sample.grant(payload).body
            #expect(throws: GrantError.malformedPayload(.duplicate, offset: 40)) { try sample.opened(body) }
        }
    }

    // MARK: - What a writer refuses

    /// A payload of 40 + 60 × (52 + 1,024) + 52 bytes, and the last name.
    private func largePayload(lastNameByteCount: Int) throws -> GrantPayload {
        let name = [UInt8](repeating: UInt8(ascii: "n"), count: 1024)
        let names = [[UInt8]](repeating: name, count: 60) + [Array(name.prefix(lastNameByteCount))]
        return try payload(names: names)
    }

    private func payload(names: [[UInt8]]) throws -> GrantPayload {
        GrantPayload(
            structureKey: try Key(sample.structureKey),
            structureKeyEpoch: 1,
            groups: try names.enumerated().map { try sample.group(0x21, epoch: UInt32($0), name: $1) }
        )
    }

    @Test func `a payload of exactly the limit is made and opened`() throws {
        let grant = try sample.grant(try largePayload(lastNameByteCount: 884))
        #expect(grant.body.count == 164 + 48 + 65_536 + 64 + 64)
        #expect(try sample.opened(grant.body).groups.count == 61)
    }

    @Test func `a payload beyond the limit is refused`() throws {
        let payload = try largePayload(lastNameByteCount: 885)
        #expect(throws: GrantError.tooLarge(payloadByteCount: 67_584)) { try sample.grant(payload) }
    }

    @Test func `a name that a reader would refuse is not written`() throws {
        let fine = Array("fine".utf8)
        for (name, defect) in [
            ([], .nameByteCount), ([UInt8](repeating: 0x6E, count: 1025), .nameByteCount),
            ([0xC3, 0x28], .nameIsNotUTF8), ([0xED, 0xA0, 0x80], .nameIsNotUTF8), ([0xFF], .nameIsNotUTF8),
        ] as [([UInt8], GrantPayloadDefect)] {
            let payload = try payload(names: [fine, name])
            // The second group begins at 40 + 52 + 4, its name 16 bytes later.
            #expect(throws: GrantError.malformedPayload(defect, offset: 112)) { try sample.grant(payload) }
        }
    }

    @Test func `a message says what is wrong and where`() {
        let error = GrantError.malformedPayload(.tooManyGroups, offset: 36)
        #expect("\(error)" == "invalid grant payload at byte 36: more groups than the payload has room for")
        let size = GrantError.tooLarge(payloadByteCount: 65_600)
        #expect("\(size)" == "grant payload too large: 65,600 bytes (limit 65,536)")
        #expect("\(GrantError.wrongByteCount(93))".contains("93"))
    }
}
