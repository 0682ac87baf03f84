internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// What this machine remembers of the vault at a path: `Spec/opening.md`, section 8.
///
/// Only vaults that the device key alone does not open are remembered. In place of such a vault, a weaker one is
/// created only on request.
struct RememberedVault {
    /// The age of the recorded date at which it is written again.
    private static let greatestAge: Duration = .seconds(86_400)

    private let path: String
    private let directoryPath: String
    private let name: String
    private let environment: StoreEnvironment

    /// Creates the memory of the vault at `path`, or nil if its file is unknown or the path cannot be resolved.
    init?(of path: String, options: VaultOptions, _ environment: StoreEnvironment) {
        guard let directoryPath = options.locations.anchors, let place = Self.resolved(path, environment.files) else {
            return nil
        }
        self.path = path
        self.directoryPath = directoryPath
        self.environment = environment
        name = RememberedVaultFile.name(ofVaultAt: place)
    }

    /// Returns the path without symbolic links; its last components need not exist.
    private static func resolved(_ path: String, _ files: any FileSystem) -> String? {
        do {
            let (directory, name) = try files.locate(path)
            return directory.path == "/" ? "/" + name : directory.path + "/" + name
        } catch {
            let (parent, name) = path.directoryAndName
            // A missing component is not a link.
            guard error.reason == .notFound, parent != path, let place = resolved(parent, files) else { return nil }
            switch name {
            case "", ".": return place
            case "..": return place.directoryAndName.0
            default: return place + "/" + name
            }
        }
    }

    /// Returns what is remembered, or nil if nothing is.
    ///
    /// - Throws: `Unreadable` if the memory cannot be read, so that it is unknown what was there.
    private func remembered() throws(Unreadable) -> RememberedVaultFile? {
        let bytes: [UInt8]
        do throws(FileError) {
            let directory = try environment.files.trustedDirectory(directoryPath)
            let file = try directory.openTrusted(name, for: .reading, user: environment.user)
            guard try file.status().isRegular else { throw FileError(.read, file.path, reason: .notARegularFile) }
            bytes = try file.bytes(in: 0..<RememberedVaultFile.byteCountLimit + 1)
        } catch {
            guard error.reason != .notFound else { return nil }
            throw Unreadable(path: path, reason: "\(error)")
        }
        do {
            return try RememberedVaultFile(parsing: bytes.span)
        } catch {
            throw Unreadable(path: path, reason: "\(directoryPath)/\(name) is damaged: \(error)")
        }
    }

    /// The error for a memory that cannot be read.
    private struct Unreadable: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String {
            "what this machine remembers of the vault at \(path.printable) cannot be read: \(reason)"
        }
    }

    /// The error that the vault is missing, if one is remembered.
    func loss() -> VaultError? {
        do {
            guard let place = try remembered() else { return nil }
            return VaultError(
                kind: .noVault,
                description: """
                    there is no vault at \(path.printable), where one with a \(place.opener) was last seen \
                    \(age(of: place)); mount its disk, or restore the file from a backup; \
                    `coffer init \(path.shellPath)` creates a new vault
                    """
            )
        } catch {
            return VaultError(
                kind: .noVault,
                description: """
                    there is no vault at \(path.printable), and \(error); \
                    `coffer init \(path.shellPath)` creates a new vault
                    """
            )
        }
    }

    /// Records what opens a vault that was found at the path.
    ///
    /// - Parameters:
    ///   - vault: The vault.
    ///   - opener: What opens it; nil if the device key alone does.
    ///   - mayWrite: Whether the memory may be written.
    /// - Returns: A warning, if the vault is weaker than the remembered one.
    func note(_ vault: VaultID, _ opener: Slot.Kind?, mayWrite: Bool) -> String? {
        let place: RememberedVaultFile?
        do {
            place = try remembered()
        } catch {
            // A vault with a passphrase replaces the unreadable memory.
            if opener == nil { return "\(error)" }
            place = nil
        }
        guard let opener else {
            return place.map { place in
                """
                the device key alone opens \(path.printable), but the vault last seen there \(age(of: place)) had a \
                \(place.opener); if you did not replace it, look for the old one; otherwise set a passphrase with \
                `coffer passwd`, or accept the vault as it is with \
                `coffer compact --accept-rollback --vault \(path.shellPath)`
                """
            }
        }
        let isKnown = place.map { $0.vault == vault && $0.opener == opener && elapsed(since: $0) < Self.greatestAge }
        if mayWrite, isKnown != true { try? remember(vault, opener) }
        return nil
    }

    /// Remembers a vault, durably.
    func remember(_ vault: VaultID, _ opener: Slot.Kind) throws(FileError) {
        let place = RememberedVaultFile(vault: vault, opener: opener, seen: now)
        let random = environment.random.number()
        try DurableFile.replace(
            name,
            place.text().span,
            in: try environment.files.makeDirectory(directoryPath),
            by: DurableFile.temporaryName(for: name, random: random)
        )
    }

    /// Forgets the vault, if one is remembered.
    func forget() throws {
        try ifPresent {
            let directory = try environment.files.trustedDirectory(directoryPath)
            try directory.remove(name)
            try directory.sync()
        }
    }

    private var now: Time { Time(microseconds: environment.time.wallMicroseconds()) }

    private func elapsed(since place: RememberedVaultFile) -> Duration {
        // Durations have room for any difference of two times.
        .microseconds(now.microseconds) - .microseconds(place.seen.microseconds)
    }

    private func age(of place: RememberedVaultFile) -> String {
        place.seen.age(at: now)
    }
}

