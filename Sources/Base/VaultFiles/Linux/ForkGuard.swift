internal import Glibc

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
