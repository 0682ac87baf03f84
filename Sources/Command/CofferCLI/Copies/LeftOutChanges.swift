internal import Coffer
internal import CofferBasics

// What a merge leaves out, because the copy that has it does not know of a revocation.

extension Option {
    static let includeLeftOut = Option(
        "--include-left-out",
        summary: "also take over what is left out because of a revocation, after listing it",
        needs: "--take"
    )
}

extension CommandRun {
    /// Lists what a merge would leave out, and returns true if the user wants to take it over all the same.
    func confirmsLeftOut(of preview: MergeSummary, _ place: String) throws -> Bool {
        guard !preview.leftOut.isEmpty else { return false }
        let changes = preview.leftOut.count.counted("change")
        messages.note("\(changes) in \(place.printable) would be left out, because access was revoked since:")
        for change in preview.leftOut { messages.note("  \(change.line)") }
        guard !arguments.has(.dryRun) else { return true }
        try confirm(
            "Somebody without access could have made these changes. Take over all?",
            otherwise: "nothing was merged"
        )
        return true
    }

    /// Says what a merge has left out, and where it is.
    func noteLeftOut(of summary: MergeSummary, from place: String) {
        let ownCount = summary.leftOut.count(where: \.isOwn)
        let otherCount = summary.leftOut.count - ownCount
        if otherCount > 0 {
            messages.warning(
                """
                \(otherCount.counted("change")) in \(place.printable) \(otherCount == 1 ? "was" : "were") left out: access \
                was revoked since that copy was made, so somebody without access could have made them
                """
            )
            hintAtLeftOut(place)
        }
        if let path = summary.keptPath {
            messages.warning(
                """
                \(ownCount.counted("change")) \(ownCount == 1 ? "was" : "were") left out, because access was revoked in the \
                other copy; the former file is \(path.printable)
                """
            )
            hintAtLeftOut(path)
        }
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
            "change": .string(kind.rawValue), "group": .string(group), "service": service.map { .string($0) } ?? .null,
            "account": account.map { .string($0) } ?? .null, "own": .bool(isOwn),
        ]
    }
}
