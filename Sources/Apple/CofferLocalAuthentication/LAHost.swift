@_exported public import class Coffer.Passphrase
@_exported public import struct Coffer.AuthenticationHost

/// The part of a program that asks users to authenticate, since Linux has no system service for that.
///
/// Without a host, no prompt appears: every evaluation fails, and `SecItemCopyMatching` returns
/// `errSecInteractionNotAllowed` for items whose access control demands the user.
///
/// ```swift
/// LAHost.install(LAHost { prompt in
///     askForPassphrase(prompt.localizedReason) ? .success : .failure(.authenticationFailed)
/// })
/// ```
public typealias LAHost = AuthenticationHost
