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
            OLD is only read. NEW must not exist; it opens with what opens OLD. Changes that cannot be read are \
            listed by number, with the items that they may have changed or deleted. When you are sure that NEW has \
            everything you need, rename it to replace the old one. `coffer verify` shows beforehand what is damaged, and \
            `coffer doctor` whether the file is the problem at all.
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

extension CommandRun {
    fileprivate func reportResult(of report: SalvageSummary, from old: String, to new: String) throws {
        let findings = report.verification.findings
        guard !isJSON else {
            let members: JSON = [
                "old": .string(old), "new": .string(new), "items": JSON(report.itemCount),
                "lostChanges": .array(
                    report.lostChanges.map {
                        ["first": JSON(Int($0.lowerBound)), "last": JSON(Int($0.upperBound))]
                    }
                ),
                "keylessChanges": JSON(report.keylessChangeCount), "staleItems": JSON(report.staleItemCount),
                "findings": .array(findings.map(\.json)),
            ]
            return try output.write(json: members)
        }
        for finding in findings { try output.write(line: "\(old.printable): \(finding.advised)") }
        if !report.lostChanges.isEmpty {
            try output.write(line: "\(old.printable): \(report.lostChanges.listed) could not be saved")
            if report.keylessChangeCount > 0 {
                let lost = "\(report.keylessChangeCount.counted("change")) could not be saved"
                try output.write(line: "\(old.printable): \(lost): the keys are lost with earlier changes")
            }
            try reportStaleItems(of: report, in: new)
        }
        try output.write(line: "saved \(report.itemCount.counted("item")) from \(old.printable) to \(new.printable)")
    }

    /// Lists the items that the lost changes may have changed or deleted.
    private func reportStaleItems(of report: SalvageSummary, in new: String) throws {
        guard report.staleItemCount > 0 else { return }
        let count = report.staleItemCount.counted("item")
        try output.write(line: "\(new.printable): \(count) may be out of date, as last written before these changes:")
        for item in report.staleItems {
            try output.write(line: "  " + item.map(\.printable).joined(separator: "\t"))
        }
        let rest = report.staleItemCount - report.staleItems.count
        if rest > 0 { try output.write(line: "  and \(rest) more") }
    }
}

extension [ClosedRange<UInt64>] {
    /// The numbers of changes, such as "change 5" or "changes 5, 7 to 9".
    fileprivate var listed: String {
        let numbers = map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
        return (count == 1 && self[0].count == 1 ? "change " : "changes ") + numbers.joined(separator: ", ")
    }
}
