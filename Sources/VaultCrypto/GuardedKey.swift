internal import CSodium
internal import VaultFormat

/// A key of 32 bytes in memory that libsodium guards: between unreadable pages, kept out of swap and core dumps, wiped
/// when the last user lets go.
///
/// Beside the key lies the key that its nonces are made with. The memory is written once and then made read-only, so
/// threads share a key without a lock.
@safe package final class GuardedKey: Sendable {
    static let byteCount = 32

    // A number, since a pointer would not be Sendable; nothing ever writes there.
    private let address: UInt

    /// Fills guarded memory with the key that `fill` writes, and derives the nonce key.
    init(filledBy fill: (inout MutableSpan<UInt8>) throws(CipherError) -> Void) throws(CipherError) {
        try Sodium.requireReady()
        guard let memory = unsafe sodium_malloc(2 * Self.byteCount) else {
            throw .outOfMemory(neededByteCount: 2 * Self.byteCount)
        }
        let bytes = unsafe memory.bindMemory(to: UInt8.self, capacity: 2 * Self.byteCount)
        var key = unsafe MutableSpan(_unsafeStart: bytes, count: Self.byteCount)
        do throws(CipherError) {
            try fill(&key)
        } catch {
            unsafe sodium_free(memory)
            throw error
        }
        var nonceKey = unsafe MutableSpan(_unsafeStart: bytes + Self.byteCount, count: Self.byteCount)
        let nothing: [UInt8] = []
        Sodium.hash(into: &nonceKey, key: key.span, label: .nonce, nothing.span)
        unsafe sodium_mprotect_readonly(memory)
        address = UInt(bitPattern: memory)
    }

    deinit {
        unsafe sodium_free(UnsafeMutableRawPointer(bitPattern: address))
    }

    /// Lends the key to `body`.
    func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(at: 0, body)
    }

    /// Lends the key of nonces to `body`.
    func withNonceKey<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(at: Self.byteCount, body)
    }

    private func withBytes<Result: ~Copyable, Failure: Error>(
        at offset: Int,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The address came from an allocation that succeeded, so it is not zero.
        guard let memory = unsafe UnsafePointer<UInt8>(bitPattern: address) else { preconditionFailure("no memory") }
        return try body(unsafe Span(_unsafeStart: memory + offset, count: Self.byteCount))
    }
}
