extension MutableSpan where Element == UInt8 {
    /// Copies `byteCount` of `bytes`, from `offset` on, to the beginning.
    package mutating func copy(_ bytes: [UInt8], from offset: Int, byteCount: Int) {
        unsafe withUnsafeMutableBytes { buffer in
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + byteCount]))
            }
        }
    }
}
