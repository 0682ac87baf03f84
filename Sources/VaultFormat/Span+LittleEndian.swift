extension Span<UInt8> {
    /// The integer at `offset`, lowest byte first; the caller has checked that it lies within the span.
    package func littleEndian<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type = Value.self) -> Value {
        var value: Value = 0
        for index in stride(from: offset + MemoryLayout<Value>.size - 1, through: offset, by: -1) {
            value = value << 8 | Value(truncatingIfNeeded: self[index])
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
