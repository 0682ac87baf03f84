internal import Glibc

/// What is known of the process that runs.
package enum CurrentProcess {
    /// The user whose rights it has.
    package static var user: UInt32 { geteuid() }
}
