internal import CofferBasics
package import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// A vault that has no file yet: its root, and the ways to open it.
package struct NewVault: Sendable, SlotAccepting {
    package typealias Roots = Keyring.Roots

    private static let epoch: UInt32 = 1

    private let environment: StoreEnvironment
    package var draft: SlotDraft

    /// Creates a vault without any way to open it.
    package init(environment: StoreEnvironment, argon2Limits: Argon2Limits = .writer) throws {
        self.environment = environment
        let cipher = Cipher(vault: environment.random.identifier(), random: environment.random)
        draft = try SlotDraft(cipher: cipher, epoch: Self.epoch, environment: environment, argon2Limits: argon2Limits)
    }

    package var vault: VaultID { draft.cipher.vault }

    /// The roots that open the vault on this machine.
    package var roots: Roots { Roots(user: (draft.userRoot, draft.epoch), devices: draft.deviceRoots) }

    /// Returns the bytes of the vault's file.
    func bytes() throws -> [UInt8] {
        let cipher = draft.cipher
        let maker = try KeyMaker(
            userRoot: draft.userRoot,
            devices: draft.deviceRoots,
            epoch: draft.epoch,
            cipher: cipher
        )
        let (structureKey, structureEntries) = try maker.structureKey()
        let keybag = Keybag(entries: draft.entries + structureEntries + [try maker.teamKey()])
        var writer = try GenerationWriter(
            .new,
            keybag,
            sectionCount: 0,
            structureKey: structureKey,
            ownerKey: maker.ownerKey(),
            cipher: cipher,
            to: MemorySink()
        )
        _ = writer.finish()
        return writer.sink.bytes
    }
}

extension VaultStore {
    /// Creates the file of a new vault, which must not exist yet, and opens it.
    package static func create(
        _ new: NewVault,
        at path: String,
        environment: StoreEnvironment,
        options: StoreOptions = StoreOptions()
    ) throws -> VaultStore {
        try serve(path) {
            let bytes = try new.bytes()
            let place = try environment.files.locateForCreating(path, makesDirectories: false)
            let random = environment.random.number()
            do throws(FileError) {
                try DurableFile.create(place.name, bytes.span, in: place.directory, random: random)
            } catch {
                // A process that created the vault meanwhile may have swept away the temporary file.
                guard error.reason == .notFound, (try? place.directory.status(of: place.name)) != nil else {
                    throw error
                }
                throw FileError(.create, path, reason: .alreadyExists)
            }
            return try open(at: path, environment: environment, options: options) { _ in new.roots }
        }
    }
}
