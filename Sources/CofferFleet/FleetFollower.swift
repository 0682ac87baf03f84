public import Coffer
internal import CofferBasics
internal import CofferEtcd
internal import VaultFiles
internal import VaultStore

/// Takes what other machines of a fleet write into the vault of this one.
///
/// It watches the cluster, and looks there every half minute, since a connection that has died is as quiet as one on
/// which nothing happens.
///
/// ```swift
/// let follower = try fleet.follow(vault)
/// ```
public final class FleetFollower: Sendable {
    private struct State {
        var isStopped = false
        var failure: VaultError?
    }

    /// What the thread has, which must not keep the follower.
    private final class Shared: Sendable {
        let state = Guarded(State())

        var goesOn: Bool { state.withLock { !$0.isStopped } }
    }

    private static let pollingNanoseconds: UInt64 = 30_000_000_000
    private static let pauseNanoseconds: UInt64 = 1_000_000_000

    private let shared = Shared()

    init(_ vault: Vault, _ client: EtcdClient, prefix: String) throws(VaultError) {
        let keys = FleetKeys(prefix: prefix, vault: try vault.id())
        let time = try vault.options.storeEnvironment().time
        let isStarted = DedicatedThread.startIfPossible { [shared, weak vault] in
            while shared.goesOn, let vault { Self.follow(vault, client, keys, time, shared) }
        }
        guard isStarted else { throw VaultError(kind: .unavailable, description: "the system provides no thread") }
    }

    deinit { stop() }

    /// Why following failed the last time; nil if it did not.
    public var failure: VaultError? { shared.state.withLock { $0.failure } }

    /// Stops, within about a second.
    public func stop() { shared.state.withLock { $0.isStopped = true } }

    /// Watches until the connection ends, or it is time to look.
    private static func follow(
        _ vault: Vault,
        _ client: EtcdClient,
        _ keys: FleetKeys,
        _ time: any TimeSource,
        _ shared: Shared
    ) {
        let end = time.monotonicNanoseconds() + pollingNanoseconds
        do throws(EtcdError) {
            try client.watch(.one(keys.head), whileTrue: { shared.goesOn && time.monotonicNanoseconds() < end }) { _ in
                let failure: VaultError?
                do throws(VaultError) {
                    try vault.follow()
                    failure = nil
                } catch {
                    failure = error
                }
                shared.state.withLock { $0.failure = failure }
                return shared.goesOn && time.monotonicNanoseconds() < end
            }
        } catch {
            let failure = VaultError(kind: .unavailable, description: "\(SharedLogError(error))")
            shared.state.withLock { $0.failure = failure }
            time.sleep(nanoseconds: pauseNanoseconds)
        }
    }
}
