internal import CCofferSodium
internal import CofferBasics

/// A page of memory for keys, between unreadable pages, kept out of swap and core dumps.
///
/// A page for each key would cost tens of microseconds each, and soon more memory than a process may lock.
@safe final class KeyPage: Sendable {
    private static let slotByteCount = 2 * Key.byteCount
    /// The number of slots that leaves room for the canary by which libsodium detects writes out of bounds.
    private static let slotCount = 63

    // A number, since a pointer would not be Sendable; only the key that has taken a slot writes to it.
    private let address: UInt
    private let freeSlots = Guarded(Array(0..<slotCount))

    /// The page that is being filled; the keys on previous pages keep these alive.
    private static let current = Guarded<KeyPage?>(nil)

    private init() throws(CipherError) {
        try Sodium.requireReady()
        let byteCount = Self.slotCount * Self.slotByteCount
        guard let memory = unsafe sodium_malloc(byteCount) else { throw .outOfMemory(neededByteCount: byteCount) }
        address = UInt(bitPattern: memory)
    }

    deinit { unsafe sodium_free(memory) }

    private var memory: UnsafeMutableRawPointer {
        // The address is that of a successful allocation, so it is not zero.
        guard let memory = unsafe UnsafeMutableRawPointer(bitPattern: address) else { preconditionFailure("no memory") }
        return unsafe memory
    }

    private func pointer(to slot: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe (memory + slot * Self.slotByteCount).assumingMemoryBound(to: UInt8.self)
    }

    /// Takes a slot of the page that is being filled, or of a new one if that is full.
    static func takeSlot() throws(CipherError) -> (page: KeyPage, slot: Int) {
        try current.withLock { current throws(CipherError) in
            if let page = current, let slot = page.takeSlot() { return (page, slot) }
            let page = try KeyPage()
            current = page
            guard let slot = page.takeSlot() else { preconditionFailure("a new page has no free slot") }
            return (page, slot)
        }
    }

    private func takeSlot() -> Int? { freeSlots.withLock { $0.popLast() } }

    /// Wipes a slot and returns it to the page.
    func release(_ slot: Int) {
        withMutableBytes(of: slot) { $0.wipe() }
        freeSlots.withLock { $0.append(slot) }
    }

    /// Calls `body` with a slot that the caller has taken and is writing to.
    func withMutableBytes<Failure: Error>(
        of slot: Int,
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        var bytes = unsafe MutableSpan(_unsafeStart: pointer(to: slot), count: Self.slotByteCount)
        try body(&bytes)
    }

    /// Calls `body` with a slot that the caller has taken.
    func withBytes<Result: ~Copyable, Failure: Error>(
        of slot: Int,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe Span(_unsafeStart: UnsafePointer(pointer(to: slot)), count: Self.slotByteCount))
    }
}
