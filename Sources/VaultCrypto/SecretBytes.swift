internal import CofferBasics

/// Lends `byteCount` zero bytes to `body`, which puts a secret there, and wipes them afterwards.
package func withSecretBytes<Result: ~Copyable, Failure: Error>(
    byteCount: Int,
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    var span = bytes.mutableSpan
    defer { span.wipe() }
    return try body(&span)
}

/// Lends `body` the secret that `write` appends, at most `capacity` bytes, and wipes it afterwards.
///
/// The bytes never move, so no part of the secret stays behind in memory that they left.
package func withSecretBytes<Result: ~Copyable, Failure: Error>(
    capacity: Int,
    writtenBy write: (inout OutputSpan<UInt8>) -> Void,
    _ body: (Span<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
    var bytes = [UInt8](capacity: capacity, initializingWith: write)
    var span = bytes.mutableSpan
    defer { span.wipe() }
    return try body(span.span)
}
