internal import Synchronization

/// A value that each process has for itself: a forked process creates its own when it first asks.
///
/// Locks of the parent process may be held by threads that the child does not have, so of the parent's value only what
/// needs no lock may be used.
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

    /// A value that `make` creates in each process, given the parent process's value if there is one.
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
        // The former value is kept: releasing it could need its locks.
        guard !exchanged else { return unsafe new.takeUnretainedValue().value }
        unsafe new.release()
        return unsafe latest.takeUnretainedValue().value
    }
}
