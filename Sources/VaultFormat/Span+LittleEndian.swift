extension Span<UInt8> {
    /// The integer at `offset`, lowest byte first; the caller has checked that it lies within the span.
    @inlinable
    package func littleEndian<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type = Value.self) -> Value {
        var value: Value = 0
        for byte in 0..<MemoryLayout<Value>.size {
            value |= Value(truncatingIfNeeded: self[offset + byte]) &<< Value(truncatingIfNeeded: 8 &* byte)
        }
        return value
    }
}

extension OutputSpan<UInt8> {
    /// Appends an integer, lowest byte first.
    package mutating func append(littleEndian value: some FixedWidthInteger) {
        var rest = value
        for _ in 0..<(type(of: value).bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}

extension [UInt8] {
    /// Appends an integer, lowest byte first.
    package mutating func append(littleEndian value: some FixedWidthInteger) {
        var rest = value
        for _ in 0..<(type(of: value).bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}

extension [UInt8] {
    /// The bytes of `span`.
    package init(copying span: Span<UInt8>) {
        self = [UInt8](capacity: span.count) { output in
            for index in span.indices { output.append(span[index]) }
        }
    }
}
