internal import CCofferLinux
internal import Glibc
internal import Synchronization

/// Protects the memory of this process, which holds secrets, from core dumps and other processes.
///
/// That concerns the whole process, so programs decide it, never libraries.
package enum CoreDumps {
    /// The soft limit on core dumps that this process had before it forbade them.
    private static let formerLimit = Mutex<rlim_t?>(nil)

    /// Disables core dumps, and prevents processes without root's rights from tracing this one or reading its memory.
    package static func forbid() {
        coffer_hide_memory(1)
        formerLimit.withLock { former in
            var limit = rlimit()
            guard former == nil, unsafe getrlimit(resource, &limit) == 0 else { return }
            former = limit.rlim_cur
            set(0)
        }
    }

    /// Lets other processes of the user open this process's open files, and thereby read its memory too.
    ///
    /// The limit on core dumps stays at zero.
    package static func allowAccess() {
        coffer_hide_memory(0)
    }

    /// Runs `body`, which starts a program, with the previous limit, so that the program inherits it.
    package static func withFormerLimit<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let former = formerLimit.withLock(\.self) else { return try body() }
        set(former)
        defer { set(0) }
        return try body()
    }

    private static let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)

    private static func set(_ softLimit: rlim_t) {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = softLimit
        unsafe _ = setrlimit(resource, &limit)
    }
}
