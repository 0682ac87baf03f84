internal import CProgramStart

/// Memory that was released.
package enum FreeMemory {
    /// Overwrites what was released on the first thread.
    ///
    /// Texts of Swift cannot be wiped: where one is drawn, searched or compared, copies of it are made and released.
    package static func overwrite() { coffer_overwrite_free_memory() }
}
