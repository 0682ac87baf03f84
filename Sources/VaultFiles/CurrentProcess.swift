internal import Glibc

/// What is known of the process that runs.
package enum CurrentProcess {
    /// Its number; in a child that was forked it is another one.
    package static var number: Int32 { getpid() }

    /// The user whose rights it has.
    package static var user: UInt32 { geteuid() }
}
