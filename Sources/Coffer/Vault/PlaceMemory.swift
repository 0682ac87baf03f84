internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// This machine's memory of the vault at a path: `Spec/opening.md`, section 8.
///
/// Only vaults that the device key alone does not open are remembered. A weaker vault is made in the place of one only on
/// request.
struct PlaceMemory {
    /// How old the date in a memory may become before it is written again.
    private static let greatestAge: Duration = .seconds(86_400)

    private let path: String
    private let directoryPath: String
    private let name: String
    private let environment: StoreEnvironment

    /// The memory of the vault at `path`; nil if nothing tells where it would be, or the path leads nowhere.
    init?(of path: String, options: VaultOptions, _ environment: StoreEnvironment) {
        guard let directoryPath = options.places.anchors, let place = Self.resolved(path, environment.files) else {
            return nil
        }
        self.path = path
        self.directoryPath = directoryPath
        self.environment = environment
        name = PlaceFile.name(ofVaultAt: place)
    }

    /// The path without symbolic links, of which the last names need not exist.
    private static func resolved(_ path: String, _ files: any FileSystem) -> String? {
        do throws(FileError) {
            let (directory, name) = try files.locate(path)
            return directory.path == "/" ? "/" + name : directory.path + "/" + name
        } catch {
            let (parent, name) = path.directoryAndName
            // No name that is missing is a link.
            guard error.reason == .notFound, parent != path, let place = resolved(parent, files) else { return nil }
            switch name {
            case "", ".": return place
            case "..": return place.directoryAndName.0
            default: return place + "/" + name
            }
        }
    }

    /// What is remembered, or nil if nothing is.
    ///
    /// - Throws: Why it cannot be read; it is not known then what was there.
    private func remembered() throws(Unreadable) -> PlaceFile? {
        let bytes: [UInt8]
        do throws(FileError) {
            let directory = try environment.files.ownDirectory(directoryPath)
            let file = try directory.openOwn(name, for: .reading, user: environment.user)
            guard try file.status().isRegular else { throw FileError(.read, file.path, reason: .notARegularFile) }
            bytes = try file.bytes(in: 0..<PlaceFile.byteCountLimit + 1)
        } catch {
            guard error.reason != .notFound else { return nil }
            throw Unreadable(path: path, reason: "\(error)")
        }
        do throws(KeyFileError) {
            return try PlaceFile(parsing: bytes.span)
        } catch {
            throw Unreadable(path: path, reason: "\(directoryPath)/\(name) is damaged: \(error)")
        }
    }

