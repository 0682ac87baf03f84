public import Coffer
public import FoundationEssentials

extension Data: SecretSource {
    /// Lends the bytes to `body`.
    public func withSecretBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(span)
    }
}
