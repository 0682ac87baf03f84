internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

extension Keychain {
    /// Returns this keychain, for calls that share what the user presents to use items whose access control demands it.
    ///
    /// - Parameter context: What the user has presented.
    /// - Returns: A keychain with the same items.
    public func authenticating(with context: AuthenticationContext) -> Keychain {
        authenticating(CallAuthentication(context: context))
    }

    /// Returns this keychain, for calls that authenticate the user in another way.
    package func authenticating(_ authentication: CallAuthentication) -> Keychain {
        Keychain(self, authentication: authentication)
    }

    /// Returns this keychain, for searches that leave out and count the items that demand the user.
    package func leavingOut(_ skippedItems: SkippedItems) -> Keychain {
        var call = authentication
        call.skippedItems = skippedItems
        return authenticating(call)
    }

    /// Asks the user for what the use of a private key with this access control demands.
    package func authenticate(for control: AccessControl) throws(KeychainError) {
        try KeychainError.converting { try authenticated { authentication in try authentication.check(control) } }
    }

    /// Calls `body` until the user has presented everything that it demands.
    func authenticated<Result: ~Copyable>(_ body: (Authentication) throws -> Result) throws -> Result {
        let authentication = Authentication(self)
        while true {
            do {
                return try body(authentication)
            } catch {
                try authentication.resolve(error)
            }
        }
    }

    /// Whether a passphrase opens the vault.
    ///
    /// - Throws: ``KeychainError/noPassphrase`` if no passphrase does, or another error.
    func isOpened(by passphrase: Passphrase) throws -> Bool {
        guard let store = try openedStore() else { throw KeychainError.noPassphrase }
        let (slots, vault) = try store.read { vault in
            (vault.verifiedKeybag.slots.filter { $0.kind == .passphrase }, vault.vault)
        }
        guard !slots.isEmpty else { throw KeychainError.noPassphrase }
        var unlocker = SlotUnlocker(
            Keybag(entries: slots.map { .slot($0) }),
            vault: vault,
            availableByteCount: store.environment.memory.byteCount
        )
        do {
            try passphrase.withBytes { bytes in _ = try unlocker.opened(passphrase: bytes) }
            return true
        } catch VaultFormatError.noMatch {
            return false
        } catch let error as VaultFormatError {
            throw StoreError.vault(error, path: store.path)
        }
    }

    /// The key of an application password; `stretching` is nil for a new one.
    func stretched(_ password: Passphrase, _ stretching: PasswordStretching?) throws -> ApplicationPasswordKey {
        guard let store = try openedStore() else { throw KeychainError.itemNotFound }
        let available = store.environment.memory.byteCount
        do {
            return try password.withBytes { bytes in
                try ApplicationPasswordKey(
                    bytes,
                    stretching
                        ?? PasswordStretching(
                            passwordCost.fitting(availableByteCount: available),
                            random: store.environment.random
                        ),
                    availableByteCount: available
                )
            }
        } catch let error as VaultFormatError {
            throw StoreError.vault(error, path: store.path)
        }
    }
}
