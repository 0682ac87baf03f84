internal import CProgramStart

/// The crash handlers of Swift's runtime library.
package enum CrashHandlers {
    /// Lets a crash end the program at once.
    ///
    /// Where a toolchain is installed, the runtime library would print registers and the memory that they point to.
    package static func remove() { coffer_remove_crash_handlers() }
}
