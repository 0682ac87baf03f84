package import CofferBasics

/// Reads the fields of a structure one after the other.
///
/// Every read is checked against the remaining bytes, so a hostile length never reaches an allocation or an index.
package struct ByteReader {
    package let bytes: [UInt8]
    /// The offset of the next field.
    package private(set) var offset: Int
    /// The end of the structure.
    package let end: Int

    /// Reads all of `bytes`.
    package init(_ bytes: [UInt8]) {
        self.init(bytes, in: 0..<bytes.count)
    }

    /// Reads the part of `bytes` in `range`; offsets still count from the start of `bytes`.
    package init(_ bytes: [UInt8], in range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "the range is out of bounds")
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    package var remainingByteCount: Int { end - offset }

    /// The next integer, lowest byte first.
    package mutating func read<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type = Value.self)
        throws(Fault) -> Value
    {
        let start = try skip(MemoryLayout<Value>.size)
        return bytes.span.littleEndian(at: start)
    }

    /// The next integer of four bytes, as a count.
    package mutating func readCount() throws(Fault) -> Int {
        Int(try read(UInt32.self))
    }

    /// The next `byteCount` bytes.
    package mutating func readBytes(_ byteCount: Int) throws(Fault) -> [UInt8] {
        let start = try skip(byteCount)
        return Array(bytes[start..<offset])
    }

    /// The next identifier of 16 bytes.
    package mutating func readIdentifier<Kind>(of kind: Kind.Type = Kind.self) throws(Fault) -> Identifier<Kind> {
        let start = try skip(Identifier<Kind>.byteCount)
        return Identifier(bytes.span.extracting(start..<offset))
    }

    /// The next identifier of 8 bytes.
    package mutating func readShortIdentifier<Kind>(
        of kind: Kind.Type = Kind.self
    ) throws(Fault) -> ShortIdentifier<Kind> {
        let start = try skip(ShortIdentifier<Kind>.byteCount)
        return ShortIdentifier(bytes.span.extracting(start..<offset))
    }

    /// Skips reserved bytes, which must be zero.
    package mutating func readZeros(_ byteCount: Int) throws(Fault) {
        let start = try skip(byteCount)
        for index in start..<offset where bytes[index] != 0 {
            throw Fault(.reservedNotZero, at: index)
        }
    }

    /// Skips the rest, which must be zero.
    package mutating func readPadding() throws(Fault) {
        for index in offset..<end where bytes[index] != 0 {
            throw Fault(.badPadding, at: index)
        }
        offset = end
    }

    /// A reader of the next `byteCount` bytes, which this reader skips.
    package mutating func readPart(_ byteCount: Int) throws(Fault) -> ByteReader {
        let start = try skip(byteCount)
        return ByteReader(bytes, in: start..<offset)
    }

    /// Throws if bytes remain.
    package func expectEnd() throws(Fault) {
        guard offset == end else { throw Fault(.badLength, at: offset) }
    }

    /// Skips `byteCount` bytes and returns the offset of the first.
    mutating func skip(_ byteCount: Int) throws(Fault) -> Int {
        guard byteCount >= 0, byteCount <= remainingByteCount else { throw Fault(.tooShort, at: offset) }
        defer { offset += byteCount }
        return offset
    }
}
