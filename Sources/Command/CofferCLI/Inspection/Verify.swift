internal import Coffer
internal import CofferBasics

extension Verb {
    static let verify = Verb(
        "verify",
        .inspection,
        "Check a whole vault for damage",
        operands: [.optionalPath],
        details: """
            Also reads a vault that is too damaged for other verbs. Each finding says where it is and what to do. If \
            the vault is locked and the user cannot be asked, it is checked as far as the available keys allow. \
            `coffer doctor` checks what is around the file: settings, permissions, this machine.

            Exits with 0 if the vault is intact, else with 60 (damaged), 61 (changes that contradict each other) or 73 \
            (older than last seen here, or with another history).
            """,
        examples: [
            Example(call: "coffer verify", purpose: "check the default vault"),
            Example(call: "coffer verify --json backup.coffer", purpose: "check a copy from a script"),
        ]
    ) { run in
        let path = try run.pathOperand()
        let report = try run.verification(of: path)
        let (findings, code) = (report.findings, report.code)
        run.status = code.rawValue
        guard !run.isJSON else {
            let members: JSON = [
                "vault": .string(path), "whole": .bool(code == .success),
                "items": JSON(report.itemCount), "sealedItems": JSON(report.sealedItemCount),
                "unknownChanges": JSON(report.unknownChangeCount),
                "findings": .array(findings.map(\.json)),
            ]
            return try run.output.write(json: members)
        }
        for finding in findings { try run.output.write(line: "\(path.printable): \(finding.advised)") }
        let count = (report.itemCount + report.sealedItemCount).counted("item")
        let sealed = report.sealedItemCount
        let note =
            sealed > 0 ? "; \(sealed) of them \(sealed == 1 ? "is" : "are") locked and could not be opened" : ""
        let verdict = code == .success ? "intact" : code.meaning
        try run.output.write(line: "\(path.printable): \(verdict); \(count)\(note)")
        if report.unknownChangeCount > 0 {
            let count = report.unknownChangeCount.counted("change is", "changes are")
            run.messages.note("\(count) of a kind unknown to this version of coffer")
        }
        if code == .damaged || code == .inconsistent {
            run.messages.hint("`coffer salvage \(path.shellPath) NEW` saves what is intact to a new vault")
        }
    }
}

extension CommandRun {
    /// The result of checking the vault, after asking for the passphrase if the user can be asked.
    fileprivate func verification(of path: String) throws -> VerificationSummary {
        let options = arguments.operand(0) == nil ? vaults.options : vaults.options.forExamining(path)
        let ladder = try vaults.ladder()
        let canAsk = prompter.canAsk
        func verify(_ ladder: UnlockLadder) -> VaultWork<VerificationSummary> {
            Vault.verification(at: path, with: ladder, options: options, acceptsLocked: !canAsk)
        }
        return try examine(path, with: ladder, "verifying", verify)
    }

    /// Performs work on a vault that may be too damaged to open, after asking for its passphrase if needed.
    func examine<Report>(
        _ path: String,
        with ladder: UnlockLadder,
        _ name: String,
        _ work: (UnlockLadder) -> VaultWork<Report>
    ) throws -> Report {
        do {
            return try perform(work(ladder), name)
        } catch {
            var error = CommandError(error)
            guard [.locked, .deviceKeyNeeded].contains(error.code), prompter.canAsk else {
                if error.code == .noVault { error = vaults.noVault(lookedForAt: path) }
                if error.code == .locked { error.hints.append(VaultAccess.sources) }
                throw error
            }
        }
        return try vaults.withAnswer(path) { ladder in try perform(work(ladder), name) }
    }
}
