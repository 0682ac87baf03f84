internal import Glibc

/// The end of the process.
package enum ProcessEnd {
    /// Ends the process with an exit code.
    package static func exit(_ status: UInt8) -> Never {
        Glibc.exit(Int32(status))
    }
}
