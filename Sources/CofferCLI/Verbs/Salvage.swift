internal import Coffer
internal import CofferBasics

extension Verb {
    static let salvage = Verb(
        "salvage",
        .vaults,
        "Copy everything intact in a damaged vault to a new one",
        operands: [
            Operand(name: "OLD", presence: .needed, completion: .file),
            Operand(name: "NEW", presence: .needed, completion: .file),
        ],
        details: """
            OLD is only read. NEW must not exist; it opens with what opens OLD. When you are sure that NEW has \
            everything you need, rename it to replace the old one.
            """,
        examples: [
            Example(call: "coffer salvage login.coffer saved.coffer", purpose: "save what is readable")
        ]
    ) { run in
        let (old, new) = (run.arguments.operand(0) ?? "", run.arguments.operand(1) ?? "")
        guard !old.isEmpty, !new.isEmpty else {
            throw CommandError.usage("`coffer salvage` needs the paths of two files")
        }
        guard !run.arguments.has(.vault) else {
            throw CommandError.usage("`coffer salvage` takes the vault as an operand, not with --vault")
        }
        let (options, ladder) = (run.vaults.options, try run.vaults.ladder())
        // Check this before asking the user for anything.
        try Vault.checkNothing(isAt: new, options: options)
        let report = try run.examine(old, with: ladder, "salvaging") { ladder in
            Vault.salvage(at: old, to: new, with: ladder, options: options)
        }
        try run.reportResult(of: report, from: old, to: new)
    }
}

extension Run {
    fileprivate func reportResult(of report: SalvageSummary, from old: String, to new: String) throws {
        let findings = report.verification.findings
        guard !isJSON else {
            let members: JSON = [
                "old": .string(old), "new": .string(new), "items": JSON(report.itemCount),
                "lostChanges": .array(report.lostChanges.map { .integer(Int64(clamping: $0)) }),
                "findings": .array(findings.map(\.json)),
            ]
            return try output.write(json: members)
        }
        for finding in findings { try output.write(line: "\(old.printable): \(finding.advised)") }
        if !report.lostChanges.isEmpty {
            let count = report.lostChanges.count.counted("change")
            try output.write(
                line: "\(old.printable): \(count) after the damage cannot be opened without the lost data; not saved"
            )
        }
        if findings.contains(where: { $0.kind == .end }) {
            messages.hint(
                """
                if \(new.printable) is reported as older than last seen, because the damaged end held changes, accept \
                it with `coffer compact --accept-rollback --vault \(new.printable)`
                """
            )
        }
        try output.write(line: "saved \(report.itemCount.counted("item")) from \(old.printable) to \(new.printable)")
    }
}
