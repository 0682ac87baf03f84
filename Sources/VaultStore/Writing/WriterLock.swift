internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

/// The writer's lock of a vault file, shared by the threads of this process that write through one store.
///
/// The first thread takes the lock of the file and the last gives it back, so that several appends can share one sync.
/// So that others get their turn, nobody joins a round that has lasted a while.
final class WriterLock: Sendable {
    private struct State {
        var holderCount = 0
        /// Whether others may join: the holder shares, and has read what other processes had written before.
        var isOpen = false
        /// How many wait to have it alone; nobody else gets it as long as there are any.
        var waitingAloneCount = 0
        /// When the first of the holders came.
        var began: UInt64 = 0
        var file: (any OpenFile)?
        /// Whether the lock is kept although nobody holds it: the file must not be written.
        var isPinned = false
    }

    /// How a thread got the lock.
    enum Entrance: Equatable {
        /// The lock was taken now; others may have written before.
        case first
        /// Another thread had it already.
        case joined
    }

    private static let longestRound: UInt64 = 50_000_000

    private let state = Guarded(State())
    private let time: any TimeSource

    init(time: any TimeSource) {
        self.time = time
    }

    /// Takes the lock of the file that `current` gives, which is asked again whenever the lock is tried.
    ///
    /// - Throws: `busy` if others have had it for `timeout`.
    func enter(
        exclusively isExclusive: Bool = false,
        timeout: Duration,
        path: String,
        current: () throws(StoreError) -> any OpenFile
    ) throws(StoreError) -> Entrance {
        var pauses = RetryPauses(time, nanoseconds: timeout.nanoseconds)
        if isExclusive { state.withLock { $0.waitingAloneCount += 1 } }
        defer { if isExclusive { state.withLock { $0.waitingAloneCount -= 1 } } }
        while true {
            if let entrance = try tryEnter(isExclusive, current) { return entrance }
            guard pauses.pause() else { throw .busy(path: path, holder: try current().lockHolder()) }
        }
    }

    private func tryEnter(
        _ isExclusive: Bool,
        _ current: () throws(StoreError) -> any OpenFile
    ) throws(StoreError) -> Entrance? {
        try state.withLock { state throws(StoreError) in
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
                guard try translating(StoreError.file, file.tryLock()) else {
                    return nil
                }
                state.file = file
            }
            state.holderCount = 1
            state.began = time.monotonicNanoseconds()
            return .first
        }
    }

    /// Lets other threads join the one that took the lock, and that now knows where the log ends.
    func admitOthers() {
        state.withLock { $0.isOpen = true }
    }

    /// Gives the lock back, if nobody else has it.
    func leave() {
        state.withLock { state in
            state.holderCount -= 1
            guard state.holderCount == 0 else { return }
            state.isOpen = false
            guard !state.isPinned else { return }
            // If it fails, the lock goes with the file.
            try? state.file?.unlock()
            state.file = nil
        }
    }

    /// Keeps the lock until the process ends, or the file is replaced.
    func pin() {
        state.withLock { $0.isPinned = true }
    }

    /// Holds the lock of the file that has replaced the one before; that one is let go.
    func replace(with file: any OpenFile) {
        state.withLock { state in
            try? state.file?.unlock()
            state.file = file
            state.isPinned = false
        }
    }
}

extension Duration {
    /// The duration in nanoseconds; none if it is negative.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
    }
}
