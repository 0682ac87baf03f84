internal import Coffer
internal import CofferBasics
internal import VaultFiles
internal import VaultSync

// The side of a sync that serves.
extension CommandRun {
    /// Serves a vault to another machine over standard input and output.
    func serve() throws {
        var server = SyncServer(StreamTransport(context.input, context.output)) { path in
            try self.servedVault(path)
        }
        do {
            try server.serve()
        } catch {
            // The other side knows why, and says it.
            status = ExitCode.failure.rawValue
        }
    }

    /// The vault with the path that the other side names.
    private func servedVault(_ path: String) throws -> ServedVault {
        do {
            let (isDefault, path) = (path.isEmpty, try servedPath(path))
            // Its disk may be unmounted: nothing takes the place of a vault that this machine remembers.
            if isDefault { try vaults.checkMayMake() }
            let place = try vaults.options.machine().files.locateForCreating(path, makesDirectories: isDefault)
            // What waits is not served as a vault: otherwise as much again could wait beside it.
            guard isDefault || ![".received", ".part", ".new"].contains(where: place.name.hasSuffix) else {
                throw CommandError.usage("\(place.name.printable) is not served: it is what another machine has sent")
            }
            // A client must not choose where a file is created.
            return ServedVault(at: place, time: context.time, mayCreate: isDefault) {
                self.mergeReceivedWithoutAsking(at: path)
            }
        } catch let error as FileError {
            throw error
        } catch {
            throw SyncFailure.refused(.other, CommandError(error).message)
        }
    }

    private func servedPath(_ path: String) throws -> String {
        guard !path.isEmpty else { return try vaults.path() }
        // A forced command in authorized_keys names the only vault that it serves.
        guard !arguments.has(.vault) else {
            throw CommandError.usage("only one vault is served here; leave out the path")
        }
        guard path.hasPrefix("~/") else {
            guard path.hasPrefix("/") else { throw CommandError.usage("the path must begin with / or ~/") }
            return path
        }
        guard let home = context.environment["HOME"], !home.isEmpty else {
            throw CommandError(.unavailable, "HOME is not set there")
        }
        return home + path.dropFirst()
    }

    /// The vault as another machine sees it.
    func served(at path: String) throws -> ServedVault {
        ServedVault(at: try vaults.options.machine().files.locate(path), time: context.time)
    }

    private func mergeReceivedWithoutAsking(at path: String) {
        guard let ladder = try? vaults.ladder(),
            let vault = try? Vault.open(at: path, with: ladder, options: vaults.options), vault.isUnlocked
        else { return }
        try? mergeReceived(into: vault, isServing: true)
    }

    /// Merges into the vault what other machines have sent while it was locked, and removes what was merged; what cannot
    /// be merged is reported once, and stays.
    ///
    /// - Parameters:
    ///   - vault: The vault, unlocked.
    ///   - isServing: Whether another machine sees what is reported, and not the owner of the vault.
    /// - Throws: `CommandError` if the files cannot be read.
    func mergeReceived(into vault: Vault, isServing: Bool = false) throws {
        guard !arguments.has(.dryRun) else { return }
        let served = try served(at: vault.path)
        for waiting in try served.waiting() where try !isTakenOver(waiting.path, vault) {
            mergeUnlessReported(
                waiting.content,
                of: vault,
                at: waiting.path,
                triesAgain: false,
                isHeard: !isServing
            ) { error in
                messages.warning(error.message)
            } merge: {
                guard let copy = try vault.openedCopy(at: waiting.path) else {
                    throw CommandError(
                        .locked,
                        """
                        another machine has sent a copy with other keys; merge it with \(waiting.path.taking), which asks \
                        for its passphrase
                        """
                    )
                }
                let summary = try perform(vault.merge(with: copy), "merging")
                if summary.isComplete { try served.remove(waiting) }
                if summary.hasChanged { messages.note("merged what another machine has sent: \(summary.text())") }
                noteConsequences(of: MergedCopy(path: waiting.path, summary: summary))
                return summary
            }
        }
    }
}

extension CommandRun {
    /// Whether the call is about this copy, and so merges it with what the user gives.
    private func isTakenOver(_ path: String, _ vault: Vault) throws -> Bool {
        guard arguments.has(.take), let word = arguments.operand(0), !word.isEmpty else { return false }
        let (directory, name) = try vault.options.machine().files.locate(word)
        return path == "\(directory.path)/\(name)"
    }
}

extension String {
    /// The call that merges the copy at this path with what the user gives.
    fileprivate var taking: String { "`coffer sync --take \(shellPath)`" }

    /// What to do about the copy at this path, which waits, while the vault is locked.
    var adviceAboutWaiting: String { "\(printable); after a new passphrase there, take it over with \(taking)" }
}

extension VaultAccess {
    /// Merges into a vault that was just opened or unlocked what another machine has sent while it was locked.
    func mergeReceived(into vault: Vault) {
        guard !isCopy, !isExamining, vault.isUnlocked, vault.readOnlyProblem == nil, vault.grantedGroups == nil else {
            return
        }
        do {
            try run.mergeReceived(into: vault)
        } catch {
            run.messages.warning(CommandError(error).message)
        }
    }
}
