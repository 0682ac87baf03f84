internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

extension Vault {
    /// Creates a vault in a new file, and opens it.
    ///
    /// This machine becomes a device of the vault, unless `protection` says otherwise. If it has no device key yet, one
    /// is created.
    ///
    /// - Parameters:
    ///   - path: The path of the vault. Its directory is created if it does not exist.
    ///   - protection: What opens the vault.
    ///   - options: The options for using the vault.
    /// - Returns: The vault.
    /// - Throws: ``VaultError`` if the vault cannot be created. An existing file is not changed.
    public static func create(
        at path: String,
        protection: VaultProtection = VaultProtection(),
        options: VaultOptions = VaultOptions()
    ) throws(VaultError) -> Vault {
        let environment = try options.storeEnvironment()
        var report = UnlockReport()
        let store = try VaultError.converting {
            // Looked up first: if the device key cannot be used, not even a directory is created.
            _ = try DeviceKey.found(at: options.locations, environment: environment, warnings: &report.warnings)
            report.warnings = []
            // Before any work or key is wasted.
            try checkNothing(isAt: environment.files.locateForCreating(path, makesDirectories: true), path)
            let new = try newVault(protection, options, environment, &report)
            return try VaultStore.create(new, at: path, environment: environment, options: options.store)
        }
        report.writeStandardHistory(of: store)
        let vault = Vault(store, at: path, options: options, report: report)
        if let warning = vault.rememberPlace() { vault.warn(warning) }
        return vault
    }

    /// Throws if anything exists at `path`.
    package static func checkNothing(isAt path: String, options: VaultOptions) throws(VaultError) {
        let environment = try options.storeEnvironment()
        try VaultError.converting {
            try checkNothing(isAt: environment.files.locateForCreating(path, makesDirectories: false), path)
        }
    }

    private static func checkNothing(
        isAt place: (directory: any OpenDirectory, name: String),
        _ path: String
    ) throws {
        guard try ifPresent({ try place.directory.status(of: place.name) }) == nil else {
            throw FileError(.create, path, reason: .alreadyExists)
        }
    }

    private static func newVault(
        _ protection: VaultProtection,
        _ options: VaultOptions,
        _ environment: StoreEnvironment,
        _ report: inout UnlockReport
    ) throws -> NewVault {
        var new = try NewVault(environment: environment, argon2Limits: options.passphraseCost.limits)
        try protection.addSlots(to: &new, cost: options.passphraseCost, environment)
        report.warnings += try protection.warnings()
        if protection.includesThisMachine {
            try addDevice(to: &new, protection, options, environment, &report)
        } else if protection.isByDevice {
            throw VaultError(
                kind: .secretNeeded,
                description: "a vault that does not include this machine requires a passphrase or a key file"
            )
        }
        if protection.passphrase != nil { report.note(.passphrase, .opened) }
        if let path = protection.keyFile { report.note(.keyFile(path: path), .opened) }
        return new
    }

    private static func addDevice(
        to new: inout NewVault,
        _ protection: VaultProtection,
        _ options: VaultOptions,
        _ environment: StoreEnvironment,
        _ report: inout UnlockReport
    ) throws {
        let device = try DeviceKey.findOrCreate(
            at: options.locations,
            environment: environment,
            warnings: &report.warnings
        )
        try new.add(device: device.device, key: device.key, opensAll: protection.isByDevice)
        report.note(device.source, protection.isByDevice ? .opened : .contributed)
    }
}

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
        try VaultError.converting {
            let (directory, name) = try environment.files.locate(path)
            try directory.remove(name)
            try? directory.remove(VaultStore.refreshLockName(of: name))
            try directory.sync()
            try memory?.forget()
        }
        guard let vault else { return }
        _ = KeyCache(keyring: options.keyring).forget(vault)
        VaultStore.removeIndex(of: vault, in: options.locations.anchors, environment: environment)
    }
}