extension Slot.Kind {
    /// What opens a vault with these slots; nil if the device key alone does.
    fileprivate static func opener(_ kinds: [Slot.Kind]) -> Slot.Kind? {
        guard !kinds.contains(.deviceUnlock) else { return nil }
        return [.passphraseAndKeyFile, .passphrase, .keyFile, .recoveryCode].first { kinds.contains($0) }
    }
}

extension Vault {
    /// The error for a missing vault, if this machine remembers one there that the device key alone did not open.
    ///
    /// - Parameters:
    ///   - path: The path, at which there is no vault.
    ///   - options: The options for using the vault.
    /// - Returns: An error that says what was there and what to do; nil if nothing is remembered.
    /// - Throws: ``VaultError`` if the cryptography library cannot be started.
    package static func loss(at path: String, options: VaultOptions) throws(VaultError) -> VaultError? {
        RememberedVault(of: path, options: options, try options.storeEnvironment())?.loss()
    }

    /// Accepts that the device key alone opens the vault, although one with another protection was there before.
    ///
    /// - Throws: ``VaultError`` if that cannot be recorded.
    package func acceptPlace() throws(VaultError) {
        guard let memory, try opener == nil else { return }
        try VaultError.converting { try memory.forget() }
    }

    /// Remembers what opens the vault, because that was just chosen here.
    ///
    /// - Returns: A warning, if that could not be recorded.
    func rememberPlace() -> String? {
        do {
            guard let memory else { return nil }
            if let opener = try opener { try memory.remember(id(), opener) } else { try memory.forget() }
            return nil
        } catch {
            return "this machine could not record what opens \(path.printable): \(error)"
        }
    }

    /// Records what opens the vault that was found.
    ///
    /// - Returns: A warning, if there is one.
    func notePlace() throws(VaultError) -> String? {
        // Reading a vault that was rolled back, or an older copy, must not change anything.
        guard store.rollback == nil, !isOlderCopy else { return nil }
        let kinds = try slotKinds
        let opener = Slot.Kind.opener(kinds)
        // It is unknown what slots of kinds from a newer version mean.
        guard opener != nil || kinds.contains(.deviceUnlock) else { return nil }
        return memory?.note(try id(), opener, mayWrite: options.mayWrite)
    }

    private var memory: RememberedVault? { RememberedVault(of: path, options: options, store.environment) }

    private var opener: Slot.Kind? {
        get throws(VaultError) { Slot.Kind.opener(try slotKinds) }
    }

    private var slotKinds: [Slot.Kind] {
        get throws(VaultError) {
            try read { vault in vault.verifiedKeybag.slots.map(\.kind) }
        }
    }
}
