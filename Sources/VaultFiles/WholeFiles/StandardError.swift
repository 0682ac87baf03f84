internal import Glibc

/// Where a program says things beside its work.
package enum StandardError {
    /// Writes a line, as a whole where the system does that; whoever does not listen is not told.
    package static func write(line: String) {
        let bytes = Array((line + "\n").utf8)
        withoutBrokenPipe {
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

    /// Runs `body` so that a pipe that nobody reads does not end the program.
    package static func withoutBrokenPipe(_ body: () -> Void) {
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
