package import VaultCrypto
package import VaultFiles

/// What a store stands on: files, clocks, random bytes.
package struct StoreEnvironment: Sendable {
    package var files: any FileSystem
    package var time: any TimeSource
    package var random: any RandomSource
    /// How much memory a passphrase may take.
    package var memory = AvailableMemory()
    /// The user whose files are one's own.
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
