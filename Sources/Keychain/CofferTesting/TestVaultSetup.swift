internal import Coffer
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// The location of a test's vault, and the way to open it.
struct TestVaultSetup: Sendable {
    private static let directory = "/coffer-testing"
    private static let path = directory + "/test.coffer"
    /// The first byte to damage: earlier bytes identify the file as a vault.
    private static let firstDamagedOffset = 64

    let files = MemoryFiles()
    let groups: AccessGroups
    /// The ladder that unlocks the vault, without anything from the machine.
    let ladder: UnlockLadder
    private let protection: VaultProtection
    private let options: VaultOptions

    init(groups: AccessGroups, hasPassphrase: Bool) throws(VaultError) {
        self.groups = groups
        // A weak passphrase is safe here: there is no file to try it on.
        let passphrase = hasPassphrase ? Passphrase("test") : nil
        protection = VaultProtection(passphrase: passphrase)
        var ladder = UnlockLadder(environment: ProgramEnvironment(variables: [:], isSetUserID: false))
        ladder.usesKernelKeyring = false
        ladder.secret = passphrase.map { .passphrase($0) }
        self.ladder = ladder
        let locations = VaultLocations(
            vault: Self.path,
            deviceKey: Self.directory + "/device.key",
            anchors: Self.directory + "/anchors"
        )
        var options = VaultOptions(locations: locations)
        // The least work that a readable vault may ask for.
        options.passphraseCost = PassphraseCost(Argon2Parameters(operations: 1, memoryKiB: 8192), .reader)
        var environment = try options.storeEnvironment()
        environment.files = files
        options.environment = environment
        self.options = options
    }

    /// Creates the vault.
    func made() throws(VaultError) -> Vault {
        try Vault.create(at: Self.path, protection: protection, options: options)
    }

    /// The keychain of the same program in another process.
    func otherKeychain() throws(VaultError) -> Keychain {
        try Vault.open(at: Self.path, with: ladder, options: options).keychain(for: groups)
    }

    /// Flips bits throughout the vault, but leaves it recognizable.
    ///
    /// The damaged file replaces the old one, because an open vault trusts what it has already read for as long as the
    /// file is the same one.
    func damageVault() throws(FileError) {
        try files.replace(Self.path) { bytes in
            for offset in stride(from: Self.firstDamagedOffset, to: bytes.count, by: 64) { bytes[offset] ^= 1 }
        }
    }
}
