import Foundation

/// A plain file that bytes are appended to: the cost of a durable write on this disk without any bookkeeping.
final class RawFile {
    private let descriptor: Int32
    private let bytes: [UInt8]
    private var offset = 0

    /// Creates a file for appending `byteCount` bytes at a time, into `reservedByteCount` zeros that are already
    /// durable.
    init(path: String, byteCount: Int, reservedByteCount: Int) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        bytes = (0..<byteCount).map { _ in .random(in: 0...255) }
        try write(Array(repeating: 0, count: reservedByteCount))
        guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { close(descriptor) }

    /// Appends the bytes, and returns when they are durable.
    func append() throws {
        try write(bytes)
        offset += bytes.count
        guard fdatasync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private func write(_ bytes: [UInt8]) throws {
        let writtenByteCount = pwrite(descriptor, bytes, bytes.count, off_t(offset))
        guard writtenByteCount == bytes.count else { throw CocoaError(.fileWriteUnknown) }
    }
}
