internal import Coffer
internal import CofferBasics

// What opens the vault, and what it shows once open.
extension Doctor {
    mutating func examineOpening(_ path: String) {
        let vault: Vault
        do {
            let ladder = try run.vaults.ladder()
            do throws(VaultError) {
                vault = try Vault.open(at: path, with: ladder, options: options)
            } catch {
                note(error.unlocking)
                let isLocked = error.kind == .secretNeeded
                guard isLocked else { return checkup.problem("opening", CommandError(error)) }
                return checkup.warning(
                    "opening",
                    "the vault is locked, and nothing available here opens it",
                    ["other verbs ask for the passphrase at a terminal", VaultAccess.sources]
                )
            }
        } catch {
            let error = CommandError(error)
            return checkup.problem("opening", error)
        }
        note(vault.unlocking)
        checkup.ok("opening", vault.isUnlocked ? "the vault opens" : "the vault opens, but stays locked")
        examineGrants(vault)
        examineEnd(vault)
        examineLog(vault)
        examineNames(vault)
        examineAnchor(vault)
    }

    private mutating func examineGrants(_ vault: Vault) {
        grantedGroups = vault.grantedGroups
        guard let grants = try? vault.grants, !grants.isEmpty else { return }
        let list = grants.map { "\($0.name.printable) (\($0.groups.map(\.printable).joined(separator: ", ")))" }
        checkup.ok("grants", list.joined(separator: ", "))
        for grant in grants where grant.hasExpired {
            checkup.warning(
                "grants",
                "\(grant.name.printable) has expired; the next change of the vault renews the keys that it held",
                ["renew them now with `coffer grant revoke \(grant.name.printable)`"]
            )
        }
    }

    private mutating func note(_ report: UnlockReport?) {
        for step in report?.steps ?? [] {
            // `doctor` never asks, so this says nothing about the vault.
            if case .prompt = step.source { continue }
            let text = "\(step.source): \(step.outcome)".replacing(text: "\n", with: "; ")
            if case .failed(let problem) = step.outcome, step.source != .kernelKeyring {
                checkup.problem("source", "\(step.source): it does not open the vault", [], ExitCode(problem))
            } else {
                checkup.ok("source", text)
            }
        }
    }

    private mutating func examineEnd(_ vault: Vault) {
        guard let finding = vault.endFinding else {
            return checkup.ok("end", "the file ends with its last change")
        }
        guard finding.severity != .harmless else { return checkup.warning("end", finding.description) }
        checkup.problem("end", finding.description, finding.cause?.advice ?? [], finding.severity.code)
    }

    private mutating func examineLog(_ vault: Vault) {
        guard (try? vault.isCompactionDue) == true else { return }
        checkup.warning("log", "deleted data is still in the file, or the log is long", ["run `coffer compact`"])
    }

    private mutating func examineNames(_ vault: Vault) {
        guard let count = try? vault.sharedNameCount, count > 0 else { return }
        checkup.warning(
            "names",
            "\(count.counted("item was", "items were")) added by several machines; all use the same version",
            [CommandError.conflictAdvice]
        )
    }

    private mutating func examineAnchor(_ vault: Vault) {
        guard let directory = options.locations.anchors else {
            return checkup.warning(
                "anchor",
                "the location of anchors is unknown, so an older copy in place of the vault goes unnoticed",
                ["set HOME or XDG_STATE_HOME, or STATE_DIRECTORY for a service"]
            )
        }
        if let problem = vault.memoryProblem { return checkup.problem("anchor", CommandError(problem)) }
        if let finding = vault.historyFinding {
            return checkup.problem("anchor", finding.description, finding.cause?.advice ?? [], finding.severity.code)
        }
        if vault.isOlderCopy, let problem = vault.readOnlyProblem {
            return checkup.warning("anchor", problem.description, problem.cause?.advice ?? [])
        }
        guard let change = vault.rememberedChange else {
            return checkup.ok(
                "anchor",
                "the state of the vault is not yet remembered in \(directory.printable); the next change records it"
            )
        }
        checkup.ok("anchor", "the vault is at least as new as when last used here (change \(change))")
    }

    /// Reports what a thief of the home directory could do with the device key and the vault.
    mutating func examineTheft() {
        guard let outline else { return }
        let slots = outline.slots
        let thief = "whoever copies your home directory"
        guard case .found(let path, let device, _) = DeviceKeyState(options), path == options.locations.deviceKey,
            outline.devices.contains(device)
        else { return checkup.ok("theft", "\(thief) can read nothing: that needs \(Self.obstacle(slots))") }
        guard !slots.contains(where: { $0.kind == .device(id: device) }) else {
            return checkup.warning("theft", "\(thief) can read everything in the vault")
        }
        checkup.ok(
            "theft",
            """
            \(thief) can read items that are never locked and the names of groups, and can test guesses of services \
            and accounts; the rest needs \(Self.obstacle(slots))
            """
        )
    }

    /// What a thief needs besides the home directory.
    private static func obstacle(_ slots: [VaultOutline.Slot]) -> String {
        var obstacles: [String] = []
        for slot in slots {
            let obstacle: String? =
                switch slot.kind {
                case .passphrase: "a guess of the passphrase"
                case .keyFile: "the key file"
                case .passphraseAndKeyFile: "the key file and a guess of the passphrase"
                case .device: "the key of another machine"
                case .recoveryCode, .recipient, .unknown: nil
                }
            if let obstacle, !obstacles.contains(obstacle) { obstacles.append(obstacle) }
        }
        return obstacles.isEmpty ? "the recovery code" : obstacles.joined(separator: ", or ")
    }

    mutating func examineProtection() {
        guard let slots = outline?.slots else { return }
        let hasCode = slots.contains { $0.kind == .recoveryCode }
        let titles = slots.map(\.title).joined(separator: ", ")
        guard slots.contains(where: \.takesSecret) else {
            var advice = ["set a passphrase with `coffer passwd`"]
            if !hasCode { advice.insert("`coffer key add recovery-code` adds a code in case the key is lost", at: 0) }
            let loss = hasCode ? "" : ", and without it the vault is lost"
            return checkup.warning(
                "protection",
                "no passphrase, only the device key: anyone who can read that file can open the vault\(loss)",
                advice
            )
        }
        guard hasCode else {
            return checkup.warning(
                "protection",
                "\(titles), but no recovery code: if these are lost, so is the vault",
                ["add one with `coffer key add recovery-code`"]
            )
        }
        checkup.ok("protection", titles)
    }
}
