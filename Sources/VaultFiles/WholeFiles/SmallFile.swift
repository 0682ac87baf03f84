internal import Glibc

/// Files that the kernel writes, which are read as a whole.
enum SmallFile {
    /// More than any of them has.
    static let byteCountLimit = 65_536

    /// The text of the file at `path`, or nil if it cannot be read or is greater than ``byteCountLimit``.
    static func text(at path: String) -> String? {
        let descriptor = SystemCall.retryingInterrupted { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // One byte more, to notice a file that goes on. The kernel may give less than there is, so only 0 is the end.
        var bytes = [UInt8](repeating: 0, count: byteCountLimit + 1)
        var byteCount = 0
        while byteCount < bytes.count {
            let readByteCount = unsafe bytes.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[byteCount...])
                return SystemCall.retryingInterrupted { unsafe read(descriptor, rest.baseAddress, rest.count) }
            }
            guard readByteCount >= 0 else { return nil }
            guard readByteCount > 0 else { return String(decoding: bytes[..<byteCount], as: UTF8.self) }
            byteCount += readByteCount
        }
        return nil
    }
}
