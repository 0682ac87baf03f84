internal import Coffer
internal import CofferBasics
internal import VaultFiles
internal import VaultSync

extension CommandRun {
    /// Makes a copy, in a file or on another machine, the vault of this machine.
    func makeFirstCopy() throws {
        guard let word = arguments.operand(0), !word.isEmpty else {
            throw CommandError.usage("COPY is missing: a file, or the address of another machine, ssh://HOST")
        }
        let path = try vaults.path()
        try checkNothing(isAt: path)
        try vaults.checkMayMake()
        let copies = try word.hasPrefix(RemoteAddress.prefix) ? fetchedCopies(at: RemoteAddress(word)) : nil
        let place = copies?.address.text ?? word
        let access = VaultAccess(self, copyAt: copies?.path(of: .vault) ?? word, calledPlace: place)
        let copy = try opened(
            access,
            orSay: "\(place.printable) is locked, and nothing that was given opens it",
            hint: """
                give the passphrase with --passphrase-file, or at a terminal; if the vault has none, set one there with \
                `coffer passwd`
                """
        )
        let vault = try placed(copy, at: path)
        if !arguments.has(.withoutPart), try !vault.devices.contains(where: \.isThisMachine) {
            try uninterrupted { try vault.addThisMachine() }
        }
        // A file, such as a backup, stays as it is; the next sync with it tells it about this machine.
        let report = try copies.map { try RemotePeer(self, vault, $0).synchronize() }
        messages.note("copied \(place.printable) to \(path.printable)")
        if let report { noteWaiting(report) }
        if isJSON {
            try output.write(json: ["vault": .string(path), "from": .string(place)])
        }
    }

    private func fetchedCopies(at address: RemoteAddress) throws -> RemoteCopies {
        let copies = try RemoteCopies(self, at: address, vaults.options)
        for file in copies.client.files where try copies.fetch(file) == nil {
            throw CommandError(.busy, "\(address.text) has changed meanwhile; try again")
        }
        return copies
    }

    /// The vault of this machine, for exchanging changes with a copy.
    func vault(toSyncWith copy: String) throws -> Vault {
        do {
            return try vaults.vault(for: .changing)
        } catch {
            var error = CommandError(error)
            if error.code == .noVault {
                error.hints = ["`coffer sync --first \(copy.shellWord)` makes that the vault of this machine"]
            }
            throw error
        }
    }

    /// Copies a vault to its place on this machine, and opens it there.
    fileprivate func placed(_ copy: Vault, at path: String) throws -> Vault {
        _ = try vaults.options.machine().files.locateForCreating(path, makesDirectories: true)
        try copy.copy(to: path)
        let vault = try copy.openedCopy(at: path, mayWrite: true, memory: vaults.options.locations.anchors)
        guard let vault else { throw CommandError.locked(path) }
        return try vaults.take(vault, for: .changing)
    }
}
