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
