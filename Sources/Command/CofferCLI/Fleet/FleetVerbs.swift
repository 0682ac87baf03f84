internal import Coffer
internal import CofferBasics
internal import CofferFleet
internal import CommandSystem
internal import VaultFiles

extension Option {
    fileprivate static let once = Option("--once", summary: "catch up and end")
    fileprivate static let localCopy = Option("--local", summary: "make a copy that changes without the network")
}

// A vault that machines share through etcd: `Spec/fleet.md`.
extension Verb {
    static let fleetInit = Verb(
        "fleet init",
        .fleet,
        "Share a vault with other machines",
        details: """
            The vault of this machine becomes one that several machines share through the etcd cluster of \
            COFFER_FLEET: https://HOST:2379[,...][/PREFIX]. The cluster sees sizes and times, but no names or secrets. A \
            change succeeds once a majority of the cluster has stored it.

            The other machines need a passphrase, a key file or a recovery code to open the vault.
            """,
        examples: [Example(call: "coffer fleet init", purpose: "share the default vault")]
    ) { run in
        let fleet = try run.neededFleet()
        guard try run.vaults.takesSecret() else {
            throw CommandError(
                .unavailable,
                "\(try run.vaults.path().printable) can be opened with device keys only, which other machines do not have",
                hints: ["set a passphrase with `coffer passwd`"]
            )
        }
        let vault = try run.vaults.openForKeyChange().vault
        try fleet.checkRoom(forVaultAt: vault.path, vault.options)
        try run.uninterrupted { try vault.beginSharing() }
        run.messages.note("\(vault.path.printable) is shared through \(fleet.endpoints.joined(separator: ", "))")
        run.messages.note("on the other machines, run `coffer fleet join` and then `coffer fleet follow`")
        if run.isJSON { try run.output.write(json: ["vault": .string(vault.path), "machine": .string(fleet.machine)]) }
    }

    static let fleetJoin = Verb(
        "fleet join",
        .fleet,
        "Get a vault that other machines share",
        operands: [Operand(name: "ID", presence: .optional)],
        details: """
            The vault becomes the default one of this machine, or the one at --vault PATH. ID is its id, if the fleet \
            has several. A machine that already has the vault joins its fleet again.

            The machine is listed under its host name, or the name in COFFER_FLEET_MACHINE.
            """,
        examples: [
            Example(call: "coffer fleet join", purpose: "get the only vault of the fleet"),
            Example(call: "coffer fleet join --vault /var/lib/mail/secrets.coffer", purpose: "put it somewhere else"),
        ]
    ) { run in
        let (fleet, path, options) = (try run.neededFleet(), try run.vaults.path(), run.vaults.options)
        let id = run.arguments.operand(0)
        try run.uninterrupted { try fleet.join(id, at: path, options: options) }
        // Opened as a verb that writes opens it, so that it takes in the latest changes.
        let vault = try run.vaults.vault(for: .changing)
        run.messages.note("\(fleet.machine.printable) has joined, and has the vault in \(vault.path.printable)")
        if run.isJSON { try run.output.write(json: ["vault": .string(vault.path), "machine": .string(fleet.machine)]) }
    }

    static let fleetLeave = Verb(
        "fleet leave",
        .fleet,
        "Remove a machine from the fleet of a vault",
        operands: [Operand(name: "MACHINE", presence: .optional)],
        details: """
            Without MACHINE, this machine leaves. It keeps its vault, and no longer shares its changes. Without the \
            network, the fleet still lists the machine until you remove it on another one.

            With MACHINE, that machine can no longer write. It still has its file: if it was lost, change the keys with \
            `coffer passwd`, and revoke its etcd user.
            """,
        examples: [
            Example(call: "coffer fleet leave", purpose: "go on alone"),
            Example(call: "coffer fleet leave web3", purpose: "remove another machine"),
        ]
    ) { run in
        let (fleet, path, options) = (try run.neededFleet(), try run.vaults.path(), run.vaults.options)
        guard let machine = run.arguments.operand(0) else {
            let vault = try run.vaults.openForKeyChange(for: .reading).vault
            try run.uninterrupted { try vault.endSharing() }
            do throws(VaultError) {
                _ = try fleet.remove(fleet.machine, fromVaultAt: path, options: options)
            } catch {
                run.messages.warning("the fleet still lists this machine: \(error.description)")
            }
            return run.messages.note("\(path.printable) is no longer shared")
        }
        guard try fleet.remove(machine, fromVaultAt: path, options: options) else {
            throw CommandError(
                .notFound,
                "\(machine.printable) is not a machine of the fleet",
                hints: ["run `coffer fleet status` to see them all"]
            )
        }
        run.messages.note("\(machine.printable) can no longer write")
    }

