internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles
internal import VaultSync

extension Option {
    fileprivate static let stdio = Option(
        "--stdio",
        summary: "serve the vault to another machine over standard input and output"
    )
    static let keepsOn = Option("--watch", summary: "keep on, and sync whenever one side changes")
    static let take = Option("--take", summary: "only take over what COPY has, and do not change COPY")
    static let first = Option("--first", summary: "make COPY the vault of this machine")
    static let dryRun = Option("--dry-run", summary: "say what would change, and change nothing")
    static let found = Option(
        "--found",
        summary: "instead of COPY: those that Syncthing, Dropbox and Nextcloud leave beside the vault",
        needs: "--take"
    )
    static let removesFound = Option("--remove", summary: "remove each copy that was taken over", needs: "--found")
    static let withoutPart = Option("--no-device", summary: "give this machine no part in the vault", needs: "--first")
}

extension Verb {
    static let sync = Verb(
        "sync",
        .copies,
        "Exchange changes with a copy of the vault",
        operands: [Operand(name: "COPY", presence: .optional, completion: .file)],
        options: [
            .dryRun, .copyPassphraseFile, .thisMachineOnly, .found, .removesFound, .includeLeftOut, .withoutPart,
        ],
        modes: [.take, .first, .keepsOn, .stdio],
        details: """
            COPY is a file, such as one on a stick or a network share; a folder, in which each machine keeps a copy \
            of its own beside those of others; or ssh://[USER@]HOST[:PORT][/PATH], a vault on another machine, by \
            default the one of the user there. A copy that does not exist is created, except at a PATH on another machine. \
            If nothing but the key of this machine opens the vault, nothing is put into a folder, and no copy is created.

            Both sides get what they lack, completely or not at all. Of an item that was changed in both copies, one \
            change wins, in all copies the same one, and `coffer conflicts` shows the other one. An item that was deleted \
            in one copy and changed in the other stays. What came in has a number, with which `coffer undo --change` \
            undoes it.

            With --take only the vault changes, and COPY is a file. With --first COPY, a file such as a backup or ssh://…, \
            becomes the default vault of this machine, or the one at --vault PATH, where nothing may exist yet. It is \
            opened with its passphrase or a recovery code. This machine gets a part in it, so that it can have its own \
            items; another machine is told, a file stays as it is.

            In a group whose keys were renewed, because a grant was revoked or has expired, or because a machine was \
            removed, nothing counts that only a copy has that does not know of it: somebody without access could have put \
            it there. Nor does what is so old that the copy which lacks it cannot tell whether it was deleted there. \
            Both are left out and reported; with --take --include-left-out they are listed and, after confirmation, \
            taken over. If it is the vault itself that has them, its former file stays beside it.

            If the passphrase or keys were changed in one copy, those that were changed last count. The other copy needs \
            its own passphrase then, from --copy-passphrase-file or typed.

            Over ssh, `coffer sync --stdio` runs on the other machine. Only what is new travels, and a transfer that \
            was cut off goes on where it ended. The vault there may be locked: what is sent then waits beside it, until a \
            command such as `coffer list` opens it there, or after a new passphrase `coffer sync --take` on that machine.

            `coffer backup` makes copies that stay as they were.

            A copy that is older than at the last sync, or has another history, is refused, unless --accept-rollback is given.
            """,
        examples: [
            Example(call: "coffer sync /media/stick/login.coffer", purpose: "sync with the copy on a stick"),
            Example(call: "coffer sync ~/Cloud/vaults/", purpose: "sync through a synchronised folder"),
            Example(call: "coffer sync --first ssh://desk.example", purpose: "set up a second machine"),
            Example(call: "coffer sync --watch ssh://desk.example", purpose: "stay in sync with another machine"),
            Example(call: "coffer sync --take --found --remove", purpose: "clean up after Syncthing"),
        ]
    ) { run in
        if run.arguments.has(.stdio) {
            guard run.arguments.operand(0) == nil else { throw CommandError.usage("--stdio takes no COPY") }
            return try run.serve()
        }
        if run.arguments.has(.take) { return try run.takeOver() }
        if run.arguments.has(.first) { return try run.makeFirstCopy() }
        guard let target = run.arguments.operand(0), !target.isEmpty else {
            throw CommandError.usage("COPY is missing: a file, a folder or ssh://HOST")
        }
        let address = target.hasPrefix(RemoteAddress.prefix) ? try RemoteAddress(target) : nil
        let vault = try run.vault(toSyncWith: target)
        if !vault.isUnlocked { try run.vaults.unlock(vault) }
        guard run.arguments.has(.keepsOn) else {
            let peer = try run.peer(target, address, vault)
            let report = try run.vaults.asOwner(of: vault) { try peer.synchronize() }
            try run.write(report, vault)
            if let failure = report.failures.first { throw failure }
            return
        }
        try run.keepSyncing(vault) { try run.peer(target, address, vault) }
    }
}

