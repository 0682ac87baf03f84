internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

extension Vault {
    /// Deletes the file at `path`, whatever it is: who calls this has made sure that it is a vault.
    ///
    /// A symbolic link is followed, so that the file goes and the link stays. Who has the vault open keeps it until they
    /// close it. The machine forgets that a vault was there, and keys that processes have left with the kernel go.
    ///
    /// - Parameters:
    ///   - path: Where the vault is.
    ///   - options: How it is used.
    /// - Throws: Why it is still there.
    package static func delete(at path: String, options: VaultOptions) throws(VaultError) {
        let environment = try options.storeEnvironment()
        // Before the file is gone, whose name may be a link.
        let memory = PlaceMemory(of: path, options: options, environment)
        // It may be damaged, and is deleted all the same.
        let vault = try? inspection(at: path, options: options).vault
        try translating(VaultError.ofFile) { () throws(FileError) in
            let (directory, name) = try environment.files.locate(path)
            try directory.remove(name)
            try directory.sync()
            try memory?.forget()
        }
        guard let vault else { return }
        _ = KeyCache(keyring: options.keyring).forget(vault)
    }
}
