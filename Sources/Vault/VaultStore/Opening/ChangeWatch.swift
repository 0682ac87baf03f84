internal import CofferBasics
internal import VaultFiles
package import VaultFormat

/// A change to a vault by another process, or by another part of this program.
package enum VaultChange: Equatable, Sendable {
    /// These items were added, changed or deleted.
    case items(Set<ItemName>)
    /// The file was replaced: anything may have changed.
    case everything
}

/// Waits for changes to a vault, one after the other.
///
/// Changes made between two waits are reported together. Only one thread waits at a time; another may end the wait.
package final class ChangeWatch: Sendable {
    private let store: VaultStore
    private let watcher: FileWatcher?
    private let seen: SeenPosition

    init(_ store: VaultStore, polling: Duration) throws {
        self.store = store
        let nanoseconds = max(1, polling.nanoseconds)
        watcher = try store.opener.location.place.map { place in
            try FileWatcher(watching: place.name, in: place.directory, pollingNanoseconds: nanoseconds)
        }
        seen = SeenPosition(try store.read { vault in vault.place })
    }

    /// Returns the next change, or nil after `timeout` or a call of ``stop()``; throws if the vault cannot be read.
    package func next(timeout: Duration) throws -> VaultChange? {
        try store.serve {
            let time = store.environment.time
            let deadline = time.monotonicNanoseconds() + min(timeout.nanoseconds, 1 << 62)
            while true {
                if let change = try seen.change(in: store) { return change }
                let now = time.monotonicNanoseconds()
                guard now < deadline, let watcher else { return nil }
                let outcome = try watcher.wait(timeoutNanoseconds: deadline - now)
                guard outcome != .stopped else { return nil }
            }
        }
    }

    /// Ends the wait of another thread, and all later waits.
    package func stop() {
        watcher?.stop()
    }
}
