internal import CCofferLinux
internal import Coffer
internal import CofferBasics
internal import Glibc

/// Notices changes to a vault, on a thread of its own.
final class WatchHandle: Handle {
    /// What the thread and the caller share.
    private final class Shared: Sendable {
        let changes: VaultChanges
        /// Readable when there is something to know.
        let descriptor: Int32
        let failure = Guarded<VaultError?>(nil)
        private let isEnded = Guarded(false)

        init(_ changes: VaultChanges) throws(VaultError) {
            self.changes = changes
            descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            guard descriptor >= 0 else {
                throw VaultError(kind: .unavailable, description: "no more files can be opened; close some")
            }
        }

        deinit { close(descriptor) }

        func run() {
            do throws(VaultError) {
                while !isEnded.withLock({ $0 }) {
                    if try changes.next(timeout: .seconds(3600)) { eventfd_write(descriptor, 1) }
                }
            } catch {
                failure.withLock { $0 = error }
                eventfd_write(descriptor, 1)
            }
        }

        func end() {
            isEnded.withLock { $0 = true }
            changes.stop()
        }
    }

    private let shared: Shared

    init(_ vault: Vault) throws(VaultError) {
        let shared = try Shared(try vault.changes())
        self.shared = shared
        guard DedicatedThread.startIfPossible({ shared.run() }) else {
            throw VaultError(kind: .unavailable, description: "the system provides no more threads")
        }
    }

    deinit { shared.end() }

    var descriptor: Int32 { shared.descriptor }

    /// Waits for a change, and returns whether there was one.
    func next(milliseconds: Int64) throws(VaultError) -> Bool {
        var waiting = pollfd(fd: shared.descriptor, events: Int16(POLLIN), revents: 0)
        let timeout = milliseconds < 0 ? -1 : Int32(clamping: milliseconds)
        guard unsafe poll(&waiting, 1, timeout) > 0 else { return false }
        if let failure = shared.failure.withLock({ $0 }) { throw failure }
        var count = eventfd_t()
        return unsafe eventfd_read(shared.descriptor, &count) == 0
    }
}
