/// The bytes of a secret: in one place, never copied, wiped on release.
///
/// It uses ordinary memory, since guarded memory takes tens of microseconds to allocate; keys use that.
@safe package struct SecretBuffer: ~Copyable, Sendable {
    /// A number, since a pointer would not be Sendable; only exclusive access may change the bytes.
    private let address: UInt
    /// How many bytes the buffer has.
    package let byteCount: Int

    /// A buffer of `byteCount` zero bytes.
    package init(byteCount: Int) {
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: byteCount)
        unsafe memory.initialize(repeating: 0)
        address = UInt(bitPattern: memory.baseAddress)
        self.byteCount = byteCount
    }

    /// A buffer with a copy of `bytes`.
    package init(copying bytes: Span<UInt8>) {
        self.init(byteCount: bytes.count)
        withMutableSpan { $0.copy(from: bytes) }
    }

    private var memory: UnsafeMutableBufferPointer<UInt8> {
        unsafe UnsafeMutableBufferPointer(start: UnsafeMutablePointer(bitPattern: address), count: byteCount)
    }

    deinit {
        var bytes = unsafe MutableSpan(_unsafeElements: memory)
        bytes.wipe()
        unsafe memory.deallocate()
    }

    /// Grows the buffer, keeping its bytes at the start.
    package mutating func grow(to byteCount: Int) {
        var larger = SecretBuffer(byteCount: byteCount)
        withSpan { old in larger.withMutableSpan { $0.copy(from: old) } }
        self = larger
    }

    /// Lends the bytes to `body`.
    package func withSpan<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe Span(_unsafeElements: memory))
    }

    /// Lends the bytes to `body`, which may change them.
    package mutating func withMutableSpan<Result: ~Copyable, Failure: Error>(
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var span = unsafe MutableSpan(_unsafeElements: memory)
        return try body(&span)
    }
}
