internal import Coffer
internal import CofferBasics
internal import VaultFiles

/// Records the calls of a keychain, and applies the faults that a test has set.
final class FaultInjector: KeychainObserver {
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
    private let place: TestVaultSetup

    init(_ place: TestVaultSetup) {
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
        // The call with the full disk is over, except in a transaction, which writes only after all its calls.
        if !observed.isInTransaction { place.files.isFull = false }
        let (call, faults) = state.withLock { state in
            let call = KeychainCall(observed, number: state.calls.count + 1)
            state.calls.append(call)
            return (call, state.faults)
        }
        // The test's closures run outside the lock: they may read the calls or add another fault.
        for fault in faults where fault.fault.canAffect(in: call) && fault.calls.matches(call) && take(fault) {
            try fault.fault.apply(at: place)
        }
    }

    /// Whether a fault applies now; a fault for a single call is removed.
    private func take(_ fault: Fault) -> Bool {
        state.withLock { state in
            guard let index = state.faults.firstIndex(where: { $0.number == fault.number }) else { return false }
            if !fault.calls.isRepeating { state.faults.remove(at: index) }
            return true
        }
    }
}
