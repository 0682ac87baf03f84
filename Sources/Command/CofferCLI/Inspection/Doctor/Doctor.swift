internal import Coffer
internal import CofferBasics

/// Checks everything that a vault needs here, without creating, changing or asking anything.
struct Doctor {
    let run: CommandRun
    var checkup = Checkup()
    /// Where the vault is, or should be.
    private(set) var path: String?
    /// What the vault shows without a key.
    var outline: VaultOutline?
    /// The groups of the grant that opened the vault, if one did.
    var grantedGroups: [String]?

    var options: VaultOptions {
        var options = run.vaults.options
        options.mayWrite = false
        options.discardsDamagedTail = false
        options.acceptsRollback = true
        return options
    }

    init(_ run: CommandRun) {
        self.run = run
    }

    /// Performs all checks.
    mutating func examine() {
        examinePlace()
        if let path {
            examineFile(path)
            examineAccess(path)
        }
        examineDeviceKey()
        if let path, outline != nil {
            examineOpening(path)
            examineLock(path)
            examineProtection()
            examineTheft()
        }
        examineKeyring()
        examineMemory()
        examineKeys()
        examineFleet()
        examineEntitlements()
        examineEnvironment()
    }

    private mutating func examinePlace() {
        do {
            let path = try run.vaults.path()
            self.path = path
            let reason: String =
                if run.arguments.has(.vault) {
                    "named by --vault"
                } else if run.vaults.isNamed {
                    "named by COFFER_VAULT"
                } else {
                    "the default place"
                }
            checkup.ok("vault", "\(path.printable), \(reason)")
        } catch {
            let error = CommandError(error)
            checkup.problem("vault", error)
        }
    }

    private mutating func examineFile(_ path: String) {
        do throws(VaultError) {
            let found = try Vault.outline(at: path, options: options)
            outline = found
            let size = ByteSize.text(found.fileByteCount)
            let damage = found.damage.filter { !$0.isUnknownTail }
            guard !damage.isEmpty else {
                return checkup.ok("file", "a vault of format 1, \(size), id \(found.id)")
            }
            for damage in damage { checkup.problem("file", CommandError(damage.problem)) }
        } catch {
            let loss = error.kind == .noVault ? (try? run.vaults.loss()) : nil
            guard error.kind == .noVault, !run.vaults.isNamed, loss == nil else {
                var failure = loss ?? CommandError(error)
                if loss == nil, error.kind == .noVault { failure = run.vaults.noVault(at: path) }
                return checkup.problem("file", failure)
            }
            checkup.warning("file", "there is no vault yet", ["create it with `coffer init` or the first `coffer set`"])
        }
    }

    private mutating func examineEntitlements() {
        if let grantedGroups {
            let list = grantedGroups.map(\.printable).joined(separator: ", ")
            return checkup.ok("entitlements", "the credential opens these groups, and no others: \(list)")
        }
        do {
            guard let groups = try run.vaults.declaredGroups() else {
                let name = try run.vaults.groups().names.first?.printable ?? ""
                return checkup.ok(
                    "entitlements",
                    "all groups can be used; new items go to the group \(name)"
                )
            }
            let list = groups.names.map(\.printable).joined(separator: ", ")
            guard !groups.names.contains("*") else {
                return checkup.warning(
                    "entitlements",
                    "the group * gives access to every group of the vault: \(list)",
                    ["list the needed groups instead"]
                )
            }
            checkup.ok("entitlements", "only these groups can be used: \(list)")
        } catch {
            let error = CommandError(error)
            checkup.problem("entitlements", error)
        }
    }

    private mutating func examineEnvironment() {
        guard run.context.environment["COFFER_PASSPHRASE"]?.isEmpty == false else { return }
        checkup.warning(
            "environment",
            "COFFER_PASSPHRASE holds a passphrase: every program you start receives it, and others may see it",
            ["put it in a file that only you can read, and set COFFER_PASSPHRASE_FILE to its path"]
        )
    }
}

extension Verb {
    static let doctor = Verb(
        "doctor",
        .inspection,
        "Check the vault and suggest fixes",
        details: """
            Reports which vault is used and why, who can access it, what was tried to open it, what a thief of the \
            home directory could do, and what it needs from this machine. It asks nothing and changes nothing. \
            `coffer verify` reads the whole file, and `coffer status` says in a few lines how the vault is.

            Exits with 0 if everything works, even with warnings, else with the code of the first problem. Without a \
            terminal, each line has ok, warning, problem or advice, the area and the text, separated by tabs.
            """,
        examples: [Example(call: "coffer doctor", purpose: "find out why something does not work")]
    ) { run in
        var doctor = Doctor(run)
        doctor.examine()
        let checkup = doctor.checkup
        run.status = checkup.code.rawValue
        guard !run.isJSON else {
            let members: JSON = [
                "vault": JSON(doctor.path), "status": .string(checkup.state.rawValue),
                "checks": .array(checkup.checks.map(\.json)),
            ]
            return try run.output.write(json: members)
        }
        try checkup.write(to: run.output, isColored: run.printsColor)
    }
}
