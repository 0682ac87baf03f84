internal import CofferBasics
internal import VaultFiles
internal import VaultStore

/// The vault of a default keychain: opened when it is needed, and again when it must be.
final class DefaultVault: Sendable {
    /// What one process has of it.
    private final class Opened: Sendable {
        let state = Guarded(State())
    }

    private enum Stage {
        /// The vault has not been looked at yet.
        case unseen
        /// The vault is open. If it was unlocked once and is locked now, the program has locked it.
        case open(Vault, Keychain, wasUnlocked: Bool)
        /// The vault was open, and must be opened again. It is not made anew where it has gone, and stays locked if the
        /// program had locked it.
        case closed(staysLocked: Bool)
    }

    private struct State {
        var groups: AccessGroups?
        var stage = Stage.unseen
        /// Why opening or unlocking has failed, and when it is tried again.
        var failure: (error: KeychainError, end: UInt64)?
        var said: Set<KeychainNotice.Kind> = []
        /// What is to be said once nobody holds the lock: who listens may use the keychain.
        var unsaid: [KeychainNotice] = []
    }

    private static let pauseNanoseconds: UInt64 = 1_000_000_000

    let options: VaultOptions
    private let ladder: UnlockLadder
    private let notices: DefaultKeychain.NoticeListener
    private let findGroups: @Sendable () throws(EntitlementsError) -> AccessGroups
    private let opened = PerProcess<Opened> { _ in Opened() }

    init(
        options: VaultOptions,
        ladder: UnlockLadder,
        notices: @escaping DefaultKeychain.NoticeListener,
        groups: @escaping @Sendable () throws(EntitlementsError) -> AccessGroups
    ) {
        self.options = options
        self.ladder = ladder
        self.notices = notices
        findGroups = groups
    }

    /// The access groups of the program.
    func groups() throws(KeychainError) -> AccessGroups {
        try withState { state throws(KeychainError) in try groups(&state) }
    }

    /// The keychain, or nil if there is no vault.
    func keychain() throws(KeychainError) -> Keychain? {
        try withState { state throws(KeychainError) in try keychain(&state) }
    }

    /// Makes the vault, or opens the one that somebody else has made meanwhile.
    func make() throws(KeychainError) -> Keychain {
        try withState { state throws(KeychainError) in
            while true {
                if let keychain = try keychain(&state) { return keychain }
                if let keychain = try made(&state) { return keychain }
            }
        }
    }

    /// Lends `body` what this process has of the vault, and says then what there is to say.
    private func withState<Result: Sendable>(
        _ body: (inout State) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let (outcome, unsaid) = opened.value.state.withLock { state in
            let outcome: Swift.Result<Result, KeychainError>
            do throws(KeychainError) {
                outcome = .success(try body(&state))
            } catch {
                outcome = .failure(error)
            }
            defer { state.unsaid = [] }
            return (outcome, state.unsaid)
        }
        for notice in unsaid { notices(notice) }
        return try outcome.get()
    }

    /// Lends the keychain to `operation`, a second time if it can be put right what was in its way.
    ///
    /// - Parameters:
    ///   - operation: What is done.
    ///   - absence: What gives the keychain if there is none.
    /// - Returns: What `operation` does.
    /// - Throws: Why there is no keychain, or what `operation` does.
    func use<Result>(
        _ operation: (Keychain) throws(KeychainError) -> Result,
        ifAbsent absence: () throws(KeychainError) -> Keychain
    ) throws(KeychainError) -> Result {
        func current() throws(KeychainError) -> Keychain {
            if let keychain = try self.keychain() { keychain } else { try absence() }
        }
        let keychain = try current()
        do throws(KeychainError) {
            return try operation(keychain)
        } catch {
            guard try removesObstacle(error, keychain) else { throw error }
        }
        return try operation(current())
    }
}

// MARK: - Opening

extension DefaultVault {
    private func groups(_ state: inout State) throws(KeychainError) -> AccessGroups {
        if let groups = state.groups { return groups }
        do throws(EntitlementsError) {
            let groups = try findGroups()
            state.groups = groups
            return groups
        } catch {
            say(.unavailable, "\(error)", &state)
            throw .entitlements(error)
        }
    }

    private func keychain(_ state: inout State) throws(KeychainError) -> Keychain? {
        if case .open(_, let keychain, _) = state.stage { return keychain }
        let groups = try groups(&state)
        let path = try path(&state)
        if let (error, end) = state.failure, time.monotonicNanoseconds() < end { throw error }
        do throws(VaultError) {
            return take(try Vault.open(at: path, with: ladder, options: options), groups, &state)
        } catch {
            guard error.kind == .noVault, case .unseen = state.stage, try isPlaceThere(path, &state) else {
                throw failed(error, &state)
            }
            // A vault that is missing is not an empty keychain.
            if let loss = try loss(at: path, &state) { throw failed(loss, &state) }
            return nil
        }
    }

