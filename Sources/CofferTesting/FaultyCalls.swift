/// Which calls a fault strikes.
///
/// ```swift
/// let keychain = try TestKeychain.current
/// keychain.fail(.locked, on: .call(3))
/// keychain.fail(.duplicate, on: .firstCall { $0.operation == .add })
/// keychain.fail(.locked, on: .calls { $0.itemClass == .key })
/// ```
public struct FaultyCalls: Sendable {
    /// Whether a call is meant.
    let matches: @Sendable (KeychainCall) -> Bool
    /// Whether all that match are meant; else the first.
    let areAll: Bool

    /// The call with this number, as ``TestKeychain/calls`` has it.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.locked, on: .call(2))
    /// ```
    public static func call(_ number: Int) -> Self { firstCall { $0.number == number } }

    /// The next call, whatever it does.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.locked, on: .nextCall)
    /// ```
    public static var nextCall: Self { firstCall { _ in true } }

    /// The next call for which `matches` says so.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.duplicate, on: .firstCall { $0.operation == .add })
    /// ```
    public static func firstCall(where matches: @escaping @Sendable (KeychainCall) -> Bool) -> Self {
        Self(matches: matches, areAll: false)
    }

    /// All calls for which `matches` says so.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.locked, on: .calls { $0.operation == .find })
    /// ```
    public static func calls(where matches: @escaping @Sendable (KeychainCall) -> Bool) -> Self {
        Self(matches: matches, areAll: true)
    }

    /// All calls.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.slow(.seconds(1)), on: .allCalls)
    /// ```
    public static var allCalls: Self { calls { _ in true } }
}
