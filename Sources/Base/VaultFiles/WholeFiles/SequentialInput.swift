package import CofferBasics
internal import Glibc

/// Reads a pipe, a terminal or a file from beginning to end.
package enum SequentialInput {
    /// Reads the file at `path` until `buffer` is full or the file ends, and returns the byte count.
    package static func read(_ path: String, into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        let descriptor = try opened(path)
        return try read(descriptor.number, called: path, into: &buffer)
    }

    /// Reads the file at `path` to its end; nil if it has more than `byteCountLimit` bytes.
    ///
    /// The caller wipes the bytes if they are secret.
    package static func contents(of path: String, byteCountLimit: Int) throws(FileError) -> [UInt8]? {
        guard let secret = try secret(of: path, byteCountLimit: byteCountLimit) else { return nil }
        return secret.withSpan { Array(copying: $0) }
    }

    /// Reads the file at `path` to its end into wiped memory; nil if it has more than `byteCountLimit` bytes.
    package static func secret(of path: String, byteCountLimit: Int) throws(FileError) -> HeldSecret? {
        let descriptor = try opened(path)
        let secret = SecretBuilder(capacity: min(65_536, byteCountLimit + 1))
        let isWhole = try secret.append(atMost: byteCountLimit) { bytes throws(FileError) in
            try read(descriptor.number, called: path, into: &bytes)
        }
        return isWhole ? secret.held : nil
    }

    private static func opened(_ path: String) throws(FileError) -> Descriptor {
        guard !path.utf8.contains(0) else { throw FileError(.open, path, reason: .invalidName) }
        let number = SystemCall.retryingInterrupted { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
        guard number >= 0 else { throw .last(.open, path) }
        return Descriptor(number)
    }

    /// Reads the rest of `descriptor`, which stays open, until `buffer` is full or the input ends.
    package static func read(
        descriptor: Int32,
        into buffer: inout MutableSpan<UInt8>
    ) throws(FileError) -> Int {
        try read(descriptor, called: "descriptor \(descriptor)", into: &buffer)
    }

    /// Reads the rest of `descriptor`, called `path` in errors, until `buffer` is full or the input ends.
    package static func read(
        _ descriptor: Int32,
        called path: String,
        into buffer: inout MutableSpan<UInt8>
    ) throws(FileError) -> Int {
        var byteCount = 0
        while byteCount < buffer.count {
            var rest = buffer._mutatingExtracting(byteCount...)
            let readByteCount = unsafe rest.withUnsafeMutableBytes { bytes in
                SystemCall.retryingInterrupted { unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count) }
            }
            guard readByteCount >= 0 else { throw .last(.read, path) }
            guard readByteCount > 0 else { break }
            byteCount += readByteCount
        }
        return byteCount
    }
}
