internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
package import VaultStore

/// The items of a vault that a program may use, as Apple's keychain gives and takes them.
///
/// All operations may be called from any thread. What they return is durable when they return.
///
/// ```swift
/// let keychain = vault.keychain(for: AccessGroups(application: "com.example.mail"))
/// let login = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
/// let text = try keychain.secretText(of: login.reference)
/// try keychain.delete(login.reference)
/// ```
public final class Keychain: Sendable {
    /// How many bytes the secret of an item may have.
    package static let secretByteCountLimit = Limits.secretByteCount

    package let store: VaultStore
    /// The groups that the program may use.
    public let groups: AccessGroups
    /// Who is told of operations before they are done.
    package let calls: CallAnnouncer

    /// A keychain over a vault that is open.
    package init(_ store: VaultStore, groups: AccessGroups, observer: (any KeychainObserver)? = nil) {
        self.store = store
        self.groups = groups
        calls = CallAnnouncer(observer: observer)
    }

    /// Whether items can be read that are protected while the keychain is locked.
    public var isUnlocked: Bool { store.isUnlocked }

    /// Locks the keychain: the keys of items that are protected while it is locked leave the memory.
    ///
    /// What was read is in the hands of who read it. Items of other protections can still be read, and all items be
    /// deleted.
    public func lock() { store.lock() }

    /// Lends `body` the vault as it is now.
    func read<Result: ~Copyable>(
        _ body: (inout OpenGeneration) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let result = try translating(
            KeychainError.init,
            store.read { (vault) throws(StoreError) -> Swift.Result<Result, KeychainError> in
                do throws(KeychainError) {
                    return .success(try body(&vault))
                } catch {
                    return .failure(error)
                }
            }
        )
        return try result.get()
    }

    /// Lends `body` a transaction, which is given up if it throws.
    func change<Result: Sendable>(
        _ body: (inout Transaction) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        var failure: KeychainError?
        do throws(StoreError) {
            return try store.transaction { (transaction) throws(StoreError) -> Result in
                do throws(KeychainError) {
                    return try body(&transaction)
                } catch {
                    failure = error
                    throw .abandoned
                }
            }
        } catch {
            throw failure ?? KeychainError(error)
        }
    }
}

extension OpenGeneration {
    /// The device that a new item with this protection belongs to: the one whose key is at hand.
    func owner(for protection: ProtectionClass) -> DeviceID {
        protection.isBoundToDevice ? opening.keyring.roots.devices.keys.first ?? .none : .none
    }
}
