public import Coffer
internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// Keeps the vault of this machine up to date with the fleet.
///
/// It watches the cluster, and also looks every half minute, since a dead connection is silent. If there was news, it
/// reports the position of this machine within a few minutes. If there is a local copy (``Vault/localCopyPath``), it merges
/// the copy and the vault within seconds of a change.
///
/// ```swift
/// let follower = try fleet.follow(vault)
/// ```
public final class FleetFollower: Sendable {
    private let work: FollowingWork

    init(_ vault: Vault, _ ladder: UnlockLadder, _ client: EtcdClient, prefix: String) throws(VaultError) {
        work = try FollowingWork(vault, ladder, client, prefix: prefix)
        let isStarted = DedicatedThread.startIfPossible { [work, weak vault] in
            while work.goesOn, let vault { work.follow(vault) }
        }
        guard isStarted else { throw VaultError(kind: .unavailable, description: "the system provides no thread") }
    }

    deinit { stop() }

    /// Why the last attempt to follow failed; nil if it succeeded.
    public var failure: VaultError? { work.state.withLock { $0.failure } }

    /// What the last merge left out of the local copy, and where its former file was kept; nil if nothing was left out so
    /// far.
    public var leftOut: MergeSummary? { work.state.withLock { $0.leftOut } }

    /// Stops, within about a second.
    public func stop() { work.state.withLock { $0.isStopped = true } }
}

/// The work of a follower's thread, which must not retain the follower.
private final class FollowingWork: Sendable {
    struct State {
        var isStopped = false
        var failure: VaultError?
        /// When this machine last reported its position, and whether there was news since.
        var reported: UInt64?
        var hasNews = false
        /// How far the vault and its local copy had come when they were made equal.
        var equal: Places?
        var leftOut: MergeSummary?
    }

    /// The positions of the vault and its local copy.
    struct Places: Equatable {
        var vault: LogPlace?
        var copy: LogPlace
    }

    private static let pollingNanoseconds: UInt64 = 30_000_000_000
    /// How often the position is reported at least, and how often after news.
    private static let reportingNanoseconds: (least: UInt64, withNews: UInt64) = (300_000_000_000, 60_000_000_000)
    private static let pauseNanoseconds: UInt64 = 1_000_000_000

    private let ladder: UnlockLadder
    private let client: EtcdClient
    private let head: [UInt8]
    private let environment: StoreEnvironment
    let state = Guarded(State())

    init(_ vault: Vault, _ ladder: UnlockLadder, _ client: EtcdClient, prefix: String) throws(VaultError) {
        (self.ladder, self.client) = (ladder, client)
        head = FleetKeys(prefix: prefix, vault: "\(try vault.id())").head
        environment = try vault.options.storeEnvironment()
    }

    var goesOn: Bool { state.withLock { !$0.isStopped } }

    /// Takes in what is there, and watches until the connection ends, it is time to look, or the local copy has changed.
    func follow(_ vault: Vault) {
        note { () throws(VaultError) in try takeIn(vault) }
        let time = environment.time
        let end = time.monotonicNanoseconds() + Self.pollingNanoseconds
        let isQuiet = { self.goesOn && time.monotonicNanoseconds() < end && !self.needsMerging(vault) }
        do throws(EtcdError) {
            try client.watch(.one(head), whileTrue: isQuiet) { _ in
                self.note { () throws(VaultError) in try self.takeIn(vault) }
                return isQuiet()
            }
        } catch {
            note { () throws(VaultError) in
                throw .ofStore(.shared(.ofReading(error), path: vault.path))
            }
        }
        if state.withLock({ $0.failure != nil }) { time.sleep(nanoseconds: Self.pauseNanoseconds) }
    }

    private func takeIn(_ vault: Vault) throws(VaultError) {
        let now = environment.time.monotonicNanoseconds()
        let isDue = state.withLock { state in
            let pause = state.hasNews ? Self.reportingNanoseconds.withNews : Self.reportingNanoseconds.least
            return state.reported.map { now - $0 >= pause } ?? true
        }
        // With the keys that both have, before the vault may get others.
        let hasCopy = place(ofFileAt: vault.localCopyPath) != nil
        let copy: Vault? = if hasCopy { try vault.openedLocalCopy() } else { nil }
        let hasNews = try vault.follow(isStrict: isDue, with: ladder)
        state.withLock { state in
            if isDue { (state.reported, state.hasNews) = (now, false) }
            state.hasNews = state.hasNews || hasNews
        }
        guard needsMerging(vault) else { return }
        let summary = try vault.mergeLocalCopy(copy, ladder)
        let places = places(of: vault)
        state.withLock { state in
            state.equal = places
            if summary?.keptPath != nil { state.leftOut = summary }
        }
    }

    /// Whether there is a local copy, and it or the vault has changed since both were equal.
    private func needsMerging(_ vault: Vault) -> Bool {
        places(of: vault).map { places in state.withLock { $0.equal } != places } ?? false
    }

    /// The positions of both files; nil if there is no copy that can be read.
    private func places(of vault: Vault) -> Places? {
        place(ofFileAt: vault.localCopyPath).map { Places(vault: place(ofFileAt: vault.path), copy: $0) }
    }

    private func place(ofFileAt path: String) -> LogPlace? {
        (try? VaultStore.inspect(at: path, environment: environment))?.place
    }

    private func note(_ body: () throws(VaultError) -> Void) {
        let failure: VaultError?
        do throws(VaultError) {
            try body()
            failure = nil
        } catch {
            failure = error
        }
        state.withLock { $0.failure = failure }
    }
}
