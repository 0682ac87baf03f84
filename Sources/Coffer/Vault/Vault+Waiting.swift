internal import CofferBasics

// What may take a while, for tasks: on a thread of its own, so that other tasks go on.
extension Vault {
    /// Opens the vault at `path`, as the function of this name that blocks does.
    ///
    /// - Parameters:
    ///   - path: Where the vault is.
    ///   - ladder: Where to look for what opens it.
    ///   - options: How it is used.
    /// - Returns: The vault.
    /// - Throws: Why it could not be opened; what was tried is in ``VaultError/unlocking``.
    public static func open(
        at path: String,
        with ladder: UnlockLadder = UnlockLadder(),
        options: VaultOptions = VaultOptions()
    ) async throws(VaultError) -> Vault {
        try await OwnThread.run { () throws(VaultError) in
            let open: (String, UnlockLadder, VaultOptions) throws(VaultError) -> Vault = open
            return try open(path, ladder, options)
        }
    }

    /// Makes a vault, as the function of this name that blocks does.
    ///
    /// - Parameters:
    ///   - path: Where the vault shall be. Its directory is made if it does not exist.
    ///   - protection: What shall open it.
    ///   - options: How it is used.
    /// - Returns: The vault.
    /// - Throws: Why it was not made. A file that is there already stays as it is, whatever it is.
    public static func create(
        at path: String,
        protection: VaultProtection = VaultProtection(),
        options: VaultOptions = VaultOptions()
    ) async throws(VaultError) -> Vault {
        try await OwnThread.run { () throws(VaultError) in
            let create: (String, VaultProtection, VaultOptions) throws(VaultError) -> Vault = create
            return try create(path, protection, options)
        }
    }

    /// Unlocks the vault, as the function of this name that blocks does.
    ///
    /// - Parameter ladder: Where to look for what opens it.
    /// - Throws: Why it could not be unlocked; what was tried is in ``VaultError/unlocking``.
    public func unlock(with ladder: UnlockLadder = UnlockLadder()) async throws(VaultError) {
        try await OwnThread.run { () throws(VaultError) in
            let unlock: (UnlockLadder) throws(VaultError) -> Void = self.unlock
            try unlock(ladder)
        }
    }

    /// Adds ways to open the vault, as the function of this name that blocks does.
    ///
    /// - Parameter protection: What shall open the vault beside.
    /// - Throws: That the vault is locked, or why it could not be added; then nothing has changed.
    public func add(_ protection: VaultProtection) async throws(VaultError) {
        try await OwnThread.run { () throws(VaultError) in
            let add: (VaultProtection) throws(VaultError) -> Void = self.add
            try add(protection)
        }
    }

    /// Gives this machine a part in the vault, as the function of this name that blocks does.
    ///
    /// - Throws: That the vault is locked, or that the machine has a part already.
    public func addThisMachine() async throws(VaultError) {
        try await OwnThread.run { () throws(VaultError) in
            let add: () throws(VaultError) -> Void = self.addThisMachine
            try add()
        }
    }
}

extension Keychain {
    /// Does something with the keychain on a thread of its own: a change may wait for other programs, and for the disk.
    ///
    /// ```swift
    /// let count = try await keychain.perform { keychain throws(KeychainError) in
    ///     try keychain.deleteAll(GenericPassword.self, where: .service("mail"))
    /// }
    /// ```
    ///
    /// - Parameter body: What to do.
    /// - Returns: What it returns.
    /// - Throws: What it throws.
    public func perform<Result: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (Keychain) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await OwnThread.run { () throws(Failure) in try body(self) }
    }
}
