import Testing
import TestSupport
import VaultCrypto
import VaultFormat

/// Section 10.2 of the store's specification.
@Suite("Held keys as bytes") struct HeldKeysTests {
    private let sample: HeldKeysSample

    init() throws {
        sample = try HeldKeysSample()
    }

    /// The sample with `bytes` at `offset`.
    private func bytes(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
        var changed = sample.bytes
        changed.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return changed
    }

    @Test func `written keys are read back`() throws {
        let keys = try sample.parsed(sample.bytes)
        #expect(keys.structureKey.key.bytes == HeldKeysSample.key(0xA0))
        #expect(keys.structureKey.epoch == 7)
        #expect(keys.devices == sample.keys.devices)
        #expect(keys.classKeys.mapValues(\.bytes) == sample.keys.classKeys.mapValues(\.bytes))
        #expect(keys.matchKeys.mapValues(\.bytes) == sample.keys.matchKeys.mapValues(\.bytes))
    }

    @Test func `every byte is where the specification puts it`() throws {
        let (one, other) = (countingBytes(from: 1, count: 16), countingBytes(from: 2, count: 16))
        let group = countingBytes(from: 0x21, count: 8)
        let none = [UInt8](repeating: 0, count: 16)
        var expected: [UInt8] = [1, 0, 0, 0, 7, 0, 0, 0] + HeldKeysSample.key(0xA0)
        expected += [2, 0, 0, 0] + one + other
        expected += [3, 0, 0, 0]
        expected += [6, 0, 0, 0, 1, 0, 0, 0] + none + HeldKeysSample.key(0xB0)
        expected += [6, 0, 0, 0, 2, 0, 0, 0] + none + HeldKeysSample.key(0xB1)
        expected += [9, 0, 0, 0, 1, 0, 0, 0] + one + HeldKeysSample.key(0xB2)
        expected += [2, 0, 0, 0]
        expected += group + [1, 0, 0, 0] + HeldKeysSample.key(0xC0)
        expected += group + [2, 0, 0, 0] + HeldKeysSample.key(0xC1)
        #expect(sample.bytes == expected)
        #expect(sample.keys.byteCount == HeldKeysSample.byteCount)
    }

    @Test func `a structure key alone is enough`() throws {
        let keys = HeldKeys(
            structureKey: sample.keys.structureKey,
            classKeys: [:],
            matchKeys: [:],
            devices: []
        )
        #expect(sample.written(try sample.parsed(sample.written(keys))) == sample.written(keys))
    }

    @Test(arguments: 0..<HeldKeysSample.byteCount) func `truncated bytes are rejected`(byteCount: Int) {
        #expect(throws: Fault.self) { try sample.parsed(Array(sample.bytes.prefix(byteCount))) }
    }

    @Test func `trailing bytes are rejected`() {
        #expect(throws: Fault(.badLength, at: HeldKeysSample.byteCount)) {
            try sample.parsed(sample.bytes + [0])
        }
    }

    @Test(arguments: 0..<HeldKeysSample.byteCount)
    func `a flipped bit is rejected or is visible in the result`(offset: Int) {
        for bit in 0..<8 {
            let changed = bytes(offset, [sample.bytes[offset] ^ (1 << bit)])
            guard let keys = try? sample.parsed(changed) else { continue }
            #expect(sample.written(keys) == changed)
        }
    }

    /// The devices begin at 40, the class keys at 76, the match keys at 248.
    @Test(
        arguments: [
            (0, [0], .unsupported(.majorVersion(0)), 0), (0, [2], .unsupported(.majorVersion(2)), 0),
            (1, [1], .reservedNotZero, 1), (3, [1], .reservedNotZero, 3),
            (40, [3, 32, 0, 0], .limitExceeded(.keybagEntries, value: 8195), 40),
            (40, [255, 255, 255, 255], .limitExceeded(.keybagEntries, value: 0xFFFF_FFFF), 40),
            (40, [0, 16, 0, 0], .tooShort, 40), (40, [19, 0, 0, 0], .tooShort, 40),
            (76, [5, 0, 0, 0], .tooShort, 76), (76, [1, 32, 0, 0], .limitExceeded(.keybagEntries, value: 8193), 76),
            (248, [3, 0, 0, 0], .tooShort, 248), (248, [1, 0, 0, 0], .badLength, 296),
            (44, [UInt8](repeating: 0, count: 16), .badValue, 44),
            (44, countingBytes(from: 2, count: 16), .outOfOrder, 60),
            (44, countingBytes(from: 3, count: 16), .outOfOrder, 60),
            (80, [5], .badValue, 80), (80, [13], .badValue, 80), (81, [1], .reservedNotZero, 81),
            (80, [9], .disagrees, 88), (192, [6], .disagrees, 200), (200, [9], .missing, 192),
            (88, [1], .disagrees, 88),
            (84, [2], .outOfOrder, 136), (84, [3], .outOfOrder, 136), (260, [2], .outOfOrder, 296),
            (260, [3], .outOfOrder, 296),
        ] as [(Int, [UInt8], Fault.Reason, Int)]
    )
    func `an invalid field is reported with its offset`(offset: Int, bytes: [UInt8], fault: Fault.Reason, at place: Int)
    {
        #expect(throws: Fault(fault, at: place)) { try sample.parsed(self.bytes(offset, bytes)) }
    }
}
