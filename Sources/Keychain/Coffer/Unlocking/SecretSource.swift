internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

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

/// Secret text that opens a vault, wiped from memory when this object is released.
///
/// Its bytes are used exactly as given: nothing is trimmed, and accented letters are not normalized.
///
/// ```swift
/// let passphrase = Passphrase("correct horse battery staple")
/// passphrase.withBytes { $0.count }  // 28
/// ```
public final class Passphrase: Sendable {
    /// The maximum number of bytes in a passphrase.
    package static let byteCountLimit = Limits.passphraseByteCount

    private let buffer: SecretBuffer

    /// Creates a passphrase from a copy of text or bytes.
    ///
    /// The original stays in memory as long as the caller keeps it. Bytes can be wiped, a `String` cannot.
    public init(_ secret: borrowing some SecretSource & ~Copyable & ~Escapable) {
        buffer = secret.withSecretBytes { SecretBuffer(copying: $0) }
    }

    /// Lends the bytes to `body`.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withSpan(body)
    }
}

extension Passphrase {
    /// Reads a passphrase of at most `byteCountLimit` bytes, and one newline after it if that is to be dropped.
    ///
    /// - Returns: The passphrase, or nil if there are more bytes.
    static func reading<Failure: Error>(
        atMost byteCountLimit: Int,
        droppingNewline: Bool,
        _ read: (inout MutableSpan<UInt8>) throws(Failure) -> Int
    ) throws(Failure) -> Passphrase? {
        // Room for the newline, and for one more byte to detect an input that is too long.
        var input = SecretBuffer(byteCount: byteCountLimit + 2)
        var byteCount = try input.withMutableSpan { bytes throws(Failure) in try read(&bytes) }
        return input.withSpan { bytes in
            if droppingNewline, byteCount > 0, bytes[byteCount - 1] == UInt8(ascii: "\n") { byteCount -= 1 }
            return byteCount > byteCountLimit ? nil : Passphrase(bytes.extracting(..<byteCount))
        }
    }

    /// Whether the passphrase has no bytes.
    var isEmpty: Bool { withBytes { $0.isEmpty } }
}

/// Files whose content opens a vault.
package enum KeyFile {
    /// Creates a file with 64 random bytes that only its owner can access.
    ///
    /// - Parameters:
    ///   - path: The path of the file, in a directory that exists.
    ///   - options: The options for using vaults.
    /// - Throws: ``VaultError`` if the file cannot be created; an existing file is not changed.
    package static func make(at path: String, options: VaultOptions) throws(VaultError) {
        let environment = try options.storeEnvironment()
        try Vault.checkNothing(isAt: path, options: options)
        var content = SecretBuffer(byteCount: 64)
        for start in [0, 32] {
            let half = try translating(VaultError.ofCipher, environment.random.key())
            half.withBytes { half in content.withMutableSpan { $0.copy(from: half, at: start) } }
        }
        let random = environment.random.number()
        try translating(VaultError.ofFile) { () throws(FileError) in
            try content.withSpan { bytes throws(FileError) in
                try DurableFile.create(at: path, bytes, in: environment.files, random: random)
            }
        }
    }
}