extension CommandRun {
    fileprivate func peer(_ target: String, _ address: RemoteAddress?, _ vault: Vault) throws -> any SyncPeer {
        if let address { return try RemotePeer(self, vault, at: address) }
        // Only in a directory there is a place for a file.
        let isFolder = (try? vault.options.machine().files.locate("\(target)/file")) != nil
        return isFolder ? FolderPeer(self, vault, in: target) : FilePeer(self, vault, at: target)
    }

    // MARK: - Again and again

    /// Syncs whenever one side changes, until a signal arrives; a lost connection is made again.
    fileprivate func keepSyncing(_ vault: Vault, with makePeer: () throws -> any SyncPeer) throws {
        let changes = try vault.changes()
        try context.machine.recordingSignals { signal in
            messages.note("syncing \(vault.path.printable); press Ctrl-C to stop")
            var pauseSeconds = 5
            while signal() == nil {
                do {
                    let peer = try makePeer()
                    while signal() == nil {
                        let report = try vaults.asOwner(of: vault) { try peer.synchronize() }
                        if report.hasChanged { try write(report, vault) }
                        pauseSeconds = 5
                        try wait(for: changes, or: peer, signal)
                    }
                } catch let error as CommandError where [.unavailable, .busy].contains(error.code) {
                    // Ctrl-C ends ssh, too.
                    guard signal() == nil else { break }
                    messages.warning("\(error.message); trying again in \(pauseSeconds) s")
                    for _ in 0..<pauseSeconds * 5 where signal() == nil {
                        context.time.sleep(nanoseconds: 200_000_000)
                    }
                    pauseSeconds = min(60, 2 * pauseSeconds)
                }
            }
            interruption = signal()
        }
    }

    private func wait(for changes: VaultChanges, or peer: any SyncPeer, _ signal: () -> Int32?) throws {
        while signal() == nil {
            if try changes.next(timeout: .milliseconds(500)) { return }
            guard try peer.hasChanged(timeout: .milliseconds(500)) else { continue }
            // A peer that says so all the time must not keep this machine busy.
            return context.time.sleep(nanoseconds: 1_000_000_000)
        }
    }

    // MARK: - Output

    func write(_ report: SyncReport, _ vault: Vault) throws {
        if isJSON {
            try output.write(json: report.json(of: vault, isDryRun: arguments.has(.dryRun)))
        } else {
            for place in report.created { try output.write(line: "\(place.printable): created") }
            let isDryRun = arguments.has(.dryRun)
            func line(_ word: String, _ step: MergedCopy) -> String {
                "\(word) \(step.path.printable): \(step.summary.text(isDryRun: isDryRun))"
            }
            for step in report.taken { try output.write(line: line("from", step)) }
            for step in report.given { try output.write(line: line("to", step)) }
            if let transfer = report.transfer {
                let (sent, received) = (
                    ByteSize.text(transfer.sentByteCount), ByteSize.text(transfer.receivedByteCount)
                )
                messages.note("sent \(sent), received \(received)")
            }
        }
        let kept = report.given.filter { $0.summary.keptPath != nil }
        for step in report.taken {
            noteConsequences(of: step, saysLeftOut: !kept.contains { $0.path == step.path })
        }
        for step in kept { noteLeftOut(of: step.summary, from: step.path) }
        noteWaiting(report)
        // With --watch, a reader may be waiting for this.
        try output.flush()
    }
}

extension CommandRun {
    /// Says that the other machine merges later.
    func noteWaiting(_ report: SyncReport) {
        guard report.isWaiting else { return }
        messages.note(
            report.needsPassphrase
                ? """
                the vault there has its former passphrase until `coffer sync --take` on that machine takes over what \
                was sent; `coffer status` there names the file
                """ : "the vault there is locked, and gets the changes when `coffer` next opens it there"
        )
    }
}

extension SyncReport {
    /// The report as JSON: `Spec/command.md`, section 5.
    fileprivate func json(of vault: Vault, isDryRun: Bool) -> JSON {
        [
            "vault": .string(vault.path), "dryRun": .bool(isDryRun),
            "from": .array(taken.map { $0.json(of: vault, isDryRun: isDryRun) }),
            "to": .array(given.map { $0.json(of: vault, isDryRun: isDryRun) }),
            "created": .array(created.map { .string($0) }), "waiting": .bool(isWaiting),
            "sentBytes": transfer.map { JSON($0.sentByteCount) } ?? .null,
            "receivedBytes": transfer.map { JSON($0.receivedByteCount) } ?? .null,
        ]
    }
}
