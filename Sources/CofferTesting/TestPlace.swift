internal import Coffer
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// Where the vault of a test lies, and what opens it.
struct TestPlace: Sendable {
    private static let directory = "/coffer-testing"
    private static let path = directory + "/test.coffer"
    /// Where the header of a vault says more than what it is.
    private static let firstDamagedOffset = 64

    let files = MemoryFiles()
    let groups: AccessGroups
    /// What opens the vault: nothing of the machine.
    let ladder: UnlockLadder
    private let protection: VaultProtection
    private let options: VaultOptions

    init(groups: AccessGroups, hasPassphrase: Bool) throws(VaultError) {
        self.groups = groups
        // Nobody guesses it: there is no file that anybody could try it on.
        let passphrase = hasPassphrase ? Passphrase("test") : nil
        protection = VaultProtection(passphrase: passphrase)
        var ladder = UnlockLadder(environment: ProgramEnvironment(variables: [:], isSetUserID: false))
        ladder.usesKernelKeyring = false
        ladder.given = passphrase.map { .passphrase($0) }
        self.ladder = ladder
        let places = VaultPlaces(
            vault: Self.path,
            deviceKey: Self.directory + "/device.key",
            anchors: Self.directory + "/anchors"
        )
        var options = VaultOptions(places: places)
        // As little work as a vault that can be read has.
        options.passphraseCost = PassphraseCost(Argon2Parameters(operations: 1, memoryKiB: 8192), .reader)
        var environment = try options.storeEnvironment()
        environment.files = files
        options.environment = environment
        self.options = options
    }

    /// Makes the vault.
    func made() throws(VaultError) -> Vault {
        try Vault.create(at: Self.path, protection: protection, options: options)
    }

    /// The keychain of the same program in another process.
    func otherKeychain() throws(VaultError) -> Keychain {
        try Vault.open(at: Self.path, with: ladder, options: options).keychain(for: groups)
    }

    /// Flips bits all over the vault, but leaves it recognisable.
    ///
    /// The damaged file takes the place of the one before: an open vault trusts what it has read of a file, as long as
    /// that is the same one.
    func damageVault() throws(FileError) {
        try files.replace(Self.path) { bytes in
            for offset in stride(from: Self.firstDamagedOffset, to: bytes.count, by: 64) { bytes[offset] ^= 1 }
        }
    }
}
