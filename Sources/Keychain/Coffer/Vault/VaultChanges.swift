internal import CofferBasics
internal import VaultFormat
internal import VaultStore

/// Waits for changes to a vault by any program, one after the other.
///
/// Only one thread may wait at a time.
package final class VaultChanges: Sendable {
    private let watch: ChangeWatch

    fileprivate init(_ watch: ChangeWatch) {
        self.watch = watch
    }

    /// Waits for the next change, and returns whether there was one; compare revisions to see which items changed.
    package func next(timeout: Duration) throws(VaultError) -> Bool {
        try translating(VaultError.ofStore) { () throws(StoreError) in
            switch try watch.next(timeout: timeout) {
            case .items, .everything: true
            case .failed(let error): throw error
            case nil: false
            }
        }
    }

    /// Ends the wait of another thread, and all later waits.
    package func stop() { watch.stop() }
}

extension Vault {
    /// Begins to watch the vault for changes from now on.
    package func changes() throws(VaultError) -> VaultChanges {
        VaultChanges(try translating(VaultError.ofStore, store.watch()))
    }
}
