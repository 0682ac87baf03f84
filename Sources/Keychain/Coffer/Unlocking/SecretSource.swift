internal import VaultCrypto

/// A type in which a secret can be passed: a `String`, an array of bytes, a `Span` of bytes, or a ``Passphrase``.
///
/// A span can be in memory that its owner wipes, and a passphrase wipes its own. Strings and arrays cannot be wiped.
///
/// ```swift
/// func byteCount(of secret: some SecretSource) -> Int {
///     secret.withSecretBytes { $0.count }
/// }
/// ```
public protocol SecretSource: ~Copyable, ~Escapable {
    /// Lends the bytes to `body`.
    func withSecretBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result
}

extension Span: SecretSource where Element == UInt8 {
    /// Lends the bytes to `body`.
    public func withSecretBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(self)
    }
}

extension Array: SecretSource where Element == UInt8 {
    /// Lends the bytes to `body`.
    public func withSecretBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(span)
    }
}

extension String: SecretSource {
    /// Lends the text in UTF-8 to `body`.
    public func withSecretBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(utf8Span.span)
    }
}
