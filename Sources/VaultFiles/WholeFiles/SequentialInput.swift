internal import Glibc

/// Reads a pipe, a terminal or a file from beginning to end.
package enum SequentialInput {
    /// Reads the file at `path` until `buffer` is full or the file ends, and returns the byte count.
    package static func read(_ path: String, into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        guard !path.utf8.contains(0) else { throw FileError(.open, path, reason: .invalidName) }
        let number = SystemCall.retryingInterrupted { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
        guard number >= 0 else { throw .last(.open, path) }
        let descriptor = Descriptor(number)
        return try read(descriptor.number, called: path, into: &buffer)
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
