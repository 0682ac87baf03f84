internal import CofferBasics
package import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

// Copies of a vault in other places, and what this machine remembers of them.
extension Vault {
    /// Opens a copy of this vault with the keys of this one; nil if the copy has other keys.
    ///
    /// - Parameters:
    ///   - path: The path of the copy.
    ///   - mayWrite: Whether it may be written.
    ///   - memory: The directory for what this machine remembers of the copy; nil to remember nothing.
    /// - Returns: The copy.
    /// - Throws: ``VaultError`` if it is not a copy, cannot be read, or is older than it was.
    package func openedCopy(
        at path: String,
        mayWrite: Bool = false,
        memory: String? = nil
    ) throws(VaultError) -> Vault? {
        let options = options.forCopies(mayWrite: mayWrite, memory: memory)
        let (own, id) = try read { vault in (vault.keyring, vault.vault) }
        do {
            let copy = try VaultStore.open(at: path, environment: store.environment, options: options.store) {
                prelude in
                guard prelude.header.vault == id else { throw StoreError.merge(.otherVault, path: path) }
                guard own.opensStructureKey(in: prelude.keybag) else { throw VaultFormatError.noMatch }
                return own.roots
            }
            return Vault(copy, at: path, options: options, report: UnlockReport())
        } catch StoreError.vault(.noMatch, _) {
            return nil
        } catch {
            throw VaultError(error)
        }
    }

    /// The directory for what this machine remembers of a copy of the vault in another place; nil if it remembers
    /// nothing.
    ///
    /// - Parameter place: The place: an absolute path or an address.
    /// - Returns: The path of the directory, which need not exist.
    /// - Throws: ``VaultError`` if the vault cannot be read.
    package func memory(ofCopyAt place: String) throws(VaultError) -> String? {
        options.memory(ofCopyAt: place, of: try id())
    }

    /// The directory for what this machine remembers of a copy in a file; nil if it remembers nothing.
    package func memory(ofCopyIn path: String) throws(VaultError) -> String? {
        let (directory, name) = try VaultError.converting { try store.environment.files.locate(path) }
        return try memory(ofCopyAt: "\(directory.path)/\(name)")
    }

    /// Remembers in a directory how far the vault has come.
    package func remember(in memory: String) throws(VaultError) {
        try VaultError.converting { try store.remember(in: memory) }
    }

    /// Remembers how far a copy in a file has come: for the next sync, and for programs that open the file itself.
    package func remember(_ copy: Vault, at path: String) throws(VaultError) {
        guard let memory = try memory(ofCopyIn: path), let anchors = options.locations.anchors else { return }
        try copy.remember(in: memory)
        try VaultError.converting { try copy.store.remember(placeOfCopyAt: path, in: anchors) }
    }

    /// Returns work that reads a whole copy of this vault with the keys of this one, and reports what is wrong.
    package func verification(ofCopyAt path: String) -> VaultWork<VerificationSummary> {
        let (store, options) = (store, options.forCopies())
        return VaultWork { shouldContinue in
            let roots = try store.read { $0.keyring.roots }
            let report = try VaultStore.verify(
                at: path,
                environment: store.environment,
                options: options.store,
                progress: { shouldContinue(VaultProgress($0)) },
                roots: { _ in roots }
            )
            return VerificationSummary(report)
        }
    }

    /// Copies the vault as it is now to a new file.
    package func copy(to path: String) throws(VaultError) {
        try VaultError.converting { try store.copy(to: path) }
    }

    /// Whether the file at `path` is a copy of this vault, as far as its header says.
    package func isCopy(at path: String) -> Bool {
        guard let id = try? id() else { return false }
        return (try? VaultStore.id(ofVaultAt: path, environment: store.environment)) == id
    }
}

extension VaultOptions {
    /// The directory for what this machine remembers of a copy of a vault in another place; nil if it remembers nothing.
    package func memory(ofCopyAt place: String, of vault: VaultID) -> String? {
        guard let anchors = locations.anchors else { return nil }
        return "\(anchors)/copies/\(Label.place.hash(16, vault.bytes + Array(place.utf8)).hexDigits)"
    }

    /// The options for examining a file: if this machine syncs with it, what it remembers of that copy counts, and not
    /// what it remembers of the vault.
    package func forExamining(_ path: String) -> VaultOptions {
        guard let files = try? machine().files, let (directory, name) = try? files.locate(path),
            let id = try? Vault.inspection(at: path, options: self).vault,
            let memory = memory(ofCopyAt: "\(directory.path)/\(name)", of: id),
            (try? files.trustedDirectory(memory)) != nil
        else { return self }
        return forCopies(memory: memory)
    }
}

/// The copies of a vault that this machine has tried to merge and reported: `Spec/sync.md`, section 2.
///
/// A copy is known by its content and the keys that the vault had then, so one of which either changes is tried again.
package struct ReportedCopies {
    private static let nameByteCount = 16
    private static let countLimit = 64

    private let vault: Vault
    private let fileName: String
    private let keysMark: [UInt8]
    /// The names of the copies, the oldest first.
    private var names: [[UInt8]] = []

    /// Reads which copies were reported; none if that cannot be read.
    fileprivate init(of vault: Vault) throws(VaultError) {
        self.vault = vault
        let (id, mark) = try vault.read { vault in (vault.vault, vault.keysMark) }
        fileName = "\(id)"
        keysMark = id.bytes + mark
        guard let path = Self.directoryPath(of: vault), let bytes = try? Self.bytes(of: fileName, in: path, vault)
        else {
            return
        }
        names = stride(from: 0, through: bytes.count - Self.nameByteCount, by: Self.nameByteCount).map {
            Array(bytes[$0..<$0 + Self.nameByteCount])
        }
    }

    private static func bytes(of name: String, in path: String, _ vault: Vault) throws(FileError) -> [UInt8] {
        let environment = vault.store.environment
        let directory = try environment.files.trustedDirectory(path)
        let file = try directory.openTrusted(name, for: .reading, user: environment.user)
        return try file.bytes(in: 0..<countLimit * nameByteCount)
    }

    private static func directoryPath(of vault: Vault) -> String? {
        vault.options.locations.anchors.map { "\($0)/reported" }
    }

    private func name(of digest: [UInt8]) -> [UInt8] { Label.place.hash(Self.nameByteCount, keysMark + digest) }

    /// Whether the copy with this digest was reported.
    package func contains(_ digest: [UInt8]) -> Bool { names.contains(name(of: digest)) }

    /// Remembers that the copy with this digest was reported; if that fails, it is reported again.
    package mutating func insert(_ digest: [UInt8]) {
        guard !contains(digest), let path = Self.directoryPath(of: vault) else { return }
        names = (names + [name(of: digest)]).suffix(Self.countLimit)
        try? write(to: path)
    }

    private func write(to path: String) throws(FileError) {
        let environment = vault.store.environment
        let directory = try environment.files.makeDirectory(path)
        let bytes = names.flatMap(\.self)
        let temporaryName = ".\(fileName).\(environment.random.number()).tmp"
        try DurableFile.replace(fileName, bytes.span, in: directory, by: temporaryName)
    }
}

extension Vault {
    /// Returns the copies that were reported as ones that cannot be merged, or not completely.
    package func reportedCopies() throws(VaultError) -> ReportedCopies { try ReportedCopies(of: self) }
}
