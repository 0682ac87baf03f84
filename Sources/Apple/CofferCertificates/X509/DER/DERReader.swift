/// The position of a DER element.
package struct DERElement: Equatable, Sendable {
    /// The tag.
    package let tag: DERTag
    /// The whole element, with its tag and length.
    package let range: Range<Int>
    /// The content, without the tag and length.
    package let content: Range<Int>
}

/// Reads the elements of a structure one after the other.
///
/// Every length is checked against the remaining bytes before it is used, and content is not copied. Nested elements are
/// read by a reader of their own, so deep nesting needs no stack.
package struct DERReader {
    /// The bytes that contain the structure.
    package let bytes: [UInt8]
    /// The offset of the next element.
    package private(set) var offset: Int
    /// The end of the structure.
    package let end: Int

    /// Reads the part of `bytes` in `range`; offsets still count from the start of `bytes`.
    package init(_ bytes: [UInt8], in range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "the range is out of bounds")
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Whether no elements remain.
    package var isAtEnd: Bool { offset == end }

    /// The tag of the next element; nil at the end.
    package var nextTag: DERTag? { isAtEnd ? nil : DERTag(rawValue: bytes[offset]) }

    /// The next element, whatever its tag.
    package mutating func read() throws(CertificateError) -> DERElement {
        let start = offset
        guard let tag = nextTag else { throw CertificateError(.missingElement, at: start) }
        guard tag.number < 31 else { throw CertificateError(.unsupportedTag, at: start) }
        offset += 1
        let byteCount = try readLength()
        guard byteCount <= end - offset else { throw CertificateError(.truncated, at: start) }
        let content = offset..<offset + byteCount
        offset = content.upperBound
        return DERElement(tag: tag, range: start..<offset, content: content)
    }

    /// The next element, which must have this tag.
    package mutating func read(_ tag: DERTag) throws(CertificateError) -> DERElement {
        guard nextTag == nil || nextTag == tag else { throw CertificateError(.unexpectedTag, at: offset) }
        return try read()
    }

    /// The next element if it has this tag.
    package mutating func readIfPresent(_ tag: DERTag) throws(CertificateError) -> DERElement? {
        nextTag == tag ? try read() : nil
    }

    /// A reader of the content of the next element, which must have this tag.
    package mutating func enter(_ tag: DERTag = .sequence) throws(CertificateError) -> DERReader {
        DERReader(bytes, in: try read(tag).content)
    }

    /// Throws if elements remain.
    package func expectEnd() throws(CertificateError) {
        guard isAtEnd else { throw CertificateError(.unexpectedElement, at: offset) }
    }

    private mutating func readLength() throws(CertificateError) -> Int {
        let start = offset
        let first = try readByte()
        guard first >= 0x80 else { return Int(first) }
        guard (0x81...0x84).contains(first) else { throw CertificateError(.invalidLength, at: start) }
        var byteCount = 0
        for _ in 0..<first & 0x7F { byteCount = byteCount << 8 | Int(try readByte()) }
        // DER has one form for each length, so that equal values have equal bytes.
        guard offset - start == byteCount.lengthByteCount else { throw CertificateError(.invalidLength, at: start) }
        return byteCount
    }

    private mutating func readByte() throws(CertificateError) -> UInt8 {
        guard !isAtEnd else { throw CertificateError(.truncated, at: offset) }
        defer { offset += 1 }
        return bytes[offset]
    }
}

// Values of simple types.

extension DERReader {
    /// The next element, an object identifier.
    package mutating func readOID() throws(CertificateError) -> OID {
        OID(content: bytes[try read(.objectIdentifier).content])
    }

    /// The bytes of the next element, a bit string.
    package mutating func readBitString() throws(CertificateError) -> Range<Int> {
        let element = try read(.bitString)
        guard let unused = bytes[element.content].first, unused < 8, unused == 0 || element.content.count > 1 else {
            throw CertificateError(.invalidBitString, at: element.range.lowerBound)
        }
        return element.content.dropFirst()
    }

    /// The next element if it is a boolean, else false.
    package mutating func readBoolean() throws(CertificateError) -> Bool {
        guard let element = try readIfPresent(.boolean) else { return false }
        switch Array(bytes[element.content]) {
        case [0x00]: return false
        case [0xFF]: return true
        default: throw CertificateError(.invalidBoolean, at: element.range.lowerBound)
        }
    }

    /// The next element if it has this tag, as an integer from 0 to 2³² − 1.
    package mutating func readInteger(_ tag: DERTag = .integer) throws(CertificateError) -> Int? {
        guard let element = try readIfPresent(tag) else { return nil }
        let content = bytes[element.content]
        let value = content.prefix(5).reduce(0) { $0 << 8 | Int($1) }
        // The shortest form has a zero byte in front only if the highest bit would be read as a sign.
        guard value <= UInt32.max, content.count == (Int.bitWidth - value.leadingZeroBitCount) / 8 + 1 else {
            throw CertificateError(.invalidInteger, at: element.range.lowerBound)
        }
        return value
    }

    /// The remaining elements, each read by `readElement`; there must be at least one.
    package mutating func readList<Value>(
        _ readElement: (inout DERReader) throws(CertificateError) -> Value
    ) throws(CertificateError) -> [Value] {
        guard !isAtEnd else { throw CertificateError(.emptyList, at: offset) }
        var values: [Value] = []
        while !isAtEnd { values.append(try readElement(&self)) }
        return values
    }
}
