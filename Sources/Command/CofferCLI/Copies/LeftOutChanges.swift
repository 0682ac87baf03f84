internal import Coffer
internal import CofferBasics

// What a merge leaves out.

extension Option {
    static let includeLeftOut = Option(
        "--include-left-out",
        summary: "also take over what a merge leaves out, after listing it",
        needs: "--take"
    )
}

extension CommandRun {
    /// Lists what a merge would leave out, and returns true if the user wants to take it over all the same.
    func confirmsLeftOut(of preview: MergeSummary, _ place: String) throws -> Bool {
        guard !preview.leftOut.isEmpty else { return false }
        for (reason, changes) in preview.leftOut.byReason {
            let count = changes.count.counted("change")
            messages.note("\(count) in \(place.printable) would be left out, because \(reason.cause):")
            for change in changes { messages.note("  \(change.line)") }
        }
        guard !arguments.has(.dryRun) else { return true }
        let doubts = preview.leftOut.byReason.map(\.reason.doubt).joined(separator: " ")
        try confirm("\(doubts) Take over all?", otherwise: "nothing was merged")
        return true
    }

    /// Says what a merge has left out, and where it is.
    func noteLeftOut(of summary: MergeSummary, from place: String) {
        let others = summary.leftOut.filter { !$0.isOwn }
        for (reason, changes) in others.byReason {
            messages.warning(
                """
                \(changes.count.counted("change")) in \(place.printable) \(changes.count == 1 ? "was" : "were") left out: \
                \(reason.explanation)
                """
            )
        }
        if !others.isEmpty { hintAtLeftOut(place) }
        guard let path = summary.keptPath else { return }
        for (reason, changes) in summary.leftOut.filter(\.isOwn).byReason {
            messages.warning(
                """
                \(changes.count.counted("change")) \(changes.count == 1 ? "was" : "were") left out, because \
                \(reason.causeThere); the former file is \(path.printable)
                """
            )
        }
        hintAtLeftOut(path)
    }

    private func hintAtLeftOut(_ path: String) {
        guard !path.hasPrefix(RemoteAddress.prefix) else {
            return messages.hint("it stays there, and `coffer` says on that machine how to take it over")
        }
        messages.hint(
            "to list them, and to take them over if you made them: coffer sync --take --include-left-out \(path.shellPath)"
        )
    }
}

extension [LeftOutChange] {
    /// The changes for each reason.
    fileprivate var byReason: [(reason: LeftOutChange.Reason, changes: [LeftOutChange])] {
        [.revocation, .age].map { reason in (reason, filter { $0.reason == reason }) }.filter { !$0.1.isEmpty }
    }
}

extension LeftOutChange.Reason {
    private static func forgotten(by copy: String) -> String {
        "\(copy) cannot tell whether something so old was deleted since"
    }

    fileprivate var cause: String {
        self == .age ? Self.forgotten(by: "the vault") : "access was revoked since"
    }

    fileprivate var causeThere: String {
        self == .age ? Self.forgotten(by: "the other copy") : "access was revoked in the other copy"
    }

    fileprivate var doubt: String {
        self == .age ? "They may have been deleted since." : "Somebody without access could have made these changes."
    }

    fileprivate var explanation: String {
        self == .age
            ? Self.forgotten(by: "the vault")
            : "access was revoked since that copy was made, so somebody without access could have made them"
    }
}

extension LeftOutChange {
    /// The change in a line.
    var line: String {
        let name = [service, account].compactMap { $0?.printable }.joined(separator: " ")
        let verb = kind == .past ? "history of" : kind.rawValue
        return "\(verb) \(name.isEmpty ? "an item" : name) in \(group.printable)"
    }

    /// The change as JSON: `Spec/command.md`, section 5.
    var json: JSON {
        [
            "reason": .string(reason.rawValue), "change": .string(kind.rawValue), "group": .string(group),
            "service": service.map { .string($0) } ?? .null,
            "account": account.map { .string($0) } ?? .null, "own": .bool(isOwn),
        ]
    }
}
