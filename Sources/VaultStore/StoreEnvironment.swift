package import VaultCompression
package import VaultCrypto
package import VaultFiles

/// What a store stands on: files, clocks, ciphers.
package struct StoreEnvironment: Sendable {
    package var files: any FileSystem
    package var time: any TimeSource
    package var suite: SodiumSuite
    package var compressor = ZlibCompressor()
    /// How much memory a passphrase may take.
    package var memory = AvailableMemory()
    /// The user whose files are one's own.
    package var user: UInt32

    package init(
        files: any FileSystem = LinuxFileSystem(),
        time: any TimeSource = MachineTime(),
        suite: SodiumSuite,
        user: UInt32 = CurrentProcess.user
    ) {
        self.files = files
        self.time = time
        self.suite = suite
        self.user = user
    }
}
