#if SANITIZE_THREAD
    internal import Glibc
#endif
public import Synchronization

/// A value that only one thread at a time can access.
///
/// It is a `Mutex`. The thread sanitizer does not see how a `Mutex` makes threads wait, and takes the value for
/// unprotected; so under the sanitizer there is a lock around it that the sanitizer knows.
///
/// Like ``Identifier`` it is public because the compiler inlines no members of package types in other modules.
@safe public struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    #if SANITIZE_THREAD
        // A number, since a pointer would not be Sendable.
        private let address: UInt
    #endif

    /// Guards `value`.
    public init(_ value: consuming sending Value) {
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

        /// Lends the value to `body` while no other thread has access.
        public func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            let lock = unsafe UnsafeMutablePointer<pthread_mutex_t>(bitPattern: address)
            if let lock = unsafe lock { unsafe pthread_mutex_lock(lock) }
            defer { if let lock = unsafe lock { unsafe pthread_mutex_unlock(lock) } }
            return try mutex.withLock(body)
        }
    #else
        /// Lends the value to `body` while no other thread has access.
        @inlinable
        public func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock(body)
        }
    #endif
}
