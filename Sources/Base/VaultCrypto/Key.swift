internal import CCofferSodium
internal import CofferBasics

/// 32 secret bytes in memory that libsodium guards, wiped when the last reference is released.
///
/// They leave that memory through ``withBytes(_:)`` only. Next to the key is the key that its nonces are made with.
/// Both are written only once, so threads share a key without a lock.
@safe package final class Key: Sendable {
    static let byteCount = 32

    private let page: KeyPage
    private let slot: Int

    /// Fills guarded memory with the key that `fill` writes, and derives the nonce key.
    init(filledBy fill: (inout MutableSpan<UInt8>) throws(CipherError) -> Void) throws(CipherError) {
        (page, slot) = try KeyPage.takeSlot()
        // If anything throws from here on, deinit runs and wipes the slot.
        try page.withMutableBytes(of: slot) { bytes throws(CipherError) in
            var key = bytes._mutatingExtracting(..<Self.byteCount)
            try fill(&key)
        }
        let nothing: [UInt8] = []
        page.withMutableBytes(of: slot) { bytes in
            var nonceKey = bytes._mutatingExtracting(Self.byteCount...)
            withBytes { Sodium.hash(into: &nonceKey, key: $0, label: .nonce, nothing.span) }
        }
    }

    deinit { page.release(slot) }

    /// The key with the 32 `bytes`, which the caller wipes.
    package convenience init(copying bytes: Span<UInt8>) throws(CipherError) {
        precondition(bytes.count == Self.byteCount, "a key has 32 bytes")
        try self.init { $0.copy(from: bytes) }
    }

    /// Calls `body` with the key, to seal it for a recipient or to write it to a key file.
    package func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(at: 0, body)
    }

    /// Calls `body` with the nonce key.
    func withNonceKey<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(at: Self.byteCount, body)
    }

    private func withBytes<Result: ~Copyable, Failure: Error>(
        at offset: Int,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try page.withBytes(of: slot) { bytes throws(Failure) in
            try body(bytes.extracting(offset..<offset + Self.byteCount))
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends the 32 bytes of `key`.
    package mutating func append(_ key: Key) {
        key.withBytes { append(copying: $0) }
    }
}
