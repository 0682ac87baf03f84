import Glibc

// Generic operations work byte by byte in a debug build, which is too slow for many states.
extension [UInt8] {
    /// Changes the size of the array, adding zeros at its end if it was shorter.
    mutating func resize(to byteCount: Int) {
        guard byteCount > count else { return removeLast(count - byteCount) }
        let addedByteCount = byteCount - count
        append(
            contentsOf: [UInt8](unsafeUninitializedCapacity: addedByteCount) { buffer, initializedCount in
                if let start = buffer.baseAddress { memset(start, 0, addedByteCount) }
                initializedCount = addedByteCount
            }
        )
    }

    /// Copies the bytes in `range` of `source` to `offset`, where there must be room for them.
    mutating func overwrite(at offset: Int, with source: [UInt8], in range: Range<Int>) {
        guard !range.isEmpty else { return }
        precondition(offset >= 0 && offset + range.count <= count, "the bytes do not fit")
        withUnsafeMutableBytes { target in
            source.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + range.count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[range]))
            }
        }
    }

    /// Sets all bytes in `range` to the same value.
    mutating func fill(_ range: Range<Int>, with byte: UInt8) {
        precondition(range.upperBound <= count, "the bytes do not fit")
        withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            memset(start + range.lowerBound, Int32(byte), range.count)
        }
    }
}
