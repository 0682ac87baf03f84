package import VaultCrypto
package import VaultFiles

/// What a store depends on: files, clocks, random bytes.
package struct StoreEnvironment: Sendable {
    package var files: any FileSystem
    package var time: any TimeSource
    package var random: any RandomSource
    /// The memory available to derive a key from a passphrase.
    package var memory = AvailableMemory()
    /// The start of the machine; nil if it is unknown, and then no writer id is used by two processes.
    package var machineStart = MachineStart.current
    /// The user who is expected to own the files.
    package var user: UInt32

    package init(
        files: any FileSystem = LinuxFileSystem(),
        time: any TimeSource = MachineTime(),
        random: any RandomSource,
        user: UInt32 = CurrentProcess.user
    ) {
        self.files = files
        self.time = time
        self.random = random
        self.user = user
    }
}
