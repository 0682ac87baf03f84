internal import Coffer
internal import CofferBasics
internal import VaultFiles

/// Remembers the calls of a keychain, and lets those go wrong that a test wants to.
final class CallScript: KeychainObserver {
    private struct Fault {
        let number: Int
        let fault: KeychainFault
        let calls: FaultyCalls
    }

    private struct State {
        var calls: [KeychainCall] = []
        var faults: [Fault] = []
        var faultCount = 0
    }

    private let state = Guarded(State())
    private let place: TestPlace

    init(_ place: TestPlace) {
        self.place = place
    }

    var calls: [KeychainCall] { state.withLock { $0.calls } }

    func forgetCalls() { state.withLock { $0.calls = [] } }

    func add(_ fault: KeychainFault, on calls: FaultyCalls) {
        state.withLock { state in
            state.faultCount += 1
            state.faults.append(Fault(number: state.faultCount, fault: fault, calls: calls))
        }
    }

    func removeFaults() { state.withLock { $0.faults = [] } }

    func willCall(_ observed: ObservedCall) throws(KeychainError) {
        // What the disk was full for is over; but a transaction writes when all that is in it has been called.
        if !observed.isInTransaction { place.files.isFull = false }
        let (call, faults) = state.withLock { state in
            let call = KeychainCall(observed, number: state.calls.count + 1)
            state.calls.append(call)
            return (call, state.faults)
        }
        // The test is asked outside of the lock: it may look at the calls, or give another fault.
        for fault in faults where fault.fault.isPossible(in: call) && fault.calls.matches(call) && take(fault) {
            try fault.fault.strike(at: place)
        }
    }

    /// Whether a fault is to strike; one that strikes once, nobody takes again.
    private func take(_ fault: Fault) -> Bool {
        state.withLock { state in
            guard let index = state.faults.firstIndex(where: { $0.number == fault.number }) else { return false }
            if !fault.calls.areAll { state.faults.remove(at: index) }
            return true
        }
    }
}
