internal import Glibc
internal import Synchronization

/// What is written to the standard error when a signal ends the process, for a while.
@safe struct LastWords {
    /// Where the text is, and how long; none is written where it is 0.
    private static let address = Atomic<UInt>(0)
    private static let byteCount = Atomic<Int>(0)

    private let caught: CaughtSignals
    private let former: (address: UInt, byteCount: Int)
    private let text: UnsafeMutableBufferPointer<UInt8>

    /// Writes `bytes` when one of the signals comes from now on, until `end()`; then the signal ends the process.
    init(_ bytes: [UInt8]) {
        // In memory of its own, since nothing may be looked up where signals are told.
        unsafe text = UnsafeMutableBufferPointer.allocate(capacity: bytes.count)
        unsafe _ = text.initialize(from: bytes)
        former = (
            Self.address.load(ordering: .sequentiallyConsistent), Self.byteCount.load(ordering: .sequentiallyConsistent)
        )
        Self.byteCount.store(0, ordering: .sequentiallyConsistent)
        unsafe Self.address.store(UInt(bitPattern: text.baseAddress), ordering: .sequentiallyConsistent)
        Self.byteCount.store(bytes.count, ordering: .sequentiallyConsistent)
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { number in
            let text = unsafe UnsafeRawPointer(bitPattern: LastWords.address.load(ordering: .sequentiallyConsistent))
            unsafe _ = write(STDERR_FILENO, text, LastWords.byteCount.load(ordering: .sequentiallyConsistent))
            Interrupts.obey(number)
        }
        caught = CaughtSignals(Interrupts.signals, action)
    }

    /// Lets signals do what they did before.
    func end() {
        caught.end()
        Self.byteCount.store(0, ordering: .sequentiallyConsistent)
        Self.address.store(former.address, ordering: .sequentiallyConsistent)
        Self.byteCount.store(former.byteCount, ordering: .sequentiallyConsistent)
        unsafe text.deallocate()
    }
}
