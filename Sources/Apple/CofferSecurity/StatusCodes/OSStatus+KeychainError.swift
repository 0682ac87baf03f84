internal import Coffer

extension OSStatus {
    /// Creates the status code that Apple's keychain uses for an error.
    init(_ error: KeychainError) { self = error.appleStatus }
}
