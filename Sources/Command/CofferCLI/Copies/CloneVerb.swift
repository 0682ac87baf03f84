internal import Coffer
internal import CofferBasics
internal import VaultFiles
internal import VaultSync

extension Option {
    fileprivate static let noDevice = Option("--no-device", summary: "give this machine no part in the vault")
}

extension Verb {
    static let clone = Verb(
        "clone",
        .copies,
        "Make a first copy of a vault on another machine",
        operands: [Operand(name: "ADDRESS", presence: .needed)],
        options: [.noDevice],
        details: """
            ADDRESS is ssh://[USER@]HOST[:PORT][/PATH], by default the vault of the user there. The copy becomes the \
            default vault of this machine, or the one at --vault PATH, where nothing may exist yet. From then on \
            `coffer sync ADDRESS` makes both equal.

            The vault is opened with its passphrase or a recovery code. This machine gets a part in it, so that it can \
            have its own items, and the other side is told.
            """,
        examples: [
            Example(call: "coffer clone ssh://desk.example", purpose: "set up a second machine"),
            Example(
                call: "coffer clone ssh://kim@nas/~/team.coffer --vault team.coffer",
                purpose: "copy another vault"
            ),
        ]
    ) { run in
        let address = try RemoteAddress(run.arguments.operand(0) ?? "")
        let path = try run.vaults.path()
        try run.checkNothing(isAt: path)
        try run.vaults.checkMayMake()
        let copies = try RemoteCopies(run, at: address, run.vaults.options)
        for file in copies.client.files where try copies.fetch(file) == nil {
            throw CommandError(.busy, "\(address.text) has changed meanwhile; try again")
        }
        let access = VaultAccess(run, copyAt: copies.path(of: .vault), calledPlace: address.text)
        let copy = try run.opened(
            access,
            orSay: "\(address.text.printable) is locked, and nothing that was given opens it",
            hint: """
                give the passphrase with --passphrase-file, or at a terminal; if the vault has none, set one there with \
                `coffer passwd`
                """
        )
        let vault = try run.placed(copy, at: path)
        if !run.arguments.has(.noDevice), try !vault.devices.contains(where: \.isThisMachine) {
            try run.uninterrupted { () throws(VaultError) in try vault.addThisMachine() }
        }
        let report = try RemotePeer(run, vault, copies).synchronize()
        run.messages.note("copied \(address.text) to \(path.printable)")
        if report.isWaiting { run.noteWaiting() }
        if run.isJSON {
            try run.output.write(json: ["vault": .string(path), "from": .string(address.text)])
        }
    }
}

extension CommandRun {
    /// Copies a vault to its place on this machine, and opens it there.
    fileprivate func placed(_ copy: Vault, at path: String) throws -> Vault {
        _ = try vaults.options.machine().files.locateForCreating(path, makesDirectories: true)
        try copy.copy(to: path)
        let vault = try copy.openedCopy(at: path, mayWrite: true, memory: vaults.options.locations.anchors)
        guard let vault else { throw CommandError.locked(path) }
        return try vaults.take(vault, for: .changing)
    }
}
