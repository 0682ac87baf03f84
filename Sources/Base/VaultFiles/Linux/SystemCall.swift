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
