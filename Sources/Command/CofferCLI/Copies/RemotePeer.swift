internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles
internal import VaultSync

/// A vault on another machine, over ssh.
///
/// The file there is fetched into a directory of this machine, merged here, and what it lacks is sent back. So the other
/// side needs no key, and only what is new travels.
final class RemotePeer: SyncPeer {
    private static let attemptCount = 5

    private let run: CommandRun
    private let vault: Vault
    private let copies: RemoteCopies
    private var isWaiting = false
    /// The bytes that were counted in earlier reports.
    private var reported: (sent: Int, received: Int) = (0, 0)

    private var client: SyncClient { copies.client }
    private var place: String { copies.address.text }

    convenience init(_ run: CommandRun, _ vault: Vault, at address: RemoteAddress) throws {
        self.init(run, vault, try RemoteCopies(run, at: address, vault.options, of: vault))
    }

    init(_ run: CommandRun, _ vault: Vault, _ copies: RemoteCopies) {
        (self.run, self.vault, self.copies) = (run, vault, copies)
    }

    func synchronize() throws -> SyncReport {
        if isWaiting { try copies.connection.talk { client in try client.endWaiting() } }
        isWaiting = false
        var report = SyncReport()
        for attempt in 0..<Self.attemptCount {
            if attempt > 0 || reported.sent > 0 {
                try copies.connection.talk { client in try client.look() }
            }
            do {
                guard try exchange(&report) else { continue }
            } catch  where (error as? VaultError)?.kind != .secretNeeded {
                // Where the copies lie that this machine keeps means nothing to users.
                let places = client.files.map { copies.path(of: $0) } + [copies.workPath]
                throw places.reduce(CommandError(error)) { $0.naming(place, insteadOf: $1) }
            }
            let counted = (client.connection.sentByteCount, client.connection.receivedByteCount)
            report.transfer = (counted.0 - reported.sent, counted.1 - reported.received)
            reported = counted
            return report
        }
        throw CommandError(.busy, "\(place) was changed by others each time; try again later")
    }

    func hasChanged(timeout: Duration) throws -> Bool {
        if !isWaiting { try copies.connection.talk { client in try client.beginWaiting() } }
        isWaiting = true
        let hasChanged = try copies.connection.talk { client in
            try client.hasChanged(timeout: timeout)
        }
        if hasChanged { isWaiting = false }
        return hasChanged
    }

    /// Fetches, merges and sends once; false if others have changed the vault there in the meantime.
    private func exchange(_ report: inout SyncReport) throws -> Bool {
        // What an earlier try has taken counts too.
        report.taken.removeAll { !$0.summary.hasChanged }
        guard let id = client.vault else { return try create(&report) }
        guard try id == vault.id() else {
            throw CommandError(
                .failure,
                "\(place) has another vault, not a copy of \(vault.path.printable)",
                hints: ["what `coffer export --for coffer` writes on one machine, `coffer import` adds on the other"]
            )
        }
        guard client.files.contains(.vault) else {
            throw CommandError(
                .noVault,
                "\(place) has lost its vault; only what other machines have sent is left there",
                hints: ["put the vault back there, or rename the file that ends in .received"]
            )
        }
        var seen: [SyncedContent] = []
        for file in client.files {
            guard let known = try copies.fetch(file, having: vault.path) else { return false }
            seen.append(SyncedContent(file, known))
        }
        let other = try run.copy(
            at: copies.path(of: .vault),
            of: vault,
            place: place,
            memory: copies.memory(of: .vault)
        )
        report.taken.append(try run.take(other, into: vault, from: place))
        let waiting = try takeWaiting(seen, &report)
        try noteLoss(in: waiting + [other])
        // What begins with something that waits takes its place there; behind a damaged end nothing can.
        let copy = waiting.last { $0.endFinding == nil } ?? other
        let previews = try (waiting + [other]).map { copy throws in try copy.mergePreview(with: vault) }
        let preview = try previews.first { !$0.hasChanged } ?? copy.mergePreview(with: vault)
        guard preview.hasChanged, !run.arguments.has(.dryRun) else {
            report.given = [MergedCopy(path: place, summary: preview)]
            if !run.arguments.has(.dryRun) { try remember(other) }
            return true
        }
        try copies.prepareWork()
        try copy.copy(to: copies.workPath)
        let work = try run.copy(at: copies.workPath, of: vault, place: place, mayWrite: true)
        let given = try run.take(vault, into: work, from: place)
        // What was left out of the working copy is still in the vault there.
        if let kept = given.summary.keptPath { try copies.removeWork(kept) }
        report.given = [MergedCopy(path: place, summary: preview)]
        guard let outcome = try copies.push(seen: seen) else { return false }
        try remember(other)
        if outcome == .waiting { try copies.keepAsSent() } else { try copies.forgetSent() }
        report.isWaiting = outcome == .waiting
        if report.isWaiting, preview.hasOtherKeys {
            report.needsPassphrase = try copy.openedCopy(at: copies.sentPath) == nil
        }
        return true
    }

    /// Takes over what waits on the other side, and returns what could be opened of it.
    ///
    /// Anyone may have put it there who may send to the other side, so it is opened with the keys of the vault, which
    /// costs nothing, unless the user gives a passphrase for it.
    private func takeWaiting(_ seen: [SyncedContent], _ report: inout SyncReport) throws -> [Vault] {
        try copies.forgetMerged()
        var opened: [Vault] = []
        for content in seen where content.file != .vault {
            run.mergeUnlessReported(content.known, of: vault, at: nil, triesAgain: run.triesReportedCopies) {
                error in
                run.messages.warning("what waits at \(place.printable) was not merged: \(error.message)")
            } merge: {
                let path = copies.path(of: content.file)
                let copy =
                    try run.triesReportedCopies
                    ? run.copy(at: path, of: vault, place: place) : vault.openedCopy(at: path)
                guard let copy else {
                    throw CommandError(
                        .locked,
                        "it has other keys than the vault; if its passphrase was changed, give that with --copy-passphrase-file"
                    )
                }
                let merged = try run.take(copy, into: vault, from: place)
                opened.append(copy)
                if merged.summary.hasChanged { report.taken.append(merged) }
                return merged.summary
            }
        }
        return opened
    }

    /// Warns if the other side has lost what was sent last, and forgets that once nothing waits there.
    private func noteLoss(in copies: [Vault]) throws {
        let path = self.copies.sentPath
        guard vault.isCopy(at: path), let sent = try vault.openedCopy(at: path) else { return }
        let isThere = try copies.contains { copy throws in try !copy.mergePreview(with: sent).hasChanged }
        if !isThere {
            run.messages.warning("\(place.printable) has lost changes that it had received; they are sent again")
        }
        if !isThere || copies.count == 1, !run.arguments.has(.dryRun) { try self.copies.forgetSent() }
    }

    /// Remembers how far the vault of the other side has come.
    private func remember(_ other: Vault) throws { try other.remember(in: copies.memory(of: .vault)) }

    /// Sends the vault to a machine that has none.
    private func create(_ report: inout SyncReport) throws -> Bool {
        try run.checkOpensElsewhere(vault, "nothing was copied to \(place.printable)")
        report.created = [place]
        guard !run.arguments.has(.dryRun) else { return true }
        try copies.prepareWork()
        try vault.copy(to: copies.workPath)
        let work = try run.copy(at: copies.workPath, of: vault, place: place)
        guard try copies.push(seen: []) != nil else { return false }
        try copies.keepAsVault(work)
        return true
    }
}
