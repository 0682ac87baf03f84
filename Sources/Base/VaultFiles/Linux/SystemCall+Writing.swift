internal import Glibc

extension SystemCall {
    /// Writes all bytes to a descriptor; `name` is for messages.
    package static func write(_ bytes: Span<UInt8>, to descriptor: Int32, called name: String) throws(FileError) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.extracting(start...).withUnsafeBytes { rest in
                retryingInterrupted { unsafe Glibc.write(descriptor, rest.baseAddress, rest.count) }
            }
            guard count >= 0 else { throw .last(.write, name) }
            start += count
        }
    }
}
