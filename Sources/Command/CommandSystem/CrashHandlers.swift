internal import CProgramStart

/// The crash handlers of the Swift runtime.
package enum CrashHandlers {
    /// Lets a crash end the program at once.
    ///
    /// If a toolchain is installed, the runtime would print registers and the memory they point to.
    package static func remove() { coffer_remove_crash_handlers() }
}
