internal import CCofferSodium
internal import CofferBasics

/// Secret bytes in memory that libsodium guards: between unreadable pages, and kept out of swap and core dumps.
///
/// They are written only once, so threads share them without a lock, and wiped when the last reference is released. A
/// ``Key`` takes less time and memory.
@safe package final class GuardedBytes: Sendable {
    // A number, since a pointer would not be Sendable.
    private let address: UInt
    package let byteCount: Int

    /// A copy of `bytes`, which the caller wipes.
    package init(copying bytes: Span<UInt8>) throws(CipherError) {
        try Sodium.requireReady()
        guard let memory = unsafe sodium_malloc(bytes.count) else {
            throw .outOfMemory(neededByteCount: bytes.count)
        }
        byteCount = bytes.count
        address = UInt(bitPattern: memory)
        var copy = unsafe MutableSpan(_unsafeStart: memory.assumingMemoryBound(to: UInt8.self), count: byteCount)
        copy.copy(from: bytes)
        unsafe sodium_mprotect_readonly(memory)
    }

    deinit { unsafe sodium_free(UnsafeMutableRawPointer(bitPattern: address)) }

    /// Calls `body` with the bytes.
    package func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let memory = unsafe UnsafePointer<UInt8>(bitPattern: address)
        guard let memory = unsafe memory else { preconditionFailure("no memory") }
        return try body(unsafe Span(_unsafeStart: memory, count: byteCount))
    }
}
