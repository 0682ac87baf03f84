internal import CofferBasics
internal import VaultFiles
internal import VaultStore

/// The vault of a keychain that opens it on first use, and reopens it when necessary.
final class DefaultVault: Sendable {
    /// The vault in one process.
    private final class Opened: Sendable {
        let state = Guarded(State())
        /// Separate from the state, so that they are available while the vault is being opened.
        let groups = Guarded<AccessGroups?>(nil)
    }

    private enum Stage {
        /// The vault has not been opened yet.
        case unseen
        /// The vault is open. If it was unlocked once and is locked now, the program has locked it.
        case open(Vault, wasUnlocked: Bool)
        /// The vault was open and must be reopened. It is not created again if it is missing, and stays locked if the
        /// program had locked it.
        case closed(staysLocked: Bool)
    }

    private struct State {
        var stage = Stage.unseen
        /// The error of the last attempt to open or unlock, and when to try again.
        var failure: (error: KeychainError, end: UInt64)?
        var givenKinds: Set<KeychainNotice.Kind> = []
        /// The notices to give once the lock is released, since a listener may use the keychain.
        var pendingNotices: [KeychainNotice] = []
    }

    private static let pauseNanoseconds: UInt64 = 1_000_000_000

    let options: VaultOptions
    private let ladder: UnlockLadder
    /// Whether the vault may be open to some groups only.
    private let usesCredential: Bool
    let notices: Keychain.NoticeListener?
    private let findGroups: @Sendable () throws -> AccessGroups
    private let opened = PerProcess<Opened> { _ in Opened() }

    init(
        options: VaultOptions,
        ladder: UnlockLadder,
        notices: Keychain.NoticeListener?,
        groups: @escaping @Sendable () throws -> AccessGroups
    ) {
        self.options = options
        self.ladder = ladder
        usesCredential = ladder.usesCredential(options)
        self.notices = notices
        findGroups = groups
    }

    /// The access groups of the program, as far as a grant gives them.
    func groups() throws(KeychainError) -> AccessGroups {
        let declared = try declaredGroups()
        guard usesCredential else { return declared }
        // Only the vault knows what a grant gives.
        return try KeychainError.converting {
            try use(creatingVault: false) { store in declared.limited(to: store.grantedGroups) } ?? declared
        }
    }

    private func declaredGroups() throws(KeychainError) -> AccessGroups {
        do {
            return try opened.value.groups.withLock { groups in
                if let groups { return groups }
                let found = try findGroups()
                groups = found
                return found
            }
        } catch {
            try withState { state in addNotice(.unavailable, "\(error)", &state) }
            throw KeychainError(error)
        }
    }

    /// Whether the vault is open and unlocked.
    var isUnlocked: Bool { openVault?.isUnlocked ?? false }

    /// Locks the vault if it is open.
    func lock() { openVault?.lock() }

    private var openVault: Vault? {
        opened.value.state.withLock { state in if case .open(let vault, _) = state.stage { vault } else { nil } }
    }

    /// Creates the vault, or opens the one that another process has just created.
    private func make() throws(KeychainError) -> Vault {
        try withState { state in
            while true {
                if let vault = try vault(&state) { return vault }
                if let vault = try made(&state) { return vault }
            }
        }
    }

    /// Lends `body` the state of the vault in this process, and then gives the notices.
    private func withState<Result: Sendable>(
        _ body: (inout State) throws -> Result
    ) throws(KeychainError) -> Result {
        let (outcome, pendingNotices) = opened.value.state.withLock { state in
            defer { state.pendingNotices = [] }
            return (Swift.Result { try body(&state) }, state.pendingNotices)
        }
        let give = notices ?? KeychainNotice.print
        for notice in pendingNotices { give(notice) }
        return try outcome.mapError { KeychainError($0) }.get()
    }

    /// Calls `operation` with the open vault, and once more if its error can be resolved.
    ///
    /// - Parameters:
    ///   - createsVault: Whether a vault is created if none exists.
    ///   - operation: The work to do.
    /// - Returns: The result of `operation`; nil if there is no vault.
    /// - Throws: ``KeychainError`` if the vault cannot be opened, or the error of `operation`.
    func use<Result: ~Copyable>(
        creatingVault createsVault: Bool,
        _ operation: (VaultStore) throws -> Result
    ) throws -> Result? {
        // Invalid entitlements fail every call, before the vault is touched.
        _ = try declaredGroups()
        func current() throws(KeychainError) -> Vault? {
            if let vault = try withState({ state in try vault(&state) }) { return vault }
            return createsVault ? try make() : nil
        }
        guard let vault = try current() else { return nil }
        do {
            return try operation(vault.store)
        } catch {
            guard try canRetry(error, vault) else { throw error }
        }
        guard let vault = try current() else { return nil }
        return try operation(vault.store)
    }
}

// MARK: - Opening

extension DefaultVault {
    private func vault(_ state: inout State) throws(KeychainError) -> Vault? {
        if case .open(let vault, _) = state.stage { return vault }
        let path = try path(&state)
        if let (error, end) = state.failure, time.monotonicNanoseconds() < end { throw error }
        do {
            return take(try Vault.open(at: path, with: ladder, options: options), &state)
        } catch {
            guard error.kind == .noVault, case .unseen = state.stage, try canCreateVault(path, &state) else {
                throw failed(error, &state)
            }
            // A missing vault is not an empty keychain.
            if let loss = try loss(at: path, &state) { throw failed(loss, &state) }
            return nil
        }
    }

