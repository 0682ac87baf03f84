internal import CCofferSodium
internal import CofferBasics

/// A page of memory for keys, between unreadable pages, kept out of swap and core dumps.
///
/// It is read-only except while a key is written or wiped. A page for each key would cost tens of microseconds each,
/// and soon more memory than a process may lock.
@safe final class KeyPage: Sendable {
    private static let slotByteCount = 2 * Key.byteCount
    /// The number of slots that leaves room for the canary by which libsodium detects writes out of bounds.
    private static let slotCount = 63

    private struct State: Sendable {
        var freeSlots = Array(0..<slotCount)
        /// The number of keys that are being written.
        var writerCount = 0
    }

    // A number, since a pointer would not be Sendable; only the key that has taken a slot writes to it.
    private let address: UInt
    private let state = Guarded(State())

    init() throws(CipherError) {
        try Sodium.requireReady()
        let byteCount = Self.slotCount * Self.slotByteCount
        guard let memory = unsafe sodium_malloc(byteCount) else { throw .outOfMemory(neededByteCount: byteCount) }
        unsafe sodium_mprotect_readonly(memory)
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

    // MARK: - Writing

    /// Takes a free slot and makes the page writable until ``endWriting()``, or returns nil if no slot is free.
    func takeSlot() -> Int? {
        state.withLock { state in
            guard let slot = state.freeSlots.popLast() else { return nil }
            beginWriting(&state)
            return slot
        }
    }

    /// Makes the page writable until ``endWriting()``.
    func beginWriting() {
        state.withLock { beginWriting(&$0) }
    }

    /// Makes the page read-only again, unless other keys are being written.
    func endWriting() {
        state.withLock { endWriting(&$0) }
    }

    /// Wipes a slot and returns it to the page.
    func release(_ slot: Int) {
        state.withLock { state in
            beginWriting(&state)
            var bytes = unsafe MutableSpan(_unsafeStart: pointer(to: slot), count: Self.slotByteCount)
            bytes.wipe()
            endWriting(&state)
            state.freeSlots.append(slot)
        }
    }

    private func beginWriting(_ state: inout State) {
        if state.writerCount == 0 { unsafe sodium_mprotect_readwrite(memory) }
        state.writerCount += 1
    }

    private func endWriting(_ state: inout State) {
        state.writerCount -= 1
        if state.writerCount == 0 { unsafe sodium_mprotect_readonly(memory) }
    }

    // MARK: - Lending

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

/// The memory for keys: pages that are filled one after the other.
final class KeyMemory: Sendable {
    private struct State: Sendable {
        /// The page that is being filled.
        var page: KeyPage?
        /// How many threads are making several keys.
        var makerCount = 0
        /// The pages that stay writable until those are done.
        var writablePages: [KeyPage] = []
    }

    /// The memory of the process.
    static let shared = KeyMemory()

    private let state = Guarded(State())

    /// Takes a slot that can be written until ``KeyPage/endWriting()``.
    func takeSlot() throws(CipherError) -> (page: KeyPage, slot: Int) {
        try state.withLock { state throws(CipherError) in
            if let page = state.page, let slot = page.takeSlot() { return (Self.kept(page, &state), slot) }
            // The keys on the previous page keep it alive.
            let page = try KeyPage()
            state.page = page
            guard let slot = page.takeSlot() else { preconditionFailure("a new page has no free slot") }
            return (Self.kept(page, &state), slot)
        }
    }

    /// Returns the page, which stays writable if several keys are being made.
    private static func kept(_ page: KeyPage, _ state: inout State) -> KeyPage {
        if state.makerCount > 0, !state.writablePages.contains(where: { $0 === page }) {
            page.beginWriting()
            state.writablePages.append(page)
        }
        return page
    }

    /// Calls `body`, which makes several keys.
    func makingKeys<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        state.withLock { $0.makerCount += 1 }
        defer {
            state.withLock { state in
                state.makerCount -= 1
                guard state.makerCount == 0 else { return }
                for page in state.writablePages { page.endWriting() }
                state.writablePages = []
            }
        }
        return try body()
    }
}

extension Key {
    /// Calls `body`, which makes several keys, and protects their memory once for all: that takes a system call, which is
    /// slower than to derive a key.
    package static func makingSeveral<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try KeyMemory.shared.makingKeys(body)
    }
}
