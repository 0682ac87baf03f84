internal import KeyedArchive

extension CipherSuite {
    /// Lends `byteCount` zero bytes to `body`, which puts a secret there, and wipes them afterwards.
    func withSecretBytes<Result: ~Copyable, Failure: Error>(
        byteCount: Int,
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var span = bytes.mutableSpan
        defer { wipe(&span) }
        return try body(&span)
    }

    /// Lends `body` the secret that `write` appends, at most `capacity` bytes, and wipes it afterwards.
    ///
    /// The bytes never move, so no part of the secret stays behind in memory that they left.
    func withSecretBytes<Result: ~Copyable, Failure: Error>(
        capacity: Int,
        writtenBy write: (inout OutputSpan<UInt8>) -> Void,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var bytes = [UInt8](capacity: capacity, initializingWith: write)
        var span = bytes.mutableSpan
        defer { wipe(&span) }
        return try body(span.span)
    }

    /// The key in `bytes`, 32 bytes that the caller wipes.
    func key(copying bytes: Span<UInt8>) throws(CipherError) -> Key {
        try withSecretBytes(byteCount: bytes.count) { copy throws(CipherError) in
            for index in bytes.indices { copy[index] = bytes[index] }
            return try key(consuming: &copy)
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends the 32 bytes of `key`.
    mutating func append<Suite: CipherSuite>(_ key: Suite.Key, suite: Suite) {
        suite.withBytes(of: key) { append(copying: $0) }
    }
}
