internal import CZlib
package import VaultFormat

/// The format's compression, by zlib.
package struct ZlibCompressor: Compressor {
    private let level: Int32

    /// A compressor of the given effort, 1 to 9.
    package init(level: Int = 6) {
        precondition((1...9).contains(level), "zlib knows the levels 1 to 9")
        self.level = Int32(level)
    }

    package func compressed(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
        var byteCount = compressBound(UInt(bytes.count))
        var stream = [UInt8](repeating: 0, count: Int(byteCount))
        guard unsafe compress2(&stream, &byteCount, bytes, UInt(bytes.count), level) == Z_OK else {
            throw .outOfMemory
        }
        stream.removeLast(stream.count - Int(byteCount))
        return stream
    }

    package func inflated(_ stream: Span<UInt8>, byteCount: Int) throws(CompressionError) -> [UInt8] {
        precondition(stream.count <= UInt32.max && byteCount <= UInt32.max, "the format has no blocks of 4 GiB")
        var output = [UInt8](repeating: 0, count: byteCount)
        let ending = try Self.inflate(stream, into: &output)
        switch ending.status {
        case _ where ending.isExceeded: throw .tooLong
        case Z_STREAM_END where ending.missingByteCount > 0: throw .tooShort
        case Z_STREAM_END where ending.restByteCount > 0: throw .trailingBytes
        case Z_STREAM_END: return output
        // It could go on: with more of the stream, since there was room for more output.
        case Z_OK, Z_BUF_ERROR: throw .tooShort
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .malformed
        }
    }

    /// How far zlib came with a stream.
    private struct Ending {
        let status: Int32
        /// How many bytes of the output were not written.
        let missingByteCount: Int
        /// How many bytes of the stream were not read.
        let restByteCount: Int
        /// Whether the stream gives more than the output holds.
        let isExceeded: Bool
    }

    private static func inflate(
        _ stream: Span<UInt8>,
        into output: inout [UInt8]
    ) throws(CompressionError) -> Ending {
        var inflater = unsafe z_stream()
        guard unsafe inflateInit_(&inflater, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .outOfMemory
        }
        defer { unsafe inflateEnd(&inflater) }
        return unsafe stream.withUnsafeBufferPointer { input in
            unsafe inflater.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe inflater.avail_in = UInt32(input.count)
            // zlib wants the address of some output, which an empty array has not.
            var status = Z_OK
            if !output.isEmpty { status = unsafe inflate(&inflater, into: &output, byteCount: output.count) }
            let missingByteCount = unsafe Int(inflater.avail_out)
            var isExceeded = false
            if missingByteCount == 0, status == Z_OK || status == Z_BUF_ERROR {
                // One byte more tells a stream that goes on from one that lacks its end.
                var excess: UInt8 = 0
                status = unsafe inflate(&inflater, into: &excess, byteCount: 1)
                isExceeded = unsafe inflater.avail_out == 0
            }
            return unsafe Ending(
                status: status,
                missingByteCount: missingByteCount,
                restByteCount: Int(inflater.avail_in),
                isExceeded: isExceeded
            )
        }
    }

    private static func inflate(
        _ inflater: inout z_stream,
        into output: UnsafeMutablePointer<UInt8>,
        byteCount: Int
    ) -> Int32 {
        unsafe inflater.next_out = output
        unsafe inflater.avail_out = UInt32(byteCount)
        return unsafe CZlib.inflate(&inflater, Z_FINISH)
    }
}
