internal import Coffer

extension VerificationSummary {
    /// The exit code for the worst finding.
    var code: ExitCode { findings.map(\.severity).max()?.code ?? .success }
}

extension VerificationSummary.Severity {
    /// The exit code for a finding of this severity.
    var code: ExitCode {
        switch self {
        case .harmless: .success
        case .rolledBack: .rolledBack
        case .damaged: .damaged
        case .inconsistent: .inconsistent
        }
    }
}

extension VerificationSummary.Finding {
    /// The finding with advice for users of the command.
    var advised: String {
        var advice = severity == .rolledBack ? cause?.advice ?? [] : []
        if let reference = references.first {
            let call = "coffer conflicts \(reference.name)"
            advice = ["`\(call)` shows the versions, `\(call) --keep N` keeps one"]
        }
        return ([description] + advice).joined(separator: "; ")
    }

    var json: JSON {
        [
            "kind": .string(kind.name), "offset": range.map { JSON($0.lowerBound) } ?? .null,
            "bytes": range.map { JSON($0.count) } ?? .null, "items": JSON(itemCount),
            "code": .integer(Int64(severity.code.rawValue)), "message": .string(advised),
        ]
    }
}

extension VerificationSummary.Finding.Kind {
    /// The kind of finding, as JSON output names it.
    fileprivate var name: String {
        switch self {
        case .directory: "directory"
        case .damage: "damage"
        case .invalidItem: "invalidItem"
        case .invalidChange: "invalidChange"
        case .duplicates: "duplicates"
        case .end: "end"
        case .history: "history"
        }
    }
}
