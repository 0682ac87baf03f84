internal import Glibc

/// Tells the process in which it was made from those that were forked from it.
///
/// It is a page of memory that the kernel clears in a child, since a look at it costs nothing, while asking for the number
/// of the process is a call. Where the kernel does not do that, the number is asked for.
@safe package final class ForkGuard: Sendable {
    private static let byteCount = 4096

    private let process = getpid()
    // A number, since a pointer would not be Sendable; nothing writes there but the kernel. Zero if there is no page.
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

    /// Whether this is the process in which the guard was made.
    package var isSameProcess: Bool {
        guard let page = unsafe UnsafeRawPointer(bitPattern: address) else { return getpid() == process }
        return unsafe page.load(as: UInt8.self) == 1
    }
}
