internal import Synchronization

/// A value that each process has for itself: one that was forked makes its own when it first asks.
///
/// Locks of the process before may be held by threads that the new one does not have, so nothing of its value is used but
/// what needs none.
@safe package final class PerProcess<Value: AnyObject & Sendable>: Sendable {
    private final class Holder: Sendable {
        let guardian = ForkGuard()
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private let make: @Sendable (_ former: Value?) -> Value
    private let holder: Atomic<Unmanaged<Holder>>

    /// A value that `make` makes in each process, from that of the process before if there is one.
    package init(_ make: @escaping @Sendable (_ former: Value?) -> Value) {
        self.make = make
        unsafe holder = Atomic(.passRetained(Holder(make(nil))))
    }

    deinit {
        unsafe holder.load(ordering: .acquiring).release()
    }

    /// The value of this process.
    package var value: Value {
        let found = unsafe holder.load(ordering: .acquiring)
        let known = unsafe found.takeUnretainedValue()
        if known.guardian.isSameProcess { return known.value }
        let new = unsafe Unmanaged.passRetained(Holder(make(known.value)))
        let (exchanged, latest) = unsafe holder.compareExchange(
            expected: found,
            desired: new,
            ordering: .acquiringAndReleasing
        )
        // The former value stays: to take it apart could need its locks.
        guard !exchanged else { return unsafe new.takeUnretainedValue().value }
        unsafe new.release()
        return unsafe latest.takeUnretainedValue().value
    }
}
