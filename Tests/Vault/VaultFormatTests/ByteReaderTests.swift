import Testing
import VaultFormat

@Suite("Byte reader") struct ByteReaderTests {
    private func expect(
        _ fault: Fault.Reason,
        at offset: Int,
        in bytes: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (inout ByteReader) throws -> Void
    ) {
        var reader = ByteReader(bytes)
        #expect(throws: Fault(fault, at: offset), sourceLocation: sourceLocation) { try body(&reader) }
    }

    @Test func `integers are read with their lowest byte first`() throws {
        var reader = ByteReader([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xFE, 0xFF])
        #expect(try reader.read(UInt8.self) == 1)
        #expect(try reader.read(UInt16.self) == 0x0302)
        #expect(try reader.readCount() == 0x0706_0504)
        #expect(try reader.read(UInt64.self) == 0x0F0E_0D0C_0B0A_0908)
        #expect(try reader.read(Int16.self) == -2)
        #expect(reader.remainingByteCount == 0)
        try reader.expectEnd()
    }

    @Test(arguments: 0..<8) func `an integer that extends past the end is too short`(byteCount: Int) {
        expect(.tooShort, at: 0, in: [UInt8](repeating: 1, count: byteCount)) { _ = try $0.read(UInt64.self) }
    }

    @Test func `a length beyond the end is rejected before any allocation`() {
        expect(.tooShort, at: 0, in: [1, 2]) { _ = try $0.readBytes(3) }
        expect(.tooShort, at: 0, in: [1, 2]) { _ = try $0.readBytes(.max) }
        expect(.tooShort, at: 0, in: [1, 2]) { _ = try $0.readBytes(-1) }
        expect(.tooShort, at: 4, in: [255, 255, 255, 255, 0]) { _ = try $0.readBytes(try $0.readCount()) }
        expect(.tooShort, at: 4, in: [2, 0, 0, 0, 0]) { _ = try $0.readPart(try $0.readCount()) }
        expect(.tooShort, at: 0, in: [0]) { try $0.readZeros(2) }
        expect(.tooShort, at: 0, in: [UInt8](repeating: 0, count: 15)) { _ = try $0.readIdentifier(of: ItemKind.self) }
    }

    @Test func `a failed read leaves the reader where it was`() throws {
        var reader = ByteReader([1, 2, 3])
        _ = try reader.read(UInt8.self)
        #expect(throws: Fault(.tooShort, at: 1)) { try reader.readBytes(3) }
        #expect(try reader.readBytes(2) == [2, 3])
    }

    @Test func `nonzero reserved bytes and padding are reported with their offset`() {
        expect(.reservedNotZero, at: 2, in: [0, 0, 1, 1]) { try $0.readZeros(4) }
        expect(.badPadding, at: 3, in: [9, 0, 0, 1]) {
            _ = try $0.read(UInt8.self)
            try $0.readPadding()
        }
    }

    @Test func `remaining bytes are reported`() {
        expect(.badLength, at: 1, in: [1, 2]) {
            _ = try $0.read(UInt8.self)
            try $0.expectEnd()
        }
    }

    @Test func `a part ends where it says, and its offsets count from the start of the whole`() throws {
        var reader = ByteReader([1, 2, 3, 4])
        _ = try reader.read(UInt8.self)
        var part = try reader.readPart(2)
        #expect(part.offset == 1)
        #expect(throws: Fault(.tooShort, at: 1)) { try part.read(UInt32.self) }
        #expect(try part.readBytes(2) == [2, 3])
        try part.expectEnd()
        #expect(try reader.read(UInt8.self) == 4)
    }

    @Test func `a range that is out of bounds is a programming error`() async {
        await #expect(processExitsWith: .failure) { _ = ByteReader([1], in: 0..<2) }
    }
}
