internal import Glibc
internal import Synchronization

/// Lets a process fork only while no thread runs code of this package, as far as that can be arranged.
///
/// The runtime of Swift has locks that a forked process inherits. If another thread held one of them at that moment, the
/// child would wait for it for ever. So `fork` waits until calls and the threads of this package are done or wait
/// themselves, and calls that begin meanwhile wait for `fork`; both only for a short time, since a call may take long, and
/// what a call calls back may fork or make another call.
///
/// The gate does nothing before ``open()``: programs in Swift do not fork.
package enum ForkGate {
    private static let isOpened = Atomic(false)
    private static let isForking = Atomic(false)
    /// How many calls and threads are running.
    private static let count = Atomic(0)
    private static let pauseMicroseconds: UInt32 = 50
    /// The longest that `fork` waits: 200 ms.
    private static let forkPauseCount = 4000
    /// The longest that a call waits: 100 ms.
    private static let callPauseCount = 2000

    private static let isRegistered: Bool = {
        let code = pthread_atfork(
            {
                isForking.store(true, ordering: .sequentiallyConsistent)
                wait(atMost: forkPauseCount) { count.load(ordering: .sequentiallyConsistent) <= 0 }
            },
            { isForking.store(false, ordering: .sequentiallyConsistent) },
            {
                isForking.store(false, ordering: .sequentiallyConsistent)
                // Other threads, and their calls, do not exist in the child.
                count.store(0, ordering: .sequentiallyConsistent)
            }
        )
        isOpened.store(code == 0, ordering: .sequentiallyConsistent)
        return code == 0
    }()

    /// Makes the gate work from now on.
    package static func open() { _ = isRegistered }

    /// Runs `body`, during which the process is not forked.
    package static func passing<Result>(_ body: () -> Result) -> Result {
        guard isOpened.load(ordering: .relaxed) else { return body() }
        enter()
        defer { leave() }
        return body()
    }

    /// Runs `wait`, during which the process can be forked although it is part of the body of ``passing(_:)``.
    package static func pausing<Result>(_ wait: () -> Result) -> Result {
        guard isOpened.load(ordering: .relaxed) else { return wait() }
        leave()
        defer {
            let code = errno
            enter()
            errno = code
        }
        return wait()
    }

    private static func enter() {
        count.add(1, ordering: .sequentiallyConsistent)
        guard isForking.load(ordering: .sequentiallyConsistent) else { return }
        leave()
        wait(atMost: callPauseCount) { !isForking.load(ordering: .sequentiallyConsistent) }
        count.add(1, ordering: .sequentiallyConsistent)
    }

    private static func leave() { count.subtract(1, ordering: .sequentiallyConsistent) }

    private static func wait(atMost pauseCount: Int, for condition: () -> Bool) {
        var remaining = pauseCount
        while remaining > 0, !condition() {
            usleep(pauseMicroseconds)
            remaining -= 1
        }
    }
}
