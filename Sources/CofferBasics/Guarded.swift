#if SANITIZE_THREAD
    internal import Glibc
#endif
internal import Synchronization

/// A value that only one thread at a time can access.
///
/// It is a `Mutex`. The thread sanitizer does not see how a `Mutex` makes threads wait, and takes the value for
/// unprotected; so under the sanitizer there is a lock around it that the sanitizer knows.
@safe package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    #if SANITIZE_THREAD
        // A number, since a pointer would not be Sendable.
        private let address: UInt
    #endif

    package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
        #if SANITIZE_THREAD
            let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
            unsafe pthread_mutex_init(lock, nil)
            address = UInt(bitPattern: lock)
        #endif
    }

    #if SANITIZE_THREAD
        deinit {
            guard let lock = unsafe UnsafeMutablePointer<pthread_mutex_t>(bitPattern: address) else { return }
            unsafe pthread_mutex_destroy(lock)
            unsafe lock.deallocate()
        }
    #endif

    /// Lends the value to `body` while no other thread has access.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if SANITIZE_THREAD
            let lock = unsafe UnsafeMutablePointer<pthread_mutex_t>(bitPattern: address)
            if let lock = unsafe lock { unsafe pthread_mutex_lock(lock) }
            defer { if let lock = unsafe lock { unsafe pthread_mutex_unlock(lock) } }
        #endif
        return try mutex.withLock(body)
    }
}
