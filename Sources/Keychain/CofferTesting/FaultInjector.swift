internal import Coffer
internal import CofferBasics
internal import VaultFiles

/// Records the calls of a keychain, and applies the faults that a test has set.
final class FaultInjector: Sendable {
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

    /// Records an operation, and throws the error of a fault.
    @Sendable func willCall(_ observed: ObservedCall) throws(KeychainError) {
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

/// The calls that a fault affects.
///
/// ```swift
/// let keychain = try TestKeychain.current
/// keychain.fail(.locked, on: .call(3))
/// keychain.fail(.duplicate, on: .firstCall { $0.operation == .add })
/// keychain.fail(.locked, on: .calls { $0.itemClass == .key })
/// ```
public struct FaultyCalls: Sendable {
    /// Whether a call matches.
    let matches: @Sendable (KeychainCall) -> Bool
    /// Whether all matching calls are affected, rather than only the first.
    let isRepeating: Bool

    /// The call with this number in ``TestKeychain/calls``.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.locked, on: .call(2))
    /// ```
    public static func call(_ number: Int) -> Self { firstCall { $0.number == number } }

    /// The next call, regardless of its operation.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.locked, on: .nextCall)
    /// ```
    public static var nextCall: Self { firstCall { _ in true } }

    /// The next call for which `matches` returns true.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.duplicate, on: .firstCall { $0.operation == .add })
    /// ```
    public static func firstCall(where matches: @escaping @Sendable (KeychainCall) -> Bool) -> Self {
        Self(matches: matches, isRepeating: false)
    }

    /// All calls for which `matches` returns true.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.locked, on: .calls { $0.operation == .find })
    /// ```
    public static func calls(where matches: @escaping @Sendable (KeychainCall) -> Bool) -> Self {
        Self(matches: matches, isRepeating: true)
    }

    /// All calls.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.slow(.seconds(1)), on: .allCalls)
    /// ```
    public static var allCalls: Self { calls { _ in true } }
}
