internal import Glibc

// Integers, copies and zeros in bytes.

extension Span<UInt8> {
    /// Returns the integer at `offset`, lowest byte first; the caller has checked that it lies within the span.
    @inlinable
    package func littleEndian<Value: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int,
        as type: Value.Type = Value.self
    ) -> Value {
        unsafe Value(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// Whether all bytes are zero.
    @inlinable
    package var isZero: Bool {
        var union: UInt8 = 0
        for index in indices { union |= self[index] }
        return union == 0
    }

    /// Whether both have the same bytes; not in constant time.
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBufferPointer { one in
            unsafe other.withUnsafeBufferPointer { other in
                guard let one = one.baseAddress, let other = other.baseAddress else { return true }
                return unsafe memcmp(one, other, count) == 0
            }
        }
    }

    /// The index of the last byte that is not zero.
    package var lastNonZeroIndex: Int? {
        var index = count
        while index > 0 {
            index -= 1
            if self[index] != 0 { return index }
        }
        return nil
    }
}

extension MutableSpan<UInt8> {
    /// Overwrites the bytes from `offset` on with those of `source`.
    @inlinable
    package mutating func copy(from source: Span<UInt8>, at offset: Int = 0) {
        precondition(offset >= 0 && source.count <= count - offset, "the bytes do not fit")
        unsafe withUnsafeMutableBufferPointer { target in
            unsafe source.withUnsafeBufferPointer { source in
                guard let start = target.baseAddress, let first = source.baseAddress else { return }
                unsafe (start + offset).update(from: first, count: source.count)
            }
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends all of `bytes`.
    @inlinable
    package mutating func append(copying bytes: Span<UInt8>) {
        precondition(bytes.count <= freeCapacity, "not enough room in the output")
        // Uses pointers: appending byte by byte takes ten times as long.
        unsafe bytes.withUnsafeBufferPointer { source in
            unsafe withUnsafeMutableBufferPointer { target, count in
                guard let start = target.baseAddress, let first = source.baseAddress else { return }
                unsafe (start + count).update(from: first, count: source.count)
                count += source.count
            }
        }
    }

    /// Appends `byteCount` zero bytes.
    @inlinable
    package mutating func append(zeroByteCount byteCount: Int) {
        precondition(byteCount >= 0 && byteCount <= freeCapacity, "not enough room in the output")
        unsafe withUnsafeMutableBufferPointer { target, count in
            guard let start = target.baseAddress else { return }
            unsafe (start + count).initialize(repeating: 0, count: byteCount)
            count += byteCount
        }
    }

    /// Appends an integer, lowest byte first.
    @inlinable
    package mutating func append(littleEndian value: some FixedWidthInteger & BitwiseCopyable) {
        precondition(MemoryLayout.size(ofValue: value) <= freeCapacity, "not enough room in the output")
        unsafe withUnsafeMutableBufferPointer { target, count in
            guard let start = target.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(start + count).storeBytes(of: value.littleEndian, as: type(of: value))
            count += MemoryLayout.size(ofValue: value)
        }
    }
}

extension [UInt8] {
    /// Appends an integer, lowest byte first.
    @inlinable
    package mutating func append(littleEndian value: some FixedWidthInteger & BitwiseCopyable) {
        unsafe Swift.withUnsafeBytes(of: value.littleEndian) { bytes in unsafe append(contentsOf: bytes) }
    }
}

extension [UInt8] {
    /// The bytes of `span`.
    @inlinable
    package init(copying span: Span<UInt8>) {
        self.init(byteCount: span.count) { $0.append(copying: span) }
    }

    /// Appends the bytes of `span`.
    @inlinable
    package mutating func append(copying span: Span<UInt8>) {
        append(byteCount: span.count) { $0.append(copying: span) }
    }

    /// Creates an array of `byteCount` zero bytes.
    @inlinable
    package init(zeroByteCount byteCount: Int) {
        self = []
        append(zeroByteCount: byteCount)
    }

    /// Appends `byteCount` zero bytes.
    @inlinable
    package mutating func append(zeroByteCount byteCount: Int) {
        append(byteCount: byteCount) { $0.append(zeroByteCount: byteCount) }
    }

    /// Creates an array of the bytes that `write` appends, at most `byteCount`.
    @inlinable
    package init(byteCount: Int, writtenBy write: (inout OutputSpan<UInt8>) -> Void) {
        // `init(capacity:)` looks up the type of the array's memory each time, which takes longer than allocating it.
        self = []
        append(byteCount: byteCount, writtenBy: write)
    }

    /// Appends the bytes that `write` appends, at most `byteCount`.
    @inlinable
    mutating func append(byteCount: Int, writtenBy write: (inout OutputSpan<UInt8>) -> Void) {
        // For an empty array, the library would write the count, which the empty arrays of all threads share.
        guard byteCount > 0 else { return }
        append(addingCapacity: byteCount, initializingWith: write)
    }
}

extension Span<UInt8> {
    /// Whether `other` has the same bytes; the time this takes reveals nothing about them.
    package func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in indices { difference |= self[index] ^ other[index] }
        return difference == 0
    }

    /// Whether `byte` is among the bytes.
    package func contains(_ byte: UInt8) -> Bool { indices.contains { self[$0] == byte } }

    /// Whether the bytes are UTF-8.
    package var isText: Bool { (try? UTF8Span(validating: self)) != nil }
}
