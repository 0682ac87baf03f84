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
    private static let copyName = "copy.coffer"
    private static let workName = "work.coffer"

    private let run: Run
    private let vault: Vault
    private let address: RemoteAddress
    private let memory: String
    private let files: any FileSystem
    private let connection: RemoteConnection
    private var client: SyncClient { connection.client }
    private var isWaiting = false
    /// The bytes that were counted in earlier reports.
    private var reported: (sent: Int, received: Int) = (0, 0)

    init(_ run: Run, _ vault: Vault, at address: RemoteAddress) throws {
        guard let memory = try vault.memory(ofCopyAt: address.text) else {
            throw CommandError(
                .unavailable,
                "no place to remember what \(address.text) had",
                hints: ["set HOME or XDG_STATE_HOME"]
            )
        }
        (self.run, self.vault, self.address, self.memory) = (run, vault, address, memory)
        files = try vault.options.machine().files
        connection = try RemoteConnection(run, to: address)
    }

    func synchronize() throws -> SyncReport {
        if isWaiting { try connection.talk { client throws(SyncFailure) in try client.endWaiting() } }
        isWaiting = false
        for attempt in 0..<Self.attemptCount {
            if attempt > 0 || reported.sent > 0 {
                try connection.talk { client throws(SyncFailure) in try client.look() }
            }
            guard var report = try exchange() else { continue }
            let counted = (client.connection.sentByteCount, client.connection.receivedByteCount)
            report.transfer = (counted.0 - reported.sent, counted.1 - reported.received)
            reported = counted
            return report
        }
        throw CommandError(.busy, "\(address.text) was changed by others each time; try again later")
    }

    func hasChanged(timeout: Duration) throws -> Bool {
        if !isWaiting { try connection.talk { client throws(SyncFailure) in try client.beginWaiting() } }
        isWaiting = true
        let hasChanged = try connection.talk { client throws(SyncFailure) in
            try client.hasChanged(timeout: timeout)
        }
        if hasChanged { isWaiting = false }
        return hasChanged
    }

    /// Fetches, merges and sends once; nil if others have changed the vault there in the meantime.
    private func exchange() throws -> SyncReport? {
        var report = SyncReport()
        guard let id = client.vault else { return try create(&report) }
        guard try id == vault.id() else {
            throw CommandError(.failure, "\(address.text) has another vault, not a copy of \(vault.path.printable)")
        }
        let seen = try client.files.map { SyncedContent($0, try fetch($0)) }
        if !client.files.contains(.received) { try forget(.received) }
        let copies = try client.files.map { file in
            try run.copy(at: path(of: file), of: vault, place: address.text, memory: memory(of: file))
        }
        for copy in copies { report.taken.append(try run.take(copy, into: vault, from: address.text)) }
        guard let copy = copies.last else { return report }
        let preview = try copy.mergePreview(with: vault)
        guard preview.hasChanged, !run.arguments.has(.dryRun) else {
            report.given = [MergedCopy(path: address.text, summary: preview)]
            if !run.arguments.has(.dryRun) { try remember(copies) }
            return report
        }
        let work = try workingCopy(of: copy)
        report.given = [try run.take(vault, into: work, from: address.text)]
        guard let outcome = try push(work, seen: seen) else { return nil }
        try remember(copies)
        switch outcome {
        case .appended: try keep(work, as: .vault)
        case .waiting:
            try keep(work, as: .received)
            report.isWaiting = true
        case .merged, .created: try forget(.received)
        }
        return report
    }

    /// Sends the vault to a machine that has none.
    private func create(_ report: inout SyncReport) throws -> SyncReport? {
        report.created = [address.text]
        guard !run.arguments.has(.dryRun) else { return report }
        _ = try directory(memory)
        try remove(Self.workName, in: memory)
        try vault.copy(to: "\(memory)/\(Self.workName)")
        let work = try run.copy(at: "\(memory)/\(Self.workName)", of: vault, place: address.text)
        guard try push(work, seen: []) != nil else { return nil }
        try keep(work, as: .vault)
        return report
    }

    // MARK: - Transfer

    private func fetch(_ file: SyncedFile) throws -> KnownContent {
        let directory = try directory(memory(of: file))
        var sources: [any OpenFile] = []
        for other in client.files where other != file {
            if let source = try? files.locate(path(of: other)).directory.open(Self.copyName, for: .reading) {
                sources.append(source)
            }
        }
        let (own, name) = try files.locate(vault.path)
        sources.append(try own.open(name, for: .reading))
        return try connection.transfer("receiving") { client, progress throws(SyncFailure) in
            try client.fetch(file, as: Self.copyName, in: directory, from: sources, progress: progress)
        }
    }

    private func push(_ work: Vault, seen: [SyncedContent]) throws -> SyncOutcome? {
        let file = try directory(memory).open(Self.workName, for: .reading)
        return try connection.transfer("sending") { client, progress throws(SyncFailure) in
            try client.push(file, seen: seen, progress: progress)
        }
    }

    // MARK: - Files of this machine

    /// The directory for a file of the other side, and for what is remembered of it.
    private func memory(of file: SyncedFile) -> String {
        switch file {
        case .vault: "\(memory)/vault"
        case .received: "\(memory)/received"
        }
    }

    /// Remembers how far the files of the other side have come.
    private func remember(_ copies: [Vault]) throws {
        for (file, copy) in zip(client.files, copies) { try copy.remember(in: memory(of: file)) }
    }

    private func path(of file: SyncedFile) -> String { "\(memory(of: file))/\(Self.copyName)" }

    private func directory(_ path: String) throws -> any OpenDirectory { try files.makeDirectory(path) }

    /// Another copy of a copy, in which this side merges for the other one.
    private func workingCopy(of copy: Vault) throws -> Vault {
        try remove(Self.workName, in: memory)
        let path = "\(memory)/\(Self.workName)"
        try copy.copy(to: path)
        return try run.copy(at: path, of: vault, place: address.text, mayWrite: true)
    }

    /// Keeps what was sent as what the other side has now.
    private func keep(_ work: Vault, as file: SyncedFile) throws {
        try remove(Self.copyName, in: memory(of: file))
        try work.remember(in: memory(of: file))
        try work.copy(to: path(of: file))
        try remove(Self.workName, in: memory)
    }

    private func forget(_ file: SyncedFile) throws {
        guard let directory = try? files.trustedDirectory(memory(of: file)) else { return }
        for name in try directory.names() { try directory.remove(name) }
    }

    private func remove(_ name: String, in path: String) throws {
        guard let directory = try? files.trustedDirectory(path) else { return }
        do throws(FileError) {
            try directory.remove(name)
        } catch {
            guard error.reason == .notFound else { throw error }
        }
    }
}