    /// Creates the vault, or returns nil if another program has just created it.
    private func made(_ state: inout State) throws(KeychainError) -> Vault? {
        let path = try path(&state)
        do {
            let (vault, notice) = try Vault.createForFirstItem(at: path, with: ladder, options: options)
            addNotice(.vaultCreated, notice, &state)
            return take(vault, &state)
        } catch {
            guard error.kind != .fileExists else { return nil }
            throw failed(error, &state)
        }
    }

    private func take(_ vault: Vault, _ state: inout State) -> Vault {
        if case .closed(staysLocked: true) = state.stage {
            vault.lock()
            state.stage = .open(vault, wasUnlocked: true)
        } else {
            state.stage = .open(vault, wasUnlocked: vault.isUnlocked)
        }
        state.failure = nil
        // Invalid entitlements were reported before the vault was opened.
        if let groups = opened.value.groups.withLock(\.self) { vault.declare(groups) }
        if let reason = vault.store.rollback {
            addNotice(.rolledBack, VaultError.ofStore(.readOnly(reason, path: vault.path)).description, &state)
        }
        let warnings = vault.unlocking.warnings
        if !warnings.isEmpty {
            addNotice(vault.isOlderCopy ? .rolledBack : .warning, warnings.joined(separator: "; "), &state)
        }
        return vault
    }

    private func path(_ state: inout State) throws(KeychainError) -> String {
        guard let path = options.locations.vault else { throw failed(.noLocation("the vault"), &state) }
        return path
    }

    /// Whether a vault could be created at `path`: one that was named explicitly may be on a disk that is not mounted.
    private func canCreateVault(_ path: String, _ state: inout State) throws(KeychainError) -> Bool {
        guard options.locations.isVaultNamed else { return true }
        do {
            let files = try environment().files
            return (try? files.locate(path)) != nil
        } catch {
            throw failed(error, &state)
        }
    }

    private func loss(at path: String, _ state: inout State) throws(KeychainError) -> VaultError? {
        do {
            return try Vault.loss(at: path, options: options)
        } catch {
            throw failed(error, &state)
        }
    }

    private func environment() throws(VaultError) -> StoreEnvironment { try options.storeEnvironment() }

    var time: any TimeSource { options.environment?.time ?? MachineTime() }
}

// MARK: - Errors

extension DefaultVault {
    /// Tries to resolve `error`, and returns whether to try the operation again.
    private func canRetry(_ error: any Error, _ vault: Vault) throws(KeychainError) -> Bool {
        switch (error as? StoreError).map(KeychainError.init) ?? error as? KeychainError {
        case .locked: try withState { state in unlocks(vault, &state) }
        case .vault(let problem):
            try withState { state in
                guard problem.kind == .mustBeReopened else {
                    addNotice(problem, &state)
                    return false
                }
                // Another thread may have opened it again already.
                guard case .open(let current, let wasUnlocked) = state.stage, current === vault else {
                    return true
                }
                state.stage = .closed(staysLocked: wasUnlocked && !vault.isUnlocked)
                return true
            }
        default: false
        }
    }

    /// Unlocks the vault if a source of the ladder now opens it, and returns whether it was unlocked.
    private func unlocks(_ vault: Vault, _ state: inout State) -> Bool {
        guard case .open(let current, wasUnlocked: false) = state.stage, current === vault else {
            return false
        }
        if vault.isUnlocked {
            state.stage = .open(vault, wasUnlocked: true)
            return true
        }
        guard state.failure.map({ time.monotonicNanoseconds() >= $0.end }) ?? true else { return false }
        do {
            try vault.unlock(with: ladder)
            state.stage = .open(vault, wasUnlocked: true)
            state.failure = nil
            return true
        } catch {
            state.failure = (.locked, time.monotonicNanoseconds() + Self.pauseNanoseconds)
            addNotice(.locked, error.description, &state)
            return false
        }
    }

    /// Records that the vault cannot be used, and for how long not to try again.
    ///
    /// Trying a secret takes long, and a program that asks for many items would do nothing else.
    private func failed(_ problem: VaultError, _ state: inout State) -> KeychainError {
        addNotice(problem.noticeKind, problem.description, &state)
        let error = KeychainError.vault(problem)
        if problem.kind == .wrongSecret || problem.kind == .secretUnavailable {
            state.failure = (error, time.monotonicNanoseconds() + Self.pauseNanoseconds)
        }
        return error
    }

    /// Gives a notice of an error of an open vault, unless the request caused it.
    private func addNotice(_ problem: VaultError, _ state: inout State) {
        guard problem.kind != .tooLarge else { return }
        addNotice(problem.noticeKind, problem.description, &state)
    }

    private func addNotice(_ kind: KeychainNotice.Kind, _ text: String, _ state: inout State) {
        if state.givenKinds.insert(kind).inserted { state.pendingNotices.append(KeychainNotice(kind, text)) }
    }
}

extension VaultError {
    /// The kind of notice for the error.
    fileprivate var noticeKind: KeychainNotice.Kind {
        switch kind {
        case .damagedItem: .warning
        case .rolledBack: .rolledBack
        default: .unavailable
        }
    }
}
