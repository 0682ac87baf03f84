internal import KeyedArchive

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
            rest &>>= 8
        }
    }
}

extension [UInt8] {
    /// Appends an integer, lowest byte first.
    package mutating func append(littleEndian value: some FixedWidthInteger) {
        var rest = value
        for _ in 0..<(type(of: value).bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: rest))
            rest &>>= 8
        }
    }
}

extension [UInt8] {
    /// The bytes of `span`.
    package init(copying span: Span<UInt8>) {
        self.init(byteCount: span.count) { $0.append(copying: span) }
    }

    /// Appends the bytes of `span`.
    package mutating func append(copying span: Span<UInt8>) {
        append(byteCount: span.count) { $0.append(copying: span) }
    }

    /// `byteCount` zero bytes.
    package init(zeroByteCount byteCount: Int) {
        self = []
        append(zeroByteCount: byteCount)
    }

    /// Appends `byteCount` zero bytes.
    package mutating func append(zeroByteCount byteCount: Int) {
        append(byteCount: byteCount) { $0.append(zeroByteCount: byteCount) }
    }

    /// The bytes that `write` appends, `byteCount` at most.
    init(byteCount: Int, writtenBy write: (inout OutputSpan<UInt8>) -> Void) {
        // `init(capacity:)` looks up the type of the array's memory each time, which takes longer than to allocate it.
        self = []
        append(byteCount: byteCount, writtenBy: write)
    }

    /// Appends the bytes that `write` appends, `byteCount` at most.
    private mutating func append(byteCount: Int, writtenBy write: (inout OutputSpan<UInt8>) -> Void) {
        // Of an empty array the library would write the count, which all empty arrays of all threads have in common.
        guard byteCount > 0 else { return }
        append(addingCapacity: byteCount, initializingWith: write)
    }
}
