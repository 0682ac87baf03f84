package import VaultFiles

/// The machine that a container is on: a seam for tests.
package struct PersistenceSurroundings: Sendable {
    /// Its files.
    package var files: any FileSystem = LinuxFileSystem()
    /// Its clocks.
    package var time: any TimeSource = MachineTime()
    /// How long another process may write before that is an error.
    package var lockNanoseconds: UInt64 = 5_000_000_000
    /// How often to look for what the system does not tell of.
    package var pollingNanoseconds: UInt64 = 1_000_000_000

    /// This machine.
    package init() {}
}
