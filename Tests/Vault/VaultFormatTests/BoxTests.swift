import CofferBasics
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

@Suite("Box") struct BoxTests {
    private let cipher: Cipher
    private let key: Key
    private let associatedData = Array("where it lies".utf8)

    init() throws {
        cipher = Cipher(vault: .sample, random: try SystemRandom())
        key = try Key(countingBytes(from: 1, count: 32))
    }

    private func sealed(_ content: [UInt8]) -> [UInt8] {
        Box.sealed(content.span, key: key, associatedData: associatedData, cipher: cipher)
    }

    private func opened(_ box: [UInt8]) throws -> [UInt8] {
        try Box.opened(box.span, key: key, associatedData: associatedData)
    }

    /// A box around an arbitrary text, which need not begin with a length.
    private func forged(_ text: [UInt8]) -> [UInt8] {
        let nonce = countingBytes(from: 200, count: 24)
        var sealedPart = text + [UInt8](repeating: 0, count: 16)
        var span = sealedPart.mutableSpan
        key.seal(&span, nonce: nonce.span, associatedData: associatedData.span)
        return nonce + sealedPart
    }

    private func text(length: UInt32, byteCount: Int) -> [UInt8] {
        littleEndian(length) + [UInt8](repeating: 0, count: byteCount - 4)
    }

    // MARK: - Round trips

    @Test(arguments: [
        (0, 64), (1, 64), (20, 64), (21, 128), (64, 128), (84, 128), (85, 192), (4052, 4096), (100_000, 100_352),
        (1_048_576, 1_081_344),
    ])
    func `content comes back from a box of the padded size`(byteCount: Int, boxByteCount: Int) throws {
        let content = countingBytes(from: 7, count: byteCount)
        let box = sealed(content)
        #expect(box.count == boxByteCount)
        #expect(Box.byteCount(contentByteCount: byteCount) == boxByteCount)
        #expect(try opened(box) == content)
    }

    @Test(
        .temporaryDirectory,
        .enabled(if: PythonOracle.isExpected, "Python is missing."),
        arguments: [0, 1, 20, 21, 84, 85, 5000]
    )
    func `Python opens our boxes`(byteCount: Int) throws {
        let content = countingBytes(from: 7, count: byteCount)
        let items = [countingBytes(from: 1, count: 32), associatedData, sealed(content)]
        #expect(try formatOracleAnswer(to: items, task: "box-open") == [content])
    }

    @Test func `a valid forged box opens, so the others fail because of their defects`() throws {
        #expect(
            try opened(forged(littleEndian(UInt32(3)) + [9, 8, 7] + [UInt8](repeating: 0, count: 17))) == [9, 8, 7]
        )
    }

    // MARK: - The rules of section 1.3

    @Test(arguments: [0, 1, 40, 63, 65, 127])
    func `a size that is not a multiple of 64, or is less than 64, is rejected`(byteCount: Int) {
        let box = [UInt8](repeating: 0, count: byteCount)
        #expect(throws: Fault(.badLength)) { try opened(box) }
    }

    @Test(arguments: [21, 24, 65_536, UInt32.max])
    func `a length that the box cannot hold is rejected`(length: UInt32) {
        #expect(throws: Fault(.badLength)) { try opened(forged(text(length: length, byteCount: 24))) }
    }

    @Test(arguments: [(0, 128), (20, 128), (84, 192), (1, 1088), (2000, 2112)])
    func `a box that is larger than its length needs is rejected`(length: Int, boxByteCount: Int) {
        let text = text(length: UInt32(length), byteCount: boxByteCount - 40)
        #expect(throws: Fault(.badLength)) { try opened(forged(text)) }
    }

    @Test(arguments: [7, 15, 23])
    func `nonzero padding is rejected`(index: Int) {
        var text = text(length: 3, byteCount: 24)
        text[index] = 1
        #expect(throws: Fault(.badPadding)) { try opened(forged(text)) }
    }

    // MARK: - Binding

    @Test func `a wrong key does not open a box`() throws {
        let other = try Key(countingBytes(from: 2, count: 32))
        let box = sealed([1, 2, 3])
        #expect(throws: Fault(.notAuthentic)) {
            try Box.opened(box.span, key: other, associatedData: associatedData)
        }
    }

    @Test(arguments: [[], Array("where it lie".utf8), Array("where it lies\0".utf8), Array("Where it lies".utf8)])
    func `wrong associated data does not open a box`(other: [UInt8]) {
        let box = sealed([1, 2, 3])
        #expect(throws: Fault(.notAuthentic)) {
            try Box.opened(box.span, key: key, associatedData: other)
        }
    }

    @Test func `every flipped bit of a small box is detected`() {
        let box = sealed([1, 2, 3])
        for bit in 0..<box.count * 8 {
            var changed = box
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: Fault(.notAuthentic), "bit \(bit)") { try opened(changed) }
        }
    }

    /// The box opens and only then breaks a rule; its plaintext must not stay in the caller's memory.
    @Test(arguments: [(200, 0), (3, 1)])
    func `after an error the buffer holds no plaintext`(length: UInt32, lastByte: UInt8) {
        var text = littleEndian(length) + Array("secret".utf8) + [UInt8](repeating: 0, count: 14)
        text[23] = lastByte
        var buffer = forged(text)
        #expect(throws: Fault.self) {
            var span = buffer.mutableSpan
            _ = try Box.open(&span, key: key, associatedData: associatedData.span)
        }
        #expect(buffer[24...].allSatisfy { $0 == 0 })
    }

    @Test func `the same content is sealed differently each time`() {
        #expect(sealed([1]) != sealed([1]))
    }
}
