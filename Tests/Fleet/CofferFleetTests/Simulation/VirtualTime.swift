import CofferBasics
import Dispatch
import TestSupport

/// A time in which threads run one after another, in an order that only a seed decides.
///
/// The thread that runs has the baton. It passes it on by sleeping, to the thread that wakes up first.
final class VirtualTime: Sendable {
    private struct Event {
        enum Kind {
            case wakeUp(DispatchSemaphore)
            case effect(@Sendable () -> Void)
        }

        let time: UInt64
        let kind: Kind
    }

    private struct State {
        var now: UInt64 = 1
        /// What is to happen, the first last.
        var events: [Event] = []
        var generator: SeededGenerator
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    }

    private let state: Guarded<State>

    init(seed: UInt64) {
        state = Guarded(State(generator: SeededGenerator(seed: seed)))
    }

    /// The nanoseconds since the beginning.
    var now: UInt64 { state.withLock { $0.now } }

    /// A digest of all that was noted so far.
    var digest: UInt64 { state.withLock { $0.digest } }

    /// Notes what happens at this time.
    func note(_ bytes: some Sequence<UInt8> & Sendable) {
        state.withLock { state in
            // FNV-1a.
            for byte in bytes { state.digest = (state.digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
            state.digest = (state.digest ^ state.now) &* 0x100_0000_01B3
        }
    }

    /// Makes a choice.
    func choose<Result: Sendable>(_ body: (inout SeededGenerator) -> Result) -> Result {
        state.withLock { body(&$0.generator) }
    }

    /// Makes something happen later, without effort of a thread.
    func schedule(after nanoseconds: UInt64, _ effect: @escaping @Sendable () -> Void) {
        add(.effect(effect), after: nanoseconds)
    }

    /// Runs each body on a thread of its own, until all have returned.
    func run(_ bodies: [@Sendable (DispatchSemaphore) -> Void]) {
        let end = DispatchSemaphore(value: 0)
        let remaining = Guarded(bodies.count)
        for body in bodies {
            let turn = DispatchSemaphore(value: 0)
            add(.wakeUp(turn), after: 0)
            DedicatedThread.start { [self] in
                turn.wait()
                body(turn)
                if remaining.withLock({
                    $0 -= 1; return $0
                }) == 0 {
                    end.signal()
                } else {
                    passBaton()
                }
            }
        }
        passBaton()
        end.wait()
    }

    /// Lets others run; returns to the thread with this semaphore at its time.
    func sleep(nanoseconds: UInt64, _ turn: DispatchSemaphore) {
        add(.wakeUp(turn), after: nanoseconds)
        passBaton()
        turn.wait()
    }

    private func add(_ kind: Event.Kind, after nanoseconds: UInt64) {
        state.withLock { state in
            let event = Event(time: state.now + nanoseconds, kind: kind)
            // Behind all events that are due by then.
            var range = state.events.indices
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                let isLater = state.events[middle].time > event.time
                range = isLater ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            state.events.insert(event, at: range.lowerBound)
        }
    }

    private func passBaton() {
        while true {
            let event = state.withLock { state in
                let event = state.events.popLast()
                state.now = event?.time ?? state.now
                return event
            }
            switch event?.kind {
            case .effect(let effect): effect()
            case .wakeUp(let turn):
                turn.signal()
                return
            case nil: preconditionFailure("all threads sleep for ever")
            }
        }
    }
}
