internal import CCofferZlib
internal import CofferBasics

/// The space before each allocation, which holds its size and keeps the allocation aligned for any type.
private let headByteCount = 16

/// The only compression of the format, deflate (RFC 1951), and what zip and gzip put around the same bytes.
package enum Zlib {
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

    /// What `stream`, which has nothing around it, inflates to after `dictionary`: at most `byteCountLimit` bytes.
    ///
    /// It is an error if the stream is invalid, inflates to more bytes, or is followed by others.
    package static func inflated(
        _ stream: Span<UInt8>,
        dictionary: Span<UInt8>,
        byteCountLimit: Int
    ) throws(CompressionError) -> [UInt8] {
        // Nearly all texts are short, so that memory for the longest is made only for those that need it.
        for byteCount in [min(byteCountLimit, 2048), byteCountLimit] {
            var output = [UInt8](repeating: 0, count: byteCount)
            var span = output.mutableSpan
            let ending = try inflate(stream, .none, dictionary: dictionary, to: &span)
            if ending.isExceeded || ending.status != Z_STREAM_END, byteCount < byteCountLimit {
                output.wipe()
                continue
            }
            do throws(CompressionError) {
                try ending.check(mayBeShort: true)
            } catch {
                output.wipe()
                throw error
            }
            output.removeLast(ending.missingByteCount)
            return output
        }
        throw .tooLong
    }

    /// What surrounds the compressed bytes.
    package enum Wrapping: Int32 {
        // The numbers tell zlib the size of the window, and what to expect around the bytes.
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
        try Self.inflate(stream, wrapping, to: &output).check(mayBeShort: false)
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

        /// Throws unless the stream has ended, with the input and, unless it may be short, with the output.
        func check(mayBeShort: Bool) throws(CompressionError) {
            switch status {
            case _ where isExceeded: throw .tooLong
            case Z_STREAM_END where missingByteCount > 0 && !mayBeShort: throw .tooShort
            case Z_STREAM_END where restByteCount > 0: throw .trailingBytes
            case Z_STREAM_END: return
            // There is room for more output, so the stream is incomplete.
            case Z_OK, Z_BUF_ERROR: throw .tooShort
            case Z_MEM_ERROR: throw .outOfMemory
            default: throw .malformed
            }
        }
    }

    private static func inflate(
        _ stream: Span<UInt8>,
        _ wrapping: Wrapping,
        dictionary: Span<UInt8> = Span(),
        to output: inout MutableSpan<UInt8>
    ) throws(CompressionError) -> Ending {
        var inflater = unsafe z_stream()
        unsafe setWipingMemory(of: &inflater)
        let structByteCount = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(&inflater, wrapping.rawValue, ZLIB_VERSION, structByteCount) == Z_OK else {
            throw .outOfMemory
        }
        defer { unsafe inflateEnd(&inflater) }
        if !dictionary.isEmpty {
            let status = unsafe dictionary.withUnsafeBufferPointer { bytes in
                unsafe inflateSetDictionary(&inflater, bytes.baseAddress, UInt32(bytes.count))
            }
            guard status == Z_OK else { throw .outOfMemory }
        }
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

/// Deflates one text after the other with the same dictionary, in the same memory, which is wiped in the end.
@safe package final class Compressor {
    // zlib keeps the address of the stream.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let dictionary: [UInt8]

    /// A compressor whose streams have nothing around them, and need `dictionary` to be inflated.
    package init(dictionary: [UInt8]) throws(CompressionError) {
        self.dictionary = dictionary
        unsafe stream.initialize(to: z_stream())
        unsafe Zlib.setWipingMemory(of: &stream.pointee)
        let structByteCount = unsafe Int32(MemoryLayout<z_stream>.size)
        let status = unsafe deflateInit2_(
            stream,
            Z_DEFAULT_COMPRESSION,
            Z_DEFLATED,
            Zlib.Wrapping.none.rawValue,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            structByteCount
        )
        guard status == Z_OK else { throw .outOfMemory }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// The stream of `bytes`.
    package func compressed(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
        unsafe deflateReset(stream)
        let isPrimed = unsafe dictionary.withUnsafeBufferPointer { bytes in
            unsafe deflateSetDictionary(stream, bytes.baseAddress, UInt32(bytes.count)) == Z_OK
        }
        guard isPrimed else { throw .outOfMemory }
        var output = unsafe [UInt8](repeating: 0, count: Int(deflateBound(stream, UInt(bytes.count))))
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
    /// The bytes are no stream of this kind, or its checksum is wrong.
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
