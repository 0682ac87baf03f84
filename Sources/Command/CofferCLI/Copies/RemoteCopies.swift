internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles
internal import VaultSync

/// The files of a vault on another machine, and the copies of them that this machine keeps.
final class RemoteCopies {
    static let workName = "work.coffer"
    private static let copyName = "copy.coffer"
    private static let sentName = "sent.coffer"

    let address: RemoteAddress
    let connection: RemoteConnection
    /// The directory for the copies, and for what is remembered of them.
    let memory: String
    private let files: any FileSystem
    private let lock: any OpenFile

    var client: SyncClient { connection.client }

    /// Connects to a machine.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - address: The address of the vault.
    ///   - options: The options of the vault here.
    ///   - own: The vault here; nil if it is the one of the other side, which must have one.
    /// - Throws: `CommandError` if there is no connection.
    init(_ run: CommandRun, at address: RemoteAddress, _ options: VaultOptions, of own: Vault? = nil) throws {
        self.address = address
        connection = try RemoteConnection(run, to: address)
        files = try options.machine().files
        guard let id = try own?.id() ?? connection.client.vault else {
            throw CommandError(.noVault, "\(address.text) has no vault")
        }
        guard let memory = options.memory(ofCopyAt: address.text, of: id) else {
            throw CommandError(
                .unavailable,
                "there is no place to remember what \(address.text) had",
                hints: ["set HOME or XDG_STATE_HOME"]
            )
        }
        self.memory = memory
        lock = try Self.locked(files.makeDirectory(memory))
    }

    /// Excludes other syncs of this machine with the same place, which would use the same files.
    private static func locked(_ directory: any OpenDirectory) throws -> any OpenFile {
        let file = try (try? directory.create("lock")) ?? directory.open("lock", for: .writing)
        guard try file.tryLock() else {
            throw CommandError(.busy, "another sync with the same place is under way")
        }
        return file
    }

    // MARK: - Transfer

    /// Fetches a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - own: The path of the vault here, which may have parts of it.
    /// - Returns: What the file contains; nil if it is gone.
    /// - Throws: `CommandError` if it cannot be fetched.
    func fetch(_ file: SyncedFile, having own: String? = nil) throws -> KnownContent? {
        let directory = try files.makeDirectory(memory(of: file))
        let others = client.files.filter { $0 != file }.map { path(of: $0) } + [sentPath] + [own].compactMap(\.self)
        // A source that is missing only means that more is fetched.
        let sources = others.compactMap { path in
            try? files.locate(path).directory.open(path.directoryAndName.1, for: .reading)
        }
        return try connection.transfer("receiving") { client, progress in
            try client.fetch(file, as: Self.copyName, in: directory, from: sources, progress: progress)
        }
    }

    /// Sends the working copy; nil if the files of the other side are not those that were seen.
    func push(seen: [SyncedContent]) throws -> SyncOutcome? {
        let file = try files.makeDirectory(memory).open(Self.workName, for: .reading)
        return try connection.transfer("sending") { client, progress in
            try client.push(file, seen: seen, progress: progress)
        }
    }

    // MARK: - Files of this machine

    /// The directory for a file of the other side, and for what is remembered of it.
    func memory(of file: SyncedFile) -> String {
        switch file {
        case .vault: "\(memory)/vault"
        case .waiting(1): "\(memory)/received"
        case .waiting(let number): "\(memory)/received\(number)"
        }
    }

    /// The path of the copy of a file.
    func path(of file: SyncedFile) -> String { "\(memory(of: file))/\(Self.copyName)" }

    /// The path of the working copy, in which this side merges for the other one.
    var workPath: String { "\(memory)/\(Self.workName)" }

    /// Makes place for the working copy.
    func prepareWork() throws {
        _ = try files.makeDirectory(memory)
        try remove(Self.workName, in: memory)
    }

    /// Removes a file beside the working copy.
    func removeWork(_ path: String) throws { try remove(path.directoryAndName.1, in: memory) }

    /// Keeps what became the vault of the other side as what it has now.
    func keepAsVault(_ work: Vault) throws {
        _ = try files.makeDirectory(memory(of: .vault))
        try remove(Self.copyName, in: memory(of: .vault))
        try work.remember(in: memory(of: .vault))
        try work.copy(to: path(of: .vault))
        try remove(Self.workName, in: memory)
    }

    /// The path of the copy of what was sent last, if that waited then.
    var sentPath: String { "\(memory)/\(Self.sentName)" }

    /// Keeps what was sent and waits on the other side.
    func keepAsSent() throws {
        let directory = try files.makeDirectory(memory)
        try directory.rename(Self.workName, to: Self.sentName)
    }

    /// Removes the copy of what was sent last.
    func forgetSent() throws { try remove(Self.sentName, in: memory) }

    /// Removes the copies of files that wait on the other side no longer.
    func forgetMerged() throws {
        for file in SyncedFile.allWaiting where !client.files.contains(file) {
            guard let directory = try? files.trustedDirectory(memory(of: file)) else { continue }
            for name in try directory.names() { try directory.remove(name) }
        }
    }

    private func remove(_ name: String, in path: String) throws {
        try ifPresent { try files.trustedDirectory(path).remove(name) }
    }
}
