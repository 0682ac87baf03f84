internal import Coffer
internal import CofferBasics
internal import VaultFiles

extension Option {
    static let unlockLifetime = Option(
        "--for",
        argument: .value("TIME", .words(["5m", "15m", "1h", "8h", "1d"])),
        summary: "how long, such as 90s, 15m, 8h or 1d (default 15m)"
    )
}

extension Verb {
    static let unlock = Verb(
        "unlock",
        .vaults,
        "Unlock a vault for a while",
        options: [.unlockLifetime],
        details: """
            The passphrase is asked for or comes from another source, such as --passphrase-file. Until the time is \
            over or `coffer lock` is run, the vault opens without a passphrase for all programs of the same user: its \
            keys are in the kernel keyring, which any process of that user can read, and never on disk.

            More than a day needs confirmation at the terminal, or --force. Changing what opens the vault removes \
            these keys, and needs the passphrase even while they are there.
            """,
        examples: [
            Example(call: "coffer unlock", purpose: "unlock it for 15 minutes"),
            Example(call: "coffer unlock --for 8h --passphrase-file code.txt", purpose: "unlock it for a working day"),
        ]
    ) { run in
        let time = try TimeSpan(run.arguments.value(of: .unlockLifetime) ?? "15m", of: .unlockLifetime)
        let path = try run.vaults.path()
        if .seconds(time.seconds) > Vault.defaultUnlockLimit {
            let consequence = "until then every program of this user can read the keys"
            try run.confirm(
                "Unlock the vault for \(time.description)? U\(consequence.dropFirst()).",
                unasked: .usage(
                    "confirmation is needed: \(time.description) is more than a day, and \(consequence)",
                    hints: ["repeat with --force to unlock it without asking"]
                )
            )
        }
        guard try run.vaults.takesSecret() else {
            run.messages.note("\(path.printable) opens with the key of this machine alone; there is nothing to unlock")
            return try run.writeUnlockResult(path, seconds: nil)
        }
        let vault = try run.vaults.openForKeyChange(for: .reading).vault
        let lifetime = Duration.seconds(time.seconds)
        run.makeClassKeys(of: vault)
        try vault.keepUnlocked(for: lifetime, atMost: max(lifetime, Vault.defaultUnlockLimit))
        let until = KeychainDate(secondsSince1970: run.now + Double(time.seconds))
        run.messages.note(
            """
            unlocked \(path.printable) until \(run.shown(until)), for all programs of this user; `coffer lock` locks it
            """
        )
        try run.writeUnlockResult(path, seconds: time.seconds, until: until)
    }

    static let lock = Verb(
        "lock",
        .vaults,
        "Lock a vault that coffer unlock has unlocked",
        details: """
            Removes the keys that `coffer unlock` left in the kernel keyring. A program that has the vault open keeps \
            it open. Locking a vault that is already locked is not an error.
            """,
        examples: [Example(call: "coffer lock", purpose: "lock the default vault now")]
    ) { run in
        let (path, options) = (try run.vaults.path(), run.vaults.options)
        _ = try run.vaults.outline(at: path)
        let foundKeys = try Vault.stopKeepingUnlocked(at: path, options: options)
        if foundKeys {
            run.messages.note("locked \(path.printable)")
        } else if (try? run.vaults.takesSecret()) == false {
            run.messages.note("\(path.printable) opens with the key of this machine alone; there is nothing to lock")
        } else {
            // Also one whose keys are damaged.
            run.messages.note("\(path.printable) was already locked")
        }
        guard run.isJSON else { return }
        try run.output.write(json: ["vault": .string(path), "wasUnlocked": .bool(foundKeys)])
    }
}

extension CommandRun {
    fileprivate func writeUnlockResult(_ path: String, seconds: Int64?, until: KeychainDate? = nil) throws {
        guard isJSON else { return }
        let members: JSON = [
            "vault": .string(path), "seconds": seconds.map { .integer($0) } ?? .null,
            "until": JSON(until),
        ]
        try output.write(json: members)
    }
}
