internal import KeyedArchive
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// The type of error that the calls of a layer throw.
///
/// Inside the module errors flow as they are; each call from outside converts them once, on their way out.
package protocol LayerError: Error {
    /// Creates the error that callers of the layer get for any error inside.
    init(_ error: any Error)
}

extension LayerError {
    /// Returns the result of `body`, or throws its error as one of this type.
    package static func converting<Result: ~Copyable>(_ body: () throws -> Result) throws(Self) -> Result {
        do {
            return try body()
        } catch {
            throw Self(error)
        }
    }
}

extension KeychainError: LayerError {
    @inline(never) package init(_ error: any Error) {
        self =
            switch error {
            case let error as KeychainError: error
            case let error as StoreError: KeychainError(error)
            case let error as EntitlementsError: .entitlements(error)
            default: .vault(VaultError(error))
            }
    }
}

extension EntitlementsError: LayerError {
    @inline(never) package init(_ error: any Error) {
        self =
            switch error {
            case let error as EntitlementsError: error
            case let error as FileError: EntitlementsError(error)
            case let error as PropertyListError: EntitlementsError(error)
            case let error as XMLPropertyListError: EntitlementsError(error)
            default: EntitlementsError(.unreadable("\(error)"))
            }
    }
}

extension VaultError: LayerError {
    @inline(never) package init(_ error: any Error) {
        self =
            switch error {
            case let error as VaultError: error
            case let error as StoreError: .ofStore(error)
            case let error as FileError: .ofFile(error)
            case let error as CipherError: .ofCipher(error)
            case let error as RecoveryCodeError: VaultError(recoveryCode: error)
            default: VaultError(kind: .unavailable, description: "\(error)")
            }
    }
}
