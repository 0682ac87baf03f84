internal import Glibc

/// A number of signals that threads wait for.
@safe package final class Semaphore: Sendable {
    private let address: UInt

    /// Creates a semaphore without signals.
    package init() {
        let memory = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        unsafe sem_init(memory, 0, 0)
        // A number, since a pointer would not be Sendable.
        address = UInt(bitPattern: memory)
    }

    deinit {
        guard let memory = unsafe memory else { return }
        unsafe sem_destroy(memory)
        unsafe memory.deallocate()
    }

    private var memory: UnsafeMutablePointer<sem_t>? { unsafe UnsafeMutablePointer(bitPattern: address) }

    /// Gives a signal.
    package func signal() {
        if let memory = unsafe memory { unsafe sem_post(memory) }
    }

    /// Waits for a signal and takes it.
    package func wait() {
        guard let memory = unsafe memory else { return }
        while unsafe sem_wait(memory) != 0, errno == EINTR {}
    }
}
