internal import CofferBasics
internal import VaultFormat

/// A secret text that opens a vault, wiped from memory when nobody needs it any more.
///
/// It is used byte by byte as it is given: nothing is trimmed, and letters with accents are not composed or taken apart.
///
/// ```swift
/// let passphrase = Passphrase("correct horse battery staple")
/// passphrase.withBytes { $0.count }  // 28
/// ```
public final class Passphrase: Sendable {
    /// How many bytes a passphrase may have.
    package static let byteCountLimit = Limits.passphraseByteCount

    private let buffer: SecretBuffer

    /// Takes the bytes of a passphrase; where they came from is for the caller to wipe.
    public convenience init(_ bytes: Span<UInt8>) {
        self.init(SecretBuffer(copying: bytes))
    }

    /// Takes the passphrase in a text, which stays in memory as long as the program keeps it.
    public convenience init(_ text: String) {
        self.init(text.utf8Span.span)
    }

    private init(_ buffer: consuming SecretBuffer) {
        self.buffer = buffer
    }

    /// Lends the bytes to `body`.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withSpan(body)
    }
}

extension Passphrase {
    /// Takes what `read` puts into a buffer with room for `byteCountLimit` bytes, and one newline at its end.
    ///
    /// - Returns: Nil if that is more.
    static func reading<Failure: Error>(
        atMost byteCountLimit: Int,
        droppingNewline: Bool,
        _ read: (inout MutableSpan<UInt8>) throws(Failure) -> Int
    ) throws(Failure) -> Passphrase? {
        // Room for the newline, and for one byte more, to notice an input that goes on.
        var input = SecretBuffer(byteCount: byteCountLimit + 2)
        var byteCount = try input.withMutableSpan { bytes throws(Failure) in try read(&bytes) }
        return input.withSpan { bytes in
            if droppingNewline, byteCount > 0, bytes[byteCount - 1] == UInt8(ascii: "\n") { byteCount -= 1 }
            return byteCount > byteCountLimit ? nil : Passphrase(bytes.extracting(..<byteCount))
        }
    }

    /// Whether there is nothing in it.
    var isEmpty: Bool { withBytes { $0.isEmpty } }
}
