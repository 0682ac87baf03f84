internal import CProgramStart

/// What the runtime library of Swift does when the program crashes.
package enum CrashHandlers {
    /// Lets a crash end the program at once.
    ///
    /// Where a toolchain is installed, the runtime library would print registers and the memory that they point to.
    package static func remove() { coffer_remove_crash_handlers() }
}
