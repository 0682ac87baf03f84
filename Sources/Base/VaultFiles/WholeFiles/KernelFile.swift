internal import Glibc

/// Reads files that the kernel provides, such as those below `/proc`, in one piece.
enum KernelFile {
    /// A size that none of these files reaches.
    static let byteCountLimit = 65_536

    /// Returns the text of the file at `path`, or nil if it cannot be read or is larger than ``byteCountLimit``.
    static func text(at path: String) -> String? {
        let descriptor = SystemCall.retryingInterrupted { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // One byte more, to notice a file that is too large. The kernel may return short reads, so only 0 is the end.
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
