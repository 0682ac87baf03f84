import Foundation
import VaultFormat

/// A file that is read as a store reads it: with one `pread` for each part.
struct BenchFileSource: ByteSource {
    private let descriptor: Int32
    let byteCount: Int

    init(path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileReadNoSuchFile) }
        byteCount = Int(lseek(descriptor, 0, SEEK_END))
    }

    func close() {
        _ = Foundation.close(descriptor)
    }

    func bytes(in range: Range<Int>) throws(Unavailability) -> [UInt8] {
        let descriptor = descriptor
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initializedCount in
            initializedCount = max(0, pread(descriptor, buffer.baseAddress, range.count, off_t(range.lowerBound)))
        }
        guard bytes.count == range.count else { throw .fileShrank(offset: range.lowerBound + bytes.count) }
        return bytes
    }
}
