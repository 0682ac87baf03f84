package import VaultFiles

/// The machine that a container is on, replaceable in tests.
package struct PersistenceEnvironment: Sendable {
    /// The file system.
    package var files: any FileSystem = LinuxFileSystem()
    /// The clocks.
    package var time: any TimeSource = MachineTime()
    /// How long to wait for another process to finish writing.
    package var lockNanoseconds: UInt64 = 5_000_000_000
    /// How often to check for changes that the system does not report.
    package var pollingNanoseconds: UInt64 = 1_000_000_000

    /// Creates the environment of this machine.
    package init() {}
}