    /// Why a memory cannot be read.
    private struct Unreadable: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String {
            "what this machine remembers of the vault at \(path.printable) cannot be read: \(reason)"
        }
    }

    /// That the vault is missing, if one is remembered.
    func loss() -> VaultError? {
        do throws(Unreadable) {
            guard let place = try remembered() else { return nil }
            return VaultError(
                kind: .noVault,
                description: """
                    there is no vault at \(path.printable), where one with a \(place.opener) was last seen \(age(of: place)); \
                    mount its disk, or restore the file from a backup; coffer init \(path.shellPath) makes a new one
                    """
            )
        } catch {
            return VaultError(
                kind: .noVault,
                description: """
                    there is no vault at \(path.printable), and \(error). coffer init \(path.shellPath) makes a new one
                    """
            )
        }
    }

    /// Notes what opens a vault that was found at the path.
    ///
    /// - Parameters:
    ///   - vault: The vault.
    ///   - opener: What opens it; nil if the device key alone does.
    ///   - mayWrite: Whether a memory may be written.
    /// - Returns: A warning if the vault is weaker than the one that is remembered.
    func note(_ vault: VaultID, _ opener: Slot.Kind?, mayWrite: Bool) -> String? {
        let place: PlaceFile?
        do throws(Unreadable) {
            place = try remembered()
        } catch {
            // A vault that has a passphrase is remembered anew.
            if opener == nil { return "\(error)" }
            place = nil
        }
        guard let opener else {
            return place.map { place in
                """
                the device key alone opens \(path.printable), but the vault that was last seen there \(age(of: place)) had a \
                \(place.opener); if you did not put it there, look for the other one. coffer passwd sets a passphrase, and \
                coffer compact --accept-rollback --vault \(path.shellPath) accepts it as it is
                """
            }
        }
        let isKnown = place.map { $0.vault == vault && $0.opener == opener && elapsed(since: $0) < Self.greatestAge }
        if mayWrite, isKnown != true { try? remember(vault, opener) }
        return nil
    }

    /// Remembers a vault, durably.
    func remember(_ vault: VaultID, _ opener: Slot.Kind) throws(FileError) {
        let place = PlaceFile(vault: vault, opener: opener, seen: now)
        let random = environment.random.bytes(8).span.littleEndian(at: 0, as: UInt64.self)
        try DurableFile.replace(
            name,
            place.text().span,
            in: try environment.files.makeDirectory(directoryPath),
            by: DurableFile.temporaryName(for: name, random: random)
        )
    }

    /// Forgets the vault, if one is remembered.
    func forget() throws(FileError) {
        do throws(FileError) {
            let directory = try environment.files.ownDirectory(directoryPath)
            try directory.remove(name)
            try directory.sync()
        } catch {
            guard error.reason == .notFound else { throw error }
        }
    }

    private var now: Time { Time(microseconds: environment.time.wallMicroseconds()) }

    private func elapsed(since place: PlaceFile) -> Duration {
        .microseconds(Int64(clamping: now.microseconds) - Int64(clamping: place.seen.microseconds))
    }

    private func age(of place: PlaceFile) -> String {
        switch elapsed(since: place) / Self.greatestAge {
        case ..<1: "less than a day ago"
        case ..<2: "a day ago"
        case let days: "\(Int(days)) days ago"
        }
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
    /// That a vault is missing at a path, if this machine remembers one there that the device key alone did not open.
    ///
    /// - Parameters:
    ///   - path: Where no vault is.
    ///   - options: How it would be used.
    /// - Returns: What was there, and what to do; nil if nothing is remembered.
    /// - Throws: That there is no library of ciphers.
    package static func loss(at path: String, options: VaultOptions) throws(VaultError) -> VaultError? {
        PlaceMemory(of: path, options: options, try options.storeEnvironment())?.loss()
    }

    /// Accepts that the device key alone opens the vault, where one with another protection was.
    ///
    /// - Throws: Why that could not be noted.
    package func acceptPlace() throws(VaultError) {
        guard let memory, try opener == nil else { return }
        try translating(VaultError.ofFile, memory.forget())
    }

    /// Remembers what opens the vault, because that was just chosen here.
    ///
    /// - Returns: Why that could not be noted, if it could not.
    func rememberPlace() -> String? {
        do {
            guard let memory else { return nil }
            if let opener = try opener { try memory.remember(id(), opener) } else { try memory.forget() }
            return nil
        } catch {
            return "what opens \(path.printable) could not be remembered on this machine: \(error)"
        }
    }

    /// Notes what opens the vault that was found.
    ///
    /// - Returns: A warning, if there is one.
    func notePlace() throws(VaultError) -> String? {
        // Reading a vault that was rolled back changes nothing.
        guard store.rollback == nil else { return nil }
        let kinds = try slotKinds
        let opener = Slot.Kind.opener(kinds)
        // Of slots of kinds that this version does not know nothing can be said.
        guard opener != nil || kinds.contains(.deviceUnlock) else { return nil }
        return memory?.note(try id(), opener, mayWrite: options.mayWrite)
    }

    private var memory: PlaceMemory? { PlaceMemory(of: path, options: options, store.environment) }

    private var opener: Slot.Kind? {
        get throws(VaultError) { Slot.Kind.opener(try slotKinds) }
    }

    private var slotKinds: [Slot.Kind] {
        get throws(VaultError) {
            try translating(VaultError.ofStore, store.read { vault in vault.verifiedKeybag.slots.map(\.kind) })
        }
    }
}
