internal import Glibc

/// Helpers for calls of the operating system.
package enum SystemCall {
    /// Returns the result of `call`, which is repeated while a signal interrupts it.
    package static func retryingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            guard result == -1, errno == EINTR else { return result }
        }
    }
}

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

/// A file descriptor that is closed when the last reference to it goes.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit { close(number) }
}
