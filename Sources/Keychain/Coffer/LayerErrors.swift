internal import CofferBasics
internal import KeyedArchive
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

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
