internal import Coffer
internal import CofferBasics
internal import VaultFiles
internal import VaultSync

// Copies that nobody names, such as those that wait beside a vault or lie in a folder. Anyone may have put them there, so
// one that cannot be merged costs something once, and is then left alone.
extension CommandRun {
    /// Merges a copy, unless it was reported before that it cannot be merged, or not completely, and neither the copy nor
    /// the keys of the vault have changed since.
    ///
    /// - Parameters:
    ///   - content: The content of the copy.
    ///   - vault: The vault.
    ///   - path: The path of the copy; nil if it is on another machine.
    ///   - triesAgain: Whether a copy that was reported is tried again.
    ///   - isHeard: Whether the owner of the vault sees what is reported.
    ///   - report: Reports why it was not merged.
    ///   - merge: Opens and merges the copy, and returns what that changed.
    func mergeUnlessReported(
        _ content: @autoclosure () throws -> KnownContent,
        of vault: Vault,
        at path: String?,
        triesAgain: Bool,
        isHeard: Bool = true,
        report: (CommandError) -> Void,
        merge: () throws -> MergeSummary
    ) {
        do {
            // Before merging, so that what comes in its place is not taken for it.
            let digest = try content().digest
            var reported = try vault.reportedCopies()
            guard triesAgain || !reported.contains(digest) else { return }
            do {
                guard try !merge().isComplete else { return }
            } catch {
                let error = CommandError(error)
                guard error.isAboutCopy else { throw error }
                report(error)
            }
            guard isHeard, !arguments.has(.dryRun) else { return }
            reported.insert(digest)
            let until = "and tried again when it or the keys of the vault change"
            messages.note(path.map { "\($0.printable) is kept, \(until)" } ?? "it is kept there, \(until)")
        } catch {
            report(CommandError(error))
        }
    }
}

extension CommandRun {
    /// Whether the user gives a passphrase for copies, so that one that did not open may open now, or wants what is left
    /// out.
    var triesReportedCopies: Bool { arguments.has(.copyPassphraseFile) || arguments.has(.includeLeftOut) }

    /// What a file of this machine contains, by which a copy is known again.
    func content(ofCopyAt path: String, _ vault: Vault) throws -> KnownContent {
        let (directory, name) = try vault.options.machine().files.locate(path)
        return try FileContent(directory.open(name, for: .reading)).known()
    }
}

extension CommandError {
    /// Whether another try with the same copy and the same keys fails, too.
    fileprivate var isAboutCopy: Bool {
        [.locked, .wrongSecret, .deviceKeyNeeded, .damaged, .inconsistent, .notAVault, .tooLarge].contains(code)
    }
}
