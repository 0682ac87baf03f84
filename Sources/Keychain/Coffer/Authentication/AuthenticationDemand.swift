package import VaultFormat

/// What a call lacks to use an item.
package enum AuthenticationDemand: Sendable {
    /// The user must authenticate, for each element in one of its ways.
    case user([AuthenticationWays])
    /// The application password of an item is needed.
    case password(PasswordStretching)
    /// A new application password is needed.
    case newPassword
}

extension AuthenticationContext {
    /// Accepts a password that the user has entered for what a call lacked.
    ///
    /// - Parameters:
    ///   - password: The passphrase of the vault, or the application password.
    ///   - demand: What the call lacked.
    ///   - keychain: The keychain of the call.
    /// - Returns: Whether the passphrase is right; whether an application password is right, the next call finds out.
    /// - Throws: ``KeychainError`` if the password cannot be checked.
    package func present(
        _ password: Passphrase,
        for demand: AuthenticationDemand,
        in keychain: Keychain
    ) throws(KeychainError) -> Bool {
        switch demand {
        case .user:
            guard try keychain.isOpened(by: password) else { return false }
            noteAuthentication(.passphrase)
        case .password(let stretching): keep(try keychain.stretched(password, stretching))
        case .newPassword: keep(try keychain.stretched(password, nil), isNew: true)
        }
        return true
    }
}
