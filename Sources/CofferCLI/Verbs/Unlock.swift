internal import Coffer
internal import CofferBasics
internal import VaultFiles

extension Option {
    static let unlockLifetime = Option(
        "--for",
        argument: .value("TIME", .words(["5m", "15m", "1h", "8h", "1d"])),
        summary: "for how long: 90s, 15m, 8h, 1d; 15m if it is not there"
    )
}

extension Verb {
    static let unlock = Verb(
        "unlock",
        .vaults,
        "Unlock a vault for a while",
        options: [.unlockLifetime],
        details: """
            The passphrase is asked for, or taken from wherever else passphrases come from. Until the time is over, or \
            coffer lock ends it, the vault opens for all programs of the same user without a passphrase: its keys are in \
            the kernel keyring, which any process of that user can read, and never on a disk.

            A time of more than a day takes an answer on the terminal, or --force. A change of what opens the vault takes the \
            keys back, and asks for the passphrase all the same.
            """,
        examples: [
            Example(call: "coffer unlock", purpose: "for a quarter of an hour"),
            Example(call: "coffer unlock --for 8h --passphrase-file code.txt", purpose: "for a day of work"),
        ]
    ) { run in
        let word = run.arguments.value(of: .unlockLifetime) ?? "15m"
        guard let time = TimeSpan(word) else {
            throw CommandError.usage(
                "--for takes a time such as 90s, 15m, 8h or 1d, a year at most, and not \(word.printable)"
            )
        }
        let path = try run.vaults.path()
        if .seconds(time.seconds) > Vault.usualUnlockLimit {
            let consequence = "until then every program of this user can read the keys"
            try run.confirm(
                "Unlock the vault for \(time.description)? U\(consequence.dropFirst()).",
                unasked: .usage(
                    "\(time.description) is more than a day, and \(consequence)",
                    hints: ["--force unlocks it for so long without asking"]
                )
            )
        }
        guard try run.vaults.takesSecret() else {
            run.messages.note("\(path.printable) opens with the key of this machine alone; there is nothing to unlock")
            return try run.tellUnlocked(path, seconds: nil)
        }
        let vault = try run.vaults.owned(for: .reading).vault
        let lifetime = Duration.seconds(time.seconds)
        try vault.leaveUnlocked(for: lifetime, atMost: max(lifetime, Vault.usualUnlockLimit))
        run.messages.note(
            "\(path.printable) is unlocked for \(time.description), for all programs of this user; coffer lock ends that"
        )
        try run.tellUnlocked(path, seconds: time.seconds)
    }

    static let lock = Verb(
        "lock",
        .vaults,
        "Lock a vault that was unlocked for a while",
        details: """
            Takes back what coffer unlock has left with the kernel. A program that has the vault open keeps it open. It is \
            no error if the vault is locked already.
            """,
        examples: [Example(call: "coffer lock", purpose: "before somebody else sits down here")]
    ) { run in
        let (path, options) = (try run.vaults.path(), run.vaults.options)
        _ = try run.vaults.outline(at: path)
        let wasThere = try Vault.forgetUnlocked(at: path, options: options)
        run.messages.note(wasThere ? "locked \(path.printable)" : "\(path.printable) was locked already")
        guard run.isJSON else { return }
        try run.output.write(json: ["vault": .string(path), "wasUnlocked": .bool(wasThere)])
    }
}

extension Run {
    fileprivate func tellUnlocked(_ path: String, seconds: Int64?) throws {
        guard isJSON else { return }
        let until = seconds.map { KeychainDate(secondsSince1970: now + Double($0)) }
        let members: JSON = [
            "vault": .string(path), "seconds": seconds.map { .integer($0) } ?? .null,
            "until": JSON(until),
        ]
        try output.write(json: members)
    }
}
