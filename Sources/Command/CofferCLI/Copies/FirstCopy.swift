internal import Coffer
internal import CofferBasics
internal import VaultFiles
internal import VaultSync

extension CommandRun {
    /// Makes the first copy on this machine of a vault on another one.
    func makeFirstCopy() throws {
        guard let word = arguments.operand(0) else {
            throw CommandError.usage("COPY is missing: the address of the vault on another machine, ssh://HOST")
        }
        let address = try RemoteAddress(word)
        let path = try vaults.path()
        try checkNothing(isAt: path)
        try vaults.checkMayMake()
        let copies = try RemoteCopies(self, at: address, vaults.options)
        for file in copies.client.files where try copies.fetch(file) == nil {
            throw CommandError(.busy, "\(address.text) has changed meanwhile; try again")
        }
        let access = VaultAccess(self, copyAt: copies.path(of: .vault), calledPlace: address.text)
        let copy = try opened(
            access,
            orSay: "\(address.text.printable) is locked, and nothing that was given opens it",
            hint: """
                give the passphrase with --passphrase-file, or at a terminal; if the vault has none, set one there with \
                `coffer passwd`
                """
        )
        let vault = try placed(copy, at: path)
        if !arguments.has(.withoutPart), try !vault.devices.contains(where: \.isThisMachine) {
            try uninterrupted { () throws(VaultError) in try vault.addThisMachine() }
        }
        let report = try RemotePeer(self, vault, copies).synchronize()
        messages.note("copied \(address.text) to \(path.printable)")
        if report.isWaiting { noteWaiting() }
        if isJSON {
            try output.write(json: ["vault": .string(path), "from": .string(address.text)])
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
