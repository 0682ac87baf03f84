/// Calls `body` with the secret that `write` appends, at most `capacity` bytes, and wipes it afterwards.
///
/// The bytes never move, so no copy of the secret is left in memory that was not wiped.
@inlinable
package func withTemporarySecret<Result: ~Copyable, Failure: Error>(
    capacity: Int,
    writtenBy write: (inout OutputSpan<UInt8>) -> Void,
    _ body: (Span<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
    // On the stack if there are few: an array of them would take longer to allocate than most hashes take.
    try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { memory throws(Failure) in
        var output = unsafe OutputSpan(buffer: memory, initializedCount: 0)
        write(&output)
        let byteCount = unsafe output.finalize(for: memory)
        // All of it: what was removed again is still in memory.
        defer { unsafe zero(memory) }
        return try body(unsafe Span(_unsafeElements: memory.extracting(..<byteCount)))
    }
}
