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
