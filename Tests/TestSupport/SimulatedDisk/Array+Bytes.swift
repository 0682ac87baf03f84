import Glibc

// Generic operations go byte by byte in a debug build, which is too slow for many states.
extension [UInt8] {
    /// Makes the array so long, with zeros at its end if it was shorter.
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

    /// Puts the bytes in `range` of `source` at `offset`, where there is room for them.
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

    /// Puts the same byte everywhere in `range`.
    mutating func fill(_ range: Range<Int>, with byte: UInt8) {
        precondition(range.upperBound <= count, "the bytes do not fit")
        withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            memset(start + range.lowerBound, Int32(byte), range.count)
        }
    }
}
