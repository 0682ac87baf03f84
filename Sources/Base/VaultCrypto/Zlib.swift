internal import CCofferZlib

/// The space before each allocation, which holds its size and keeps the allocation aligned for any type.
private let headByteCount = 16

/// The only compression of the format, a zlib stream (RFC 1950), and what zip and gzip put around the same bytes.
package enum Zlib {
    /// The zlib stream of `bytes`, compressed at a level of 1 to 9.
    package static func compressed(_ bytes: [UInt8], level: Int32 = 6) throws(CompressionError) -> [UInt8] {
        try Compressor(level: level).compressed(bytes)
    }

    /// Makes zlib wipe the memory that it releases, since that holds parts of the text.
    fileprivate static func setWipingMemory(of stream: inout z_stream) {
        unsafe stream.zalloc = { _, count, size in
            let byteCount = headByteCount + Int(count) * Int(size)
            let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: headByteCount)
            unsafe memory.storeBytes(of: byteCount, as: Int.self)
            return unsafe memory + headByteCount
        }
        unsafe stream.zfree = { _, piece in
            guard let memory = unsafe piece.map({ unsafe $0 - headByteCount }) else { return }
            let byteCount = unsafe memory.load(as: Int.self)
            unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
            unsafe memory.deallocate()
        }
    }

    /// The `byteCount` bytes that `stream` inflates to.
    ///
    /// It is an error if the stream is invalid, inflates to more or fewer bytes, or is followed by others. No more than
    /// `byteCount` bytes are ever allocated for the output.
    package static func inflated(_ stream: Span<UInt8>, byteCount: Int) throws(CompressionError) -> [UInt8] {
        precondition(stream.count <= UInt32.max && byteCount <= UInt32.max, "zlib cannot inflate 4 GiB at once")
        var output = [UInt8](repeating: 0, count: byteCount)
        var span = output.mutableSpan
        try inflate(stream, .zlib, into: &span)
        return output
    }

    /// What surrounds the compressed bytes.
    package enum Wrapping: Int32 {
        // The numbers tell zlib the size of the window, and what to expect around the bytes.
        case zlib = 15
        /// Nothing: an entry of a zip archive.
        case none = -15
        case gzip = 31
    }

    /// Fills `output` with the bytes that `stream` inflates to.
    ///
    /// It is an error if the stream is invalid, inflates to more or fewer bytes, or is followed by others.
    package static func inflate(
        _ stream: Span<UInt8>,
        _ wrapping: Wrapping,
        into output: inout MutableSpan<UInt8>
    ) throws(CompressionError) {
        guard stream.count <= UInt32.max, output.count <= UInt32.max else { throw .tooLong }
        let ending = try Self.inflate(stream, wrapping, to: &output)
        switch ending.status {
        case _ where ending.isExceeded: throw .tooLong
        case Z_STREAM_END where ending.missingByteCount > 0: throw .tooShort
        case Z_STREAM_END where ending.restByteCount > 0: throw .trailingBytes
        case Z_STREAM_END: return
        // There is room for more output, so the stream is incomplete.
        case Z_OK, Z_BUF_ERROR: throw .tooShort
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .malformed
        }
    }

    /// The CRC-32 of zip and gzip.
    package static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { unsafe UInt32(crc32_z(0, $0.baseAddress, $0.count)) }
    }

    /// The state of zlib at the end of a stream.
    private struct Ending {
        let status: Int32
        /// The number of output bytes that were not written.
        let missingByteCount: Int
        /// The number of stream bytes that were not read.
        let restByteCount: Int
        /// Whether the stream inflates to more than the output can hold.
        let isExceeded: Bool
    }

    private static func inflate(
        _ stream: Span<UInt8>,
        _ wrapping: Wrapping,
        to output: inout MutableSpan<UInt8>
    ) throws(CompressionError) -> Ending {
        var inflater = unsafe z_stream()
        unsafe setWipingMemory(of: &inflater)
        let structByteCount = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(&inflater, wrapping.rawValue, ZLIB_VERSION, structByteCount) == Z_OK else {
            throw .outOfMemory
        }
        defer { unsafe inflateEnd(&inflater) }
        return unsafe stream.withUnsafeBufferPointer { input in
            unsafe inflater.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe inflater.avail_in = UInt32(input.count)
            // zlib needs the address of an output buffer, and an empty span has none.
            var status = Z_OK
            if !output.isEmpty {
                status = unsafe output.withMutablePointer { unsafe inflate(&inflater, into: $0, byteCount: $1) }
            }
            let missingByteCount = unsafe Int(inflater.avail_out)
            var isExceeded = false
            if missingByteCount == 0, status == Z_OK || status == Z_BUF_ERROR {
                // One more byte tells a stream that continues from one that lacks its end.
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
        return unsafe CCofferZlib.inflate(&inflater, Z_FINISH)
    }
}

/// Compresses one text after the other in the same memory, which is wiped in the end.
@safe package final class Compressor {
    // zlib keeps the address of the stream.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// A compressor with a level of 1 to 9.
    package init(level: Int32 = 6) throws(CompressionError) {
        precondition((1...9).contains(level), "zlib has the levels 1 to 9")
        unsafe stream.initialize(to: z_stream())
        unsafe Zlib.setWipingMemory(of: &stream.pointee)
        guard unsafe deflateInit_(stream, level, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .outOfMemory
        }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// The zlib stream of `bytes`.
    package func compressed(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
        unsafe deflateReset(stream)
        var output = [UInt8](repeating: 0, count: Int(compressBound(UInt(bytes.count))))
        let (status, restByteCount) = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(output.count)
                return unsafe (deflate(stream, Z_FINISH), Int(stream.pointee.avail_out))
            }
        }
        guard status == Z_STREAM_END else { throw .outOfMemory }
        output.removeLast(restByteCount)
        return output
    }
}

/// Why bytes could not be compressed or inflated.
package enum CompressionError: Error, Equatable {
    /// The bytes are not a zlib stream, or its checksum is wrong.
    case malformed
    /// The stream is truncated, or inflates to fewer bytes than declared.
    case tooShort
    /// The stream inflates to more bytes than declared.
    case tooLong
    /// Bytes follow the stream.
    case trailingBytes
    /// zlib could not allocate memory.
    case outOfMemory
}
