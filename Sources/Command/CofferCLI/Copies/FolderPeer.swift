internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles
internal import VaultSync

/// A folder in which each machine has a copy of its own, so that a service that synchronises it never finds two changes
/// of one file.
final class FolderPeer: SyncPeer {
    private static let lookInterval: UInt64 = 1_000_000_000

    private let run: CommandRun
    private let vault: Vault
    private let folder: String
    private let ownName: String
    private let own: FilePeer
    private var lastMarks: [String: FileMark] = [:]

    init(_ run: CommandRun, _ vault: Vault, in folder: String) {
        (self.run, self.vault) = (run, vault)
        self.folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let name = vault.path.directoryAndName.1
        let (stem, ending) = name.stemAndEnding
        ownName = "\(stem).\(run.context.machine.hostName.fileName)\(ending)"
        own = FilePeer(run, vault, at: "\(self.folder)/\(ownName)")
    }

    func synchronize() throws -> SyncReport {
        try run.checkOpensElsewhere(vault, "nothing was copied to \(folder.printable)")
        let marks = try marks()
        var taken: [MergedCopy] = []
        var failures: [CommandError] = []
        for path in try others() {
            run.mergeUnlessReported(
                try run.content(ofCopyAt: path, vault),
                of: vault,
                at: path,
                triesAgain: run.triesReportedCopies
            ) { error in
                failures.append(error)
                run.messages.warning("\(path.printable) was not merged: \(error.message)")
            } merge: {
                let memory = try vault.memory(ofCopyIn: path)
                let copy = try run.copy(at: path, of: vault, place: path, memory: memory)
                let merged = try run.take(copy, into: vault, from: path)
                taken.append(merged)
                if !run.arguments.has(.dryRun), let memory { try copy.remember(in: memory) }
                return merged.summary
            }
        }
        var report = try own.synchronize()
        // Only this machine writes its own copy, so it seldom has anything new.
        report.taken = taken + report.taken.filter(\.summary.hasChanged)
        report.failures = failures
        lastMarks = marks
        return report
    }

    /// The paths of the copies that other machines have put into the folder.
    private func others() throws -> [String] {
        let directory = try vault.options.machine().files.locate(folder + "/" + ownName).directory
        let names = try directory.names().filter { $0 != ownName && !$0.hasPrefix(".") }.sorted()
        return names.map { "\(folder)/\($0)" }.filter { vault.isCopy(at: $0) }
    }

    func hasChanged(timeout: Duration) throws -> Bool {
        let marks = try marks()
        defer { lastMarks = marks }
        guard marks == lastMarks else { return true }
        run.context.time.sleep(nanoseconds: Self.lookInterval)
        return false
    }

    /// What changes whenever the copies of others do.
    private func marks() throws -> [String: FileMark] {
        var marks: [String: FileMark] = [:]
        for path in try others() {
            let (directory, name) = try vault.options.machine().files.locate(path)
            // The service replaces files at any time, such as between two of these lines.
            marks[path] = try? FileMark(directory.open(name, for: .reading))
        }
        return marks
    }
}

extension String {
    /// The text without what the name of a file cannot have.
    var fileName: String { String(filter { $0 != "/" && $0 != "\0" }) }

    /// The name of a file, split before its last dot.
    var stemAndEnding: (stem: Substring, ending: Substring) {
        let dot = lastIndex(of: ".") ?? endIndex
        return (self[..<dot], self[dot...])
    }
}
