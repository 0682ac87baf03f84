internal import Glibc

/// The standard error of this process.
package enum StandardError {
    /// Writes a line, in a single call where the system takes it whole; errors are ignored.
    package static func write(line: String) {
        let bytes = Array((line + "\n").utf8)
        ignoringBrokenPipe {
            var start = 0
            while start < bytes.count {
                let count = unsafe bytes[start...].withUnsafeBytes { rest in
                    unsafe Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
                }
                guard count > 0 || errno == EINTR else { return }
                start += max(count, 0)
            }
        }
    }

    /// Runs `body` so that writing to a pipe without a reader does not end the program.
    package static func ignoringBrokenPipe(_ body: () -> Void) {
        var (signals, former, waiting) = (sigset_t(), sigset_t(), sigset_t())
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe sigpending(&waiting)
        let wasWaiting = unsafe sigismember(&waiting, SIGPIPE) == 1
        guard unsafe pthread_sigmask(SIG_BLOCK, &signals, &former) == 0 else { return body() }
        body()
        var now = timespec()
        if !wasWaiting { unsafe _ = sigtimedwait(&signals, nil, &now) }
        unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
    }
}
