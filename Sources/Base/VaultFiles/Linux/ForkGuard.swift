internal import Glibc
internal import Synchronization

/// Tells the process that created it from its forked children.
///
/// It is a page of memory that the kernel clears in a child: looking at it costs nothing, while asking for the process
/// id is a system call. Where the kernel cannot do that, it asks for the process id.
@safe package final class ForkGuard: Sendable {
    private static let byteCount = 4096

    private let process = getpid()
    // A number, since a pointer would not be Sendable; only the kernel writes to the page. Zero if there is no page.
    private let address: UInt

    package init() {
        let page = unsafe mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let page = unsafe page, unsafe page != MAP_FAILED else {
            address = 0
            return
        }
        guard unsafe madvise(page, Self.byteCount, MADV_WIPEONFORK) == 0 else {
            unsafe munmap(page, Self.byteCount)
            address = 0
            return
        }
        unsafe page.storeBytes(of: 1, as: UInt8.self)
        address = UInt(bitPattern: page)
    }

    deinit {
        if let page = unsafe UnsafeMutableRawPointer(bitPattern: address) { unsafe munmap(page, Self.byteCount) }
    }

    /// Whether this is the process that created the guard.
    package var isSameProcess: Bool {
        guard let page = unsafe UnsafeRawPointer(bitPattern: address) else { return getpid() == process }
        return unsafe page.load(as: UInt8.self) == 1
    }
}

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
