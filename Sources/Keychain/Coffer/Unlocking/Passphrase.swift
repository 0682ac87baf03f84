package import CofferBasics
internal import VaultFormat

/// Secret text that opens a vault, wiped from memory when its last copy is released.
///
/// Its bytes are used exactly as given: nothing is trimmed, and accented letters are not normalized.
///
/// ```swift
/// let passphrase = Passphrase("correct horse battery staple")
/// passphrase.withBytes { $0.count }  // 28
/// ```
public struct Passphrase: Sendable {
    /// The maximum number of bytes in a passphrase.
    package static let byteCountLimit = Limits.passphraseByteCount

    /// The bytes, for code that keeps them.
    package let secret: HeldSecret

    /// Creates a passphrase from a copy of text or bytes.
    ///
    /// The original stays in memory as long as the caller keeps it. Bytes can be wiped, a `String` cannot.
    public init(_ secret: borrowing some SecretSource & ~Copyable & ~Escapable) {
        self.secret = secret.withSecretBytes { HeldSecret(copying: $0) }
    }

    /// Lends the bytes to `body`.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try secret.withSpan(body)
    }
}

extension Passphrase {
    /// Reads a passphrase of at most `byteCountLimit` bytes, and one newline after it if that is to be dropped.
    ///
    /// - Returns: The passphrase, or nil if there are more bytes.
    static func reading(
        atMost byteCountLimit: Int,
        droppingNewline: Bool,
        _ read: (inout MutableSpan<UInt8>) throws -> Int
    ) throws -> Passphrase? {
        // Room for the newline, and for one more byte to detect an input that is too long.
        var input = SecretBuffer(byteCount: byteCountLimit + 2)
        var byteCount = try input.withMutableSpan { bytes in try read(&bytes) }
        return input.withSpan { bytes in
            if droppingNewline, byteCount > 0, bytes[byteCount - 1] == UInt8(ascii: "\n") { byteCount -= 1 }
            return byteCount > byteCountLimit ? nil : Passphrase(bytes.extracting(..<byteCount))
        }
    }

    /// Whether the passphrase has no bytes.
    package var isEmpty: Bool { secret.isEmpty }
}