    /// Makes the vault, or gives nil if somebody else has just made it.
    private func made(_ state: inout State) throws(KeychainError) -> Keychain? {
        let groups = try groups(&state)
        let path = try path(&state)
        do throws(VaultError) {
            let (vault, notice) = try Vault.createForFirstItem(at: path, with: ladder, options: options)
            say(.vaultMade, notice, &state)
            return take(vault, groups, &state)
        } catch {
            guard error.kind != .fileExists else { return nil }
            throw failed(error, &state)
        }
    }

    private func take(_ vault: Vault, _ groups: AccessGroups, _ state: inout State) -> Keychain {
        let keychain = vault.keychain(for: groups)
        if case .closed(staysLocked: true) = state.stage {
            vault.lock()
            state.stage = .open(vault, keychain, wasUnlocked: true)
        } else {
            state.stage = .open(vault, keychain, wasUnlocked: vault.isUnlocked)
        }
        state.failure = nil
        if let reason = vault.store.rollback {
            say(.rolledBack, VaultError.ofStore(.readOnly(reason, path: vault.path)).description, &state)
        }
        let warnings = vault.unlocking.warnings
        if !warnings.isEmpty { say(.warning, warnings.joined(separator: "; "), &state) }
        return keychain
    }

    private func path(_ state: inout State) throws(KeychainError) -> String {
        guard let path = options.places.vault else { throw failed(.noPlace("the vault"), &state) }
        return path
    }

    /// Whether a vault could be made at `path`: one that somebody has named may be on a disk that is not there.
    private func isPlaceThere(_ path: String, _ state: inout State) throws(KeychainError) -> Bool {
        guard options.places.isVaultNamed else { return true }
        do throws(VaultError) {
            let files = try environment().files
            return (try? files.locate(path)) != nil
        } catch {
            throw failed(error, &state)
        }
    }

    private func loss(at path: String, _ state: inout State) throws(KeychainError) -> VaultError? {
        do throws(VaultError) {
            return try Vault.loss(at: path, options: options)
        } catch {
            throw failed(error, &state)
        }
    }

    private func environment() throws(VaultError) -> StoreEnvironment { try options.storeEnvironment() }

    private var time: any TimeSource { options.environment?.time ?? MachineTime() }
}

// MARK: - What goes wrong

extension DefaultVault {
    /// Whether it is worth to try again what has failed with `error`.
    private func removesObstacle(_ error: KeychainError, _ keychain: Keychain) throws(KeychainError) -> Bool {
        switch error {
        case .locked: try withState { state in unlocks(keychain, &state) }
        case .vault(let problem):
            try withState { state throws(KeychainError) in
                guard problem.kind == .mustBeReopened else {
                    tell(problem, &state)
                    return false
                }
                // Another thread may have opened it again already.
                guard case .open(let vault, let current, let wasUnlocked) = state.stage, current === keychain else {
                    return true
                }
                state.stage = .closed(staysLocked: wasUnlocked && !vault.isUnlocked)
                return true
            }
        default: false
        }
    }

    /// Whether the vault is unlocked now that was not, because a source opens it that did not before.
    private func unlocks(_ keychain: Keychain, _ state: inout State) -> Bool {
        guard case .open(let vault, let current, wasUnlocked: false) = state.stage, current === keychain else {
            return false
        }
        if vault.isUnlocked {
            state.stage = .open(vault, keychain, wasUnlocked: true)
            return true
        }
        guard state.failure.map({ time.monotonicNanoseconds() >= $0.end }) ?? true else { return false }
        do throws(VaultError) {
            try vault.unlock(with: ladder)
            state.stage = .open(vault, keychain, wasUnlocked: true)
            state.failure = nil
            return true
        } catch {
            state.failure = (.locked, time.monotonicNanoseconds() + Self.pauseNanoseconds)
            say(.locked, error.description, &state)
            return false
        }
    }

    /// Notes that the vault cannot be used, and for how long that is taken for granted.
    ///
    /// To try a secret again takes long, and a program that asks for many items would do nothing else.
    private func failed(_ problem: VaultError, _ state: inout State) -> KeychainError {
        say(problem.noticeKind, problem.description, &state)
        let error = KeychainError.vault(problem)
        if problem.kind == .wrongSecret || problem.kind == .noSecret {
            state.failure = (error, time.monotonicNanoseconds() + Self.pauseNanoseconds)
        }
        return error
    }

    /// Tells what keeps an open vault from doing what it was asked, unless it is the request.
    private func tell(_ problem: VaultError, _ state: inout State) {
        guard problem.kind != .tooLarge else { return }
        say(problem.noticeKind, problem.description, &state)
    }

    private func say(_ kind: KeychainNotice.Kind, _ text: String, _ state: inout State) {
        if state.said.insert(kind).inserted { state.unsaid.append(KeychainNotice(kind, text)) }
    }
}

extension VaultError {
    /// What kind of notice tells of it.
    fileprivate var noticeKind: KeychainNotice.Kind {
        switch kind {
        case .damagedItem: .warning
        case .rolledBack: .rolledBack
        default: .unavailable
        }
    }
}
