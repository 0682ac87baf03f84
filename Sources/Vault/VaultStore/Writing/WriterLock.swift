internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

/// The writer's lock of a vault file, shared by the threads of this process that write through one store.
///
/// The first thread takes the lock of the file and the last releases it, so that several appends can share one sync. To
/// give other processes a turn, no thread joins a round that has lasted a while.
final class WriterLock: Sendable {
    private struct State {
        var holderCount = 0
        /// Whether others may join: the holder shares the lock, and has read what other processes wrote before.
        var isOpen = false
        /// How many threads wait for exclusive access; while there are any, nobody else gets the lock.
        var waitingAloneCount = 0
        /// When the first of the holders took the lock.
        var began: UInt64 = 0
        var file: (any OpenFile)?
        /// Whether the lock is kept although no thread holds it, because the file must not be written.
        var isPinned = false
    }

    /// How a thread got the lock.
    enum Entrance: Equatable {
        /// The lock was just taken; other processes may have written before.
        case first
        /// Another thread already had it.
        case joined
    }

    private static let longestRound: UInt64 = 50_000_000

    private let state = Guarded(State())
    private let time: any TimeSource

    init(time: any TimeSource) {
        self.time = time
    }

    /// Takes the lock of the file that `current` returns, which is called again for each attempt.
    ///
    /// - Throws: `busy` if others hold it for longer than `timeout`.
    func enter(
        exclusively isExclusive: Bool = false,
        timeout: Duration,
        path: String,
        current: () throws -> any OpenFile
    ) throws -> Entrance {
        var pauses = RetryPauses(time, nanoseconds: timeout.nanoseconds)
        if isExclusive { state.withLock { $0.waitingAloneCount += 1 } }
        defer { if isExclusive { state.withLock { $0.waitingAloneCount -= 1 } } }
        while true {
            if let entrance = try tryEnter(isExclusive, current) { return entrance }
            guard pauses.pause() else { throw StoreError.busy(path: path, holder: try current().lockHolder()) }
        }
    }

    private func tryEnter(
        _ isExclusive: Bool,
        _ current: () throws -> any OpenFile
    ) throws -> Entrance? {
        try state.withLock { state in
            guard isExclusive || state.waitingAloneCount == 0 else { return nil }
            if state.holderCount > 0 {
                guard state.isOpen, !isExclusive, time.monotonicNanoseconds() - state.began < Self.longestRound else {
                    return nil
                }
                state.holderCount += 1
                return .joined
            }
            if !state.isPinned {
                let file = try current()
                guard try file.tryLock() else {
                    return nil
                }
                state.file = file
            }
            state.holderCount = 1
            state.began = time.monotonicNanoseconds()
            return .first
        }
    }

    /// Lets other threads join the one that took the lock, which now knows where the log ends.
    func admitOthers() {
        state.withLock { $0.isOpen = true }
    }

    /// Releases the lock, unless other threads have it too.
    func leave() {
        state.withLock { state in
            state.holderCount -= 1
            guard state.holderCount == 0 else { return }
            state.isOpen = false
            guard !state.isPinned else { return }
            // If it fails, the lock is released when the file is closed.
            try? state.file?.unlock()
            state.file = nil
        }
    }

    /// Keeps the lock until the process ends or the file is replaced.
    func pin() {
        state.withLock { $0.isPinned = true }
    }

    /// Holds the lock of the new file, and releases that of the replaced one.
    func replace(with file: any OpenFile) {
        state.withLock { state in
            try? state.file?.unlock()
            state.file = file
            state.isPinned = false
        }
    }
}

extension Duration {
    /// The duration in nanoseconds; 0 if it is negative.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
    }
}
