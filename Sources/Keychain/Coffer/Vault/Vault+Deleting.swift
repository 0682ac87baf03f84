internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

extension Vault {
    /// Deletes the file at `path` without checking that it is a vault.
    ///
    /// A symbolic link is followed: the file is deleted and the link stays. Programs that have the vault open keep it
    /// until they close it. This machine forgets that a vault was there, and keys that processes have left in the
    /// kernel keyring are removed, and so is the index of its log.
    ///
    /// - Parameters:
    ///   - path: The path of the vault.
    ///   - options: The options for using the vault.
    /// - Throws: ``VaultError`` if the file cannot be deleted.
    package static func delete(at path: String, options: VaultOptions) throws(VaultError) {
        let environment = try options.storeEnvironment()
        // Looked up while the file exists, since the path may be a link.
        let memory = RememberedVault(of: path, options: options, environment)
        // A damaged vault is deleted too.
        let vault = try? inspection(at: path, options: options).vault
        try translating(VaultError.ofFile) { () throws(FileError) in
            let (directory, name) = try environment.files.locate(path)
            try directory.remove(name)
            try? directory.remove(VaultStore.refreshLockName(of: name))
            try directory.sync()
            try memory?.forget()
        }
        guard let vault else { return }
        _ = KeyCache(keyring: options.keyring).forget(vault)
        VaultStore.removeIndex(of: vault, in: options.places.anchors, environment: environment)
    }
}
