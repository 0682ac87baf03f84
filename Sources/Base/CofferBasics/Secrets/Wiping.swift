internal import Glibc

// Overwrites values before their memory is released. Storage that is shared stays as it is: the standard library then
// copies it, and the copy is overwritten.

/// Overwrites bytes with zeros, even if they are never read again.
@usableFromInline
func zero(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
}

extension MutableSpan<UInt8> {
    /// Overwrites the bytes with zeros, even if they are never read again.
    @inlinable
    package mutating func wipe() {
        unsafe withUnsafeMutableBufferPointer { bytes in
            unsafe zero(bytes)
        }
    }
}

extension [UInt8] {
    /// Overwrites all memory of the array with zeros.
    @inline(never)
    package mutating func wipe() {
        unsafe withUnsafeMutableBufferPointer { unsafe $0.update(repeating: 0) }
        // Elements removed from the end are still in memory.
        let spare = capacity - count
        guard spare > 0 else { return }
        append(addingCapacity: spare) { (output: inout OutputSpan<UInt8>) in output.append(zeroByteCount: spare) }
    }

    /// Lends the bytes to `body`, and wipes them afterwards.
    ///
    /// Call it directly on a function's result: a constant would hold the bytes a second time.
    package consuming func wipedAfter<Result, Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var bytes = consume self
        defer { bytes.wipe() }
        return try body(bytes)
    }
}

extension String {
    /// Overwrites the text with NUL characters.
    @inline(never)
    package mutating func wipe() {
        let count = utf8.count
        // A `Substring` is copied as bytes; any other collection of characters takes a hundred times as long.
        guard count > Self.zeros.utf8.count else {
            return replaceSubrange(startIndex..., with: Substring(Self.zeros.utf8.prefix(count)))
        }
        replaceSubrange(startIndex..., with: String(repeating: "\0", count: count))
    }

    private static let zeros = String(repeating: "\0", count: 256)
}
