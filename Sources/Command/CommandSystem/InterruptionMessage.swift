internal import Glibc
internal import Synchronization

/// A message that is written to standard error if a signal ends the process in the meantime.
@safe struct InterruptionMessage {
    /// The address of the text, and its length; nothing is written if the length is 0.
    private static let address = Atomic<UInt>(0)
    private static let byteCount = Atomic<Int>(0)

    private let caught: CaughtSignals
    private let former: (address: UInt, byteCount: Int)
    private let text: UnsafeMutableBufferPointer<UInt8>

    /// From now on until `end()`, a signal that asks the process to end writes `bytes` and then ends it.
    init(_ bytes: [UInt8]) {
        // In memory at a fixed address, since a signal handler must not access Swift objects.
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
            let address = InterruptionMessage.address.load(ordering: .sequentiallyConsistent)
            let text = unsafe UnsafeRawPointer(bitPattern: address)
            unsafe _ = write(STDERR_FILENO, text, InterruptionMessage.byteCount.load(ordering: .sequentiallyConsistent))
            Interrupts.obey(number)
        }
        caught = CaughtSignals(EndingSignals.all, action)
    }

    /// Restores the previous actions of the signals.
    func end() {
        caught.end()
        Self.byteCount.store(0, ordering: .sequentiallyConsistent)
        Self.address.store(former.address, ordering: .sequentiallyConsistent)
        Self.byteCount.store(former.byteCount, ordering: .sequentiallyConsistent)
        unsafe text.deallocate()
    }
}
