package import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// A vault before it has a file: its root, and the ways to open it.
package struct NewVault: Sendable {
    package typealias Roots = Keyring<SodiumSuite>.Roots

    private static let epoch: UInt32 = 1

    package let vault: VaultID
    private let userRoot: GuardedKey
    private let environment: StoreEnvironment
    private let created: Time
    private let argon2Limits: Argon2Limits
    private var entries: [KeybagEntry] = []
    private var deviceRoots: [DeviceID: GuardedKey] = [:]

    /// A vault that nothing opens yet.
    package init(environment: StoreEnvironment, argon2Limits: Argon2Limits = .writer) throws(StoreError) {
        self.environment = environment
        self.argon2Limits = argon2Limits
        let suite = environment.suite
        vault = VaultID(suite.randomBytes(VaultID.byteCount).span)
        created = Time(microseconds: environment.time.wallMicroseconds())
        userRoot = try translating({ StoreError.refused(.cipher($0)) }) { () throws(CipherError) in
            try suite.randomKey()
        }
    }

    /// What opens the vault on this machine.
    package var roots: Roots { Roots(user: (userRoot, Self.epoch), devices: deviceRoots) }

    private var slots: SlotMaker<SodiumSuite> {
        SlotMaker(
            userRoot: userRoot,
            epoch: Self.epoch,
            created: created,
            vault: vault,
            suite: environment.suite,
            limits: argon2Limits
        )
    }

    /// Lets a passphrase, and a key file if there is one, open the vault.
    package mutating func add(
        passphrase: Span<UInt8>,
        keyFile: Span<UInt8>? = nil,
        parameters: Argon2Parameters
    ) throws(StoreError) {
        let slots = slots
        let slot = try translating(StoreError.refused) { () throws(Fault) in
            try slots.passphraseSlot(passphrase, keyFile: keyFile, parameters: parameters)
        }
        entries.append(.slot(slot))
    }

    /// Lets a key file open the vault by itself.
    package mutating func add(keyFile: Span<UInt8>) throws(StoreError) {
        let slots = slots
        let slot = try translating(StoreError.refused) { () throws(Fault) in try slots.keyFileSlot(keyFile) }
        entries.append(.slot(slot))
    }

    /// Lets a recovery code with this seed open the vault.
    package mutating func add(recoverySeed seed: GuardedKey) throws(StoreError) {
        let slots = slots
        let slot = try translating(StoreError.refused) { () throws(Fault) in try slots.recoverySlot(seed: seed) }
        entries.append(.slot(slot))
    }

    /// Gives a machine a part in the vault; without a passphrase, its key opens all of it.
    package mutating func add(device: DeviceID, key: GuardedKey, opensAll: Bool) throws(StoreError) {
        let slots = slots
        let (vault, suite, created) = (vault, environment.suite, created)
        let (root, added) = try translating(StoreError.refused) { () throws(Fault) -> (GuardedKey, [KeybagEntry]) in
            let root: GuardedKey
            do throws(CipherError) {
                root = try suite.randomKey()
            } catch {
                throw .cipher(error)
            }
            let entry = try DeviceEntry.entry(
                device,
                created: created,
                root: root,
                deviceKey: key,
                vault: vault,
                suite: suite
            )
            guard opensAll else { return (root, [.device(entry)]) }
            return (root, [.slot(try slots.deviceUnlockSlot(device, key: key)), .device(entry)])
        }
        deviceRoots[device] = root
        entries += added
    }

    /// The bytes of the vault's file.
    func bytes() throws(StoreError) -> [UInt8] {
        let suite = environment.suite
        return try translating({ StoreError.refused(.cipher($0)) }) { () throws(CipherError) in
            let maker = try KeyMaker(
                userRoot: userRoot,
                devices: deviceRoots,
                epoch: Self.epoch,
                vault: vault,
                suite: suite
            )
            let (structureKey, structureEntries) = try maker.structureKey()
            let keybag = Keybag(entries: entries + structureEntries + [try maker.teamKey()])
            return try GenerationWriter(.new(vault), structureKey: structureKey, suite: suite).finished(keybag)
        }
    }
}

extension VaultStore {
    /// Makes the file of a new vault, which must not exist, and opens it.
    package static func create(
        _ new: NewVault,
        at path: String,
        environment: StoreEnvironment,
        options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> VaultStore {
        let bytes = try new.bytes()
        try translating(StoreError.file) { () throws(FileError) in
            let place = try environment.files.locate(path)
            let random = environment.suite.randomBytes(8).span.littleEndian(at: 0, as: UInt64.self)
            do throws(FileError) {
                try DurableFile.create(place.name, bytes.span, in: place.directory, random: random)
            } catch {
                // Who has made the vault meanwhile may have swept away what was to become it.
                guard error.reason == .notFound, (try? place.directory.status(of: place.name)) != nil else {
                    throw error
                }
                throw FileError(.create, path, reason: .alreadyExists)
            }
        }
        return try open(at: path, environment: environment, options: options) { _ in new.roots }
    }
}
