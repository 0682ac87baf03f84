internal import Glibc

/// What calls of the operating system have in common.
package enum SystemCall {
    /// The result of `call`, which is made again as long as a signal interrupts it.
    package static func retryingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            guard result == -1, errno == EINTR else { return result }
        }
    }
}
