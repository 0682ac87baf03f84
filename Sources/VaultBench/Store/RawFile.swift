import Foundation

/// A plain file to which bytes are appended: what a durable write costs on this disk when nothing is kept in order.
final class RawFile {
    private let descriptor: Int32
    private let bytes: [UInt8]
    private var offset = 0

    /// A new file, to which `byteCount` bytes will be appended at a time, into `reservedByteCount` zeros that are durable
    /// before.
    init(path: String, byteCount: Int, reservedByteCount: Int) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        bytes = (0..<byteCount).map { _ in .random(in: 0...255) }
        try write(Array(repeating: 0, count: reservedByteCount))
        guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { close(descriptor) }

    /// Appends, and returns when that is durable.
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