    static let fleetStatus = Verb(
        "fleet status",
        .fleet,
        "Show the machines of a fleet",
        details: """
            BEHIND is how many changes a machine lacked when it last reported, at SEEN. A machine reports with each \
            change that it makes, and every few minutes while it runs `coffer fleet follow`.

            Without a terminal, each line has the machine, its last change, how many it lacked and the time, separated \
            by tabs. `coffer doctor` shows the members of the cluster.
            """,
        examples: [Example(call: "coffer fleet status", purpose: "see which machines lag behind")]
    ) { run in
        let (fleet, path, options) = (try run.neededFleet(), try run.vaults.path(), run.vaults.options)
        let status = try fleet.status(ofVaultAt: path, options: options)
        guard !run.isJSON else { return try run.output.write(json: status.json(fleet.machine)) }
        var table = TextTable(["MACHINE", "CHANGE", "BEHIND", "SEEN"])
        for machine in status.machines {
            table.add([
                machine.name.printable, String(machine.change), String(status.lag(of: machine)),
                run.shown(machine.reported),
            ])
        }
        try table.write(to: run.output, isColored: run.printsColor)
        let own = status.ownChange < status.change ? "; this machine has \(status.ownChange)" : ""
        run.messages.note("\(Int(status.change).counted("change")) in the fleet\(own)")
    }

    static let fleetFollow = Verb(
        "fleet follow",
        .fleet,
        "Keep the vault of this machine up to date",
        options: [.once, .localCopy],
        details: """
            Follows the fleet, so that other programs find in the file what any machine wrote. Stop it with Ctrl-C or \
            the signal TERM. While the cluster is unreachable, it prints a warning and keeps trying.

            With --local, it also makes a copy beside the vault, with .local appended to its name, that any program can \
            change without the network. Both are merged within seconds, by the rules of `coffer sync --take`. Once the copy \
            exists, it is merged without --local too.

            With --once, it catches up with everything that was acknowledged on any machine, and ends.
            """,
        examples: [
            Example(call: "coffer fleet follow", purpose: "run it as a service, for example of systemd"),
            Example(call: "coffer fleet follow --once && coffer get mail", purpose: "read the latest value"),
            Example(call: "coffer fleet follow --local", purpose: "also change secrets while the cluster is away"),
        ]
    ) { run in
        let fleet = try run.neededFleet()
        let vault = try run.vaults.vault()
        if run.arguments.has(.localCopy) {
            try run.uninterrupted { try vault.makeLocalCopy() }
            run.messages.note("changes without the network go to \(vault.localCopyPath.printable)")
        }
        guard !run.arguments.has(.once) else {
            let ladder = try run.vaults.ladder()
            try run.uninterrupted {
                // The copy first: it may have to be opened with keys that the fleet has changed.
                let summary = try vault.mergeLocalCopy(with: ladder)
                try vault.follow(isStrict: true, with: ladder)
                if let summary { run.noteLeftOut(of: summary, from: vault.localCopyPath) }
            }
            return
        }
        let follower = try fleet.follow(vault, with: run.vaults.ladder())
        defer { follower.stop() }
        var failure: VaultError?
        var leftOut: MergeSummary?
        run.context.machine.recordingSignals { signal in
            run.messages.note("\(vault.path.printable) follows the fleet; press Ctrl-C to stop")
            while signal() == nil {
                run.context.time.sleep(nanoseconds: 200_000_000)
                let current = follower.failure
                if let current, current.kind != failure?.kind {
                    run.messages.warning(current.description)
                } else if current == nil, failure != nil {
                    run.messages.note("the fleet is reachable again")
                }
                failure = current
                if let new = follower.leftOut, new != leftOut {
                    run.noteLeftOut(of: new, from: vault.localCopyPath)
                    leftOut = new
                }
            }
        }
    }
}

extension CommandRun {
    /// The fleet of the environment, which must name one.
    fileprivate func neededFleet() throws -> Fleet {
        guard let fleet = try fleet.get() else {
            throw CommandError(
                .unavailable,
                "COFFER_FLEET is not set",
                hints: ["set it to the addresses of an etcd cluster: https://HOST:2379[,...][/PREFIX]"]
            )
        }
        return fleet
    }
}

extension FleetStatus {
    /// How many changes a machine lacked.
    fileprivate func lag(of machine: Machine) -> UInt64 { change > machine.change ? change - machine.change : 0 }

    fileprivate func json(_ ownName: String) -> JSON {
        [
            "vault": .string(vault), "change": JSON(Int(change)), "ownChange": JSON(Int(ownChange)),
            "machine": .string(ownName),
            "machines": .array(
                machines.map { machine in
                    [
                        "name": .string(machine.name), "change": JSON(Int(machine.change)),
                        "behind": JSON(Int(lag(of: machine))), "seen": JSON(machine.reported),
                    ]
                }
            ),
        ]
    }
}
