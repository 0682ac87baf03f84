import CofferBasics
import Foundation

/// Bytes on their way.
package final class ByteQueue: Sendable {
    /// How many bytes may pass until the connection is cut.
    package final class Budget: Sendable {
        private let rest: Guarded<Int>

        package init(_ count: Int) {
            rest = Guarded(count)
        }

        var isSpent: Bool { rest.withLock { $0 == 0 } }

        /// Takes as much of `count` as is left.
        func take(_ count: Int) -> Int {
            rest.withLock { rest in
                let taken = min(rest, count)
                rest -= taken
                return taken
            }
        }
    }

    private struct State {
        var bytes: [UInt8] = []
        var isEnded = false
    }

    private let state = Guarded(State())
    private let condition = NSCondition()
    private let budget: Budget

    /// Creates an empty queue.
    package init(_ budget: Budget = Budget(.max)) {
        self.budget = budget
    }

    /// Puts bytes; false if the connection has ended.
    package func put(_ bytes: [UInt8]) -> Bool {
        let count = budget.take(bytes.count)
        let isOpen = state.withLock { state in
            guard !state.isEnded else { return false }
            state.bytes += bytes.prefix(count)
            state.isEnded = count < bytes.count
            return !state.isEnded
        }
        wake()
        return isOpen
    }

    /// Takes what is there, waiting for something; empty at the end, nil if nothing comes.
    package func take(atMost byteCount: Int, timeout: Duration) -> [UInt8]? {
        let deadline = Date(timeIntervalSinceNow: timeout / .seconds(1))
        condition.lock()
        defer { condition.unlock() }
        while true {
            let taken = state.withLock { state -> [UInt8]? in
                // A connection that was cut in the other direction has ended in this one too.
                let isCut = budget.isSpent
                guard !state.bytes.isEmpty || state.isEnded || isCut else { return nil }
                let taken = Array(state.bytes.prefix(byteCount))
                state.bytes.removeFirst(taken.count)
                return taken
            }
            if let taken { return taken }
            // The other direction does not signal a cut.
            guard condition.wait(until: min(deadline, Date(timeIntervalSinceNow: 0.01))) || Date() < deadline else {
                return nil
            }
        }
    }

    /// Ends the queue: nothing more is put into it.
    package func end() {
        state.withLock { $0.isEnded = true }
        wake()
    }

    private func wake() {
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }
}
