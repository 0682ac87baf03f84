internal import Coffer
internal import CofferBasics
internal import VaultFiles
internal import VaultSync

extension CommandRun {
    /// Takes over what another copy has, or each copy that other programs have left beside the vault.
    func takeOver() throws {
        let isSearching = arguments.has(.found)
        guard !isSearching || arguments.operand(0) == nil else { throw CommandError.usage("--found takes no COPY") }
        guard isSearching || arguments.operand(0) != nil else {
            throw CommandError.usage("COPY is missing: the path of another copy, or --found")
        }
        let vault = try isSearching ? vaults.vault(for: .changing) : vault(toSyncWith: arguments.operand(0) ?? "")
        if !vault.isUnlocked { try vaults.unlock(vault) }
        guard isSearching else {
            let merged = try vaults.asOwner(of: vault) { try merge(arguments.operand(0) ?? "", into: vault) }
            return try report([merged], of: vault)
        }
        try mergeFound(into: vault)
    }
}

/// A copy that was merged, and what that changed.
struct MergedCopy {
    let path: String
    let summary: MergeSummary
}

extension CommandRun {
    fileprivate func merge(_ path: String, into vault: Vault) throws -> MergedCopy {
        guard !path.isEmpty else { throw CommandError.usage("the path of the other copy is empty") }
        // What another machine has sent is removed once it was merged.
        let served = try served(at: vault.path)
        let (directory, name) = try vault.options.machine().files.locate(path)
        let waiting = try served.waiting().first { $0.path == "\(directory.path)/\(name)" }
        let merged = try take(try copy(at: path, of: vault, place: path), into: vault, from: path)
        if let waiting, !arguments.has(.dryRun), merged.summary.isComplete { try served.remove(waiting) }
        return merged
    }

    /// Merges the copies that other programs have left beside the vault; one that cannot be merged is reported and stays.
    fileprivate func mergeFound(into vault: Vault) throws {
        var merged: [MergedCopy] = []
        var failures: [CommandError] = []
        let copies = try FoundCopies(beside: vault.path, options: vault.options)
        let paths = try copies.paths
        for path in paths {
            mergeUnlessReported(
                try content(ofCopyAt: path, vault),
                of: vault,
                at: path,
                triesAgain: triesReportedCopies
            ) { error in
                failures.append(error)
                messages.warning("\(path.printable) was not merged: \(error.message)")
            } merge: {
                let copy = try merge(path, into: vault)
                merged.append(copy)
                return copy.summary
            }
        }
        if paths.isEmpty { messages.note("no copies were found beside \(vault.path.printable)") }
        try report(merged, of: vault)
        if arguments.has(.removesFound), !arguments.has(.dryRun) {
            // A copy with groups that were not merged is the only place where their changes are.
            for copy in merged where copy.summary.isComplete { try copies.remove(copy.path) }
        } else if !merged.isEmpty {
            messages.note("the copies are still there; --remove removes those that were merged")
        }
        if let failure = failures.first { throw failure }
    }

    fileprivate func report(_ merged: [MergedCopy], of vault: Vault) throws {
        if isJSON {
            let isDryRun = arguments.has(.dryRun)
            return try output.write(json: .array(merged.map { $0.json(of: vault, isDryRun: isDryRun) }))
        }
        for copy in merged {
            try output.write(line: "\(copy.path.printable): \(copy.summary.text(isDryRun: arguments.has(.dryRun)))")
            noteConsequences(of: copy)
            if let change = copy.summary.change, !copy.summary.hasOtherKeys, !arguments.has(.dryRun) {
                noteUndo(of: change)
            }
        }
    }

    /// Says what the user may have to do after a merge.
    func noteConsequences(of merged: MergedCopy, saysLeftOut: Bool = true) {
        let summary = merged.summary
        if saysLeftOut { noteLeftOut(of: summary, from: merged.path) }
        if summary.conflictCount > 0 {
            let items = summary.conflictCount.counted("item was", "items were")
            messages.note("\(items) changed or added in both copies; `coffer conflicts` shows the versions that lost")
        }
        if summary.lockedGroupCount > 0 {
            let groups = summary.lockedGroupCount.counted("group was", "groups were")
            messages.warning("\(groups) not merged, because keys for that are not available here")
        }
        if summary.hasOtherKeys {
            messages.warning(
                """
                the other copy has newer keys: its passphrase opens the vault now; a passphrase that was changed only \
                here, or a machine that was removed only here, must be changed or removed again
                """
            )
        }
    }
}

extension MergeSummary {
    /// What changed, or would change, in words.
    func text(isDryRun: Bool = false) -> String {
        let would = isDryRun ? "would be " : ""
        var parts: [String] = []
        if addedItemCount > 0 { parts.append("\(addedItemCount.counted("item")) \(would)added") }
        if changedItemCount > 0 { parts.append("\(changedItemCount.counted("item")) \(would)changed") }
        if deletedItemCount > 0 { parts.append("\(deletedItemCount.counted("item")) \(would)deleted") }
        if openingCount > 0 {
            parts.append("\(openingCount.counted("machine or key", "machines or keys")) \(would)added")
        }
        if hasOtherKeys { parts.append("keys \(would)replaced by newer ones") }
        if parts.isEmpty { parts.append(hasChanged ? "no item changed" : "nothing to merge") }
        return parts.joined(separator: ", ")
    }
}

extension MergedCopy {
    /// The merge as JSON: `Spec/command.md`, section 5.
    func json(of vault: Vault, isDryRun: Bool) -> JSON {
        [
            "vault": .string(vault.path), "copy": .string(path), "dryRun": .bool(isDryRun),
            "change": summary.change.map { JSON(Int(clamping: $0)) } ?? .null,
            "addedItems": JSON(summary.addedItemCount),
            "changedItems": JSON(summary.changedItemCount), "deletedItems": JSON(summary.deletedItemCount),
            "conflicts": JSON(summary.conflictCount), "pastRevisions": JSON(summary.pastRevisionCount),
            "openings": JSON(summary.openingCount), "lockedGroups": JSON(summary.lockedGroupCount),
            "otherKeys": .bool(summary.hasOtherKeys), "leftOut": .array(summary.leftOut.map(\.json)),
            "keptFile": summary.keptPath.map { .string($0) } ?? .null,
        ]
    }
}
