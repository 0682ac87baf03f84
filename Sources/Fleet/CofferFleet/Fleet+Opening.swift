public import Coffer
internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

extension Fleet {
    /// Opens the vault of this machine, also with what opens it since its keys were changed on another one.
    ///
    /// Without changed keys it needs no network, as ``Vault/open(at:with:options:)``. If the ladder does not open the
    /// file of this machine, but the latest one of the fleet, that replaces it.
    ///
    /// - Parameters:
    ///   - path: The path of the vault.
    ///   - ladder: The sources of the secrets that open the vault.
    ///   - options: The options for using the vault, with the fleet.
    /// - Returns: The vault.
    /// - Throws: ``VaultError`` if the vault cannot be opened.
    public func open(
        at path: String,
        with ladder: UnlockLadder = UnlockLadder(),
        options: VaultOptions
    ) throws(VaultError) -> Vault {
        do throws(VaultError) {
            return try Vault.open(at: path, with: ladder, options: options)
        } catch {
            guard error.kind == .wrongSecret, (try? renew(path, ladder, options)) == true else { throw error }
            let vault = try Vault.open(at: path, with: ladder, options: options)
            try vault.follow()
            return vault
        }
    }

    /// Replaces the file at `path` by a later one of the fleet; returns false if the ladder opens no such file.
    private func renew(_ path: String, _ ladder: UnlockLadder, _ options: VaultOptions) throws -> Bool {
        let environment = try options.storeEnvironment()
        let (old, log) = try replica(at: path, options)
        let (directory, name) = try environment.files.locate(path)
        let newName = DurableFile.temporaryName(for: name, random: environment.random.number())
        let newPath = "\(directory.path)/\(newName)"
        try VaultStore.makeReplica(of: log, at: newPath, environment)
        // After it has taken the name, there is nothing to remove.
        defer { try? directory.remove(newName) }
        let new = try VaultStore.inspect(at: newPath, environment: environment)
        guard old.features.isShared, new.vault == old.vault, new.generation > old.generation,
            new.place.sequence >= old.place.sequence
        else { return false }
        let opened = try Vault.open(at: newPath, with: ladder, options: options.forCopies())
        try opened.store.checkSnapshot()
        // What others on this machine write to the old file meanwhile is in the fleet.
        try directory.rename(newName, to: name)
        try directory.sync()
        return true
    }
}
