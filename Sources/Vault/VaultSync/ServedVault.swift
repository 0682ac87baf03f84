internal import CofferBasics
internal import VaultCrypto
package import VaultFiles
internal import VaultFormat

/// A vault that is served to another machine: its file, and what was received and waits beside it.
///
/// No key is needed.
package final class ServedVault {
    private static let lockTimeout = Duration.seconds(5)
    /// What may wait beside a vault: this much, and as many times the size of the vault.
    private static let waitingLimit = (byteCount: 64 << 20, factor: 4)

    private let directory: any OpenDirectory
    private let name: String
    private let time: any TimeSource
    /// Whether what is sent may become the vault if there is none.
    private let mayCreate: Bool
    /// Merges what waits into the vault, and removes it, if this process has the keys.
    private let merge: () -> Void

    package init(
        at place: (directory: any OpenDirectory, name: String),
        time: any TimeSource,
        mayCreate: Bool = true,
        merge: @escaping () -> Void = {}
    ) {
        (directory, name) = place
        self.time = time
        self.mayCreate = mayCreate
        self.merge = merge
    }

    private func name(of file: SyncedFile) -> String {
        switch file {
        case .vault: name
        case .waiting(1): "\(name).received"
        case .waiting(let number): "\(name).\(number).received"
        }
    }

    /// Opens one of the files; nil if it does not exist.
    private func open(_ file: SyncedFile, for access: FileAccess = .reading) throws -> (any OpenFile)? {
        try ifPresent { try directory.open(name(of: file), for: access) }
    }

    /// One of the files that exist.
    typealias Content = (file: SyncedFile, content: FileContent, vault: VaultID)

    /// The contents of the files that exist.
    ///
    /// - Throws: `refused` if one of them is not a vault: nothing else is ever sent. Also if there is none, and none may
    ///   be created.
    func contents() throws -> [Content] {
        var contents: [Content] = []
        for file in [.vault] + SyncedFile.allWaiting {
            guard let open = try open(file) else { continue }
            let vault = try Self.vault(in: open)
            contents.append((file, try FileContent(open), vault))
        }
        guard mayCreate || !contents.isEmpty else { throw noVault }
        return contents
    }

    private var noVault: SyncFailure {
        .refused(
            .other,
            "there is no vault at \(directory.path)/\(name); copy it there, since a sync creates only the default vault"
        )
    }

    /// The id of the vault in a file, as far as its header says.
    private static func vault(in file: any OpenFile) throws -> VaultID {
        let status = try file.status()
        guard status.isRegular,
            let header = try? Header(parsing: file.bytes(in: 0..<Header.byteCount), fileByteCount: status.byteCount)
        else { throw SyncFailure.refused(.notAVault, "\(file.path) is not a vault") }
        return header.vault
    }

    /// What changes whenever the files do.
    func marks() throws -> [SyncedFile: FileMark] {
        var marks: [SyncedFile: FileMark] = [:]
        for (file, content, _) in try contents() {
            marks[file] = try FileMark(content.file)
        }
        return marks
    }

    // MARK: - What waits

    /// A copy that was received, and waits.
    package struct Waiting {
        package let path: String
        fileprivate let file: SyncedFile
        package let content: KnownContent
    }

    /// The paths of the copies that wait, which are not read.
    package var waitingPaths: [String] {
        SyncedFile.allWaiting.filter { (try? open($0)) ?? nil != nil }.map { "\(directory.path)/\(name(of: $0))" }
    }

    /// The copies that wait.
    package func waiting() throws -> [Waiting] {
        var waiting: [Waiting] = []
        for file in SyncedFile.allWaiting {
            guard let content = try content(of: file) else { continue }
            waiting.append(Waiting(path: "\(directory.path)/\(name(of: file))", file: file, content: content))
        }
        return waiting
    }

    private func content(of file: SyncedFile) throws -> KnownContent? {
        guard let open = try open(file) else { return nil }
        return try FileContent(open).known()
    }

    /// Removes a copy, after it was merged, unless another one waits in its place.
    package func remove(_ waiting: Waiting) throws {
        // Whoever receives holds this lock.
        let locked = try lockedFile()
        defer { try? locked.unlock() }
        guard try content(of: waiting.file) == waiting.content else { return }
        try directory.remove(name(of: waiting.file))
    }

    // MARK: - Receiving

    /// Where a file is put together before it counts.
    var placeOfPart: (directory: any OpenDirectory, name: String) { (directory, FileAssembly.partName(of: name)) }

    /// The most bytes that may be received if the files are these.
    func byteCountLimit(beside contents: [Content]) -> Int {
        guard let vault = contents.first, vault.file == .vault else { return Limits.fileByteCount }
        return min(
            Limits.fileByteCount,
            Self.waitingLimit.byteCount + Self.waitingLimit.factor * vault.content.byteCount
        )
    }

    /// Takes into use what was received, unless the files have changed since the other side has seen them.
    ///
    /// - Parameters:
    ///   - received: What was received.
    ///   - seen: The files that the other side has seen.
    /// - Returns: What became of it.
    /// - Throws: `refused` if the files have changed, or what was received is not a vault.
    func take(_ received: ReceivedContent, seen: [SyncedContent]) throws -> SyncOutcome {
        switch received {
        case .same: throw SyncFailure.invalid("a content without a change")
        case .extended(let base, let tail, let fileByteCount):
            let newName = FileAssembly.newName(of: name)
            let new = try FileAssembly.made(newName, in: directory, from: base, tail, fileByteCount: fileByteCount)
            return try take(new, in: newName, seen: seen)
        case .file(let content): return try take(content, in: placeOfPart.name, seen: seen)
        }
    }

    /// Takes a complete file into use, or removes it.
    private func take(
        _ content: FileContent,
        in temporaryName: String,
        seen: [SyncedContent]
    ) throws -> SyncOutcome {
        do {
            guard content.isWholeVault else {
                throw SyncFailure.refused(.notAVault, "what was sent is not a whole vault")
            }
            return try put(content, from: temporaryName, seen: seen)
        } catch {
            // After a change the other side sends most of it again.
            if error as? SyncFailure != Self.changed || temporaryName != placeOfPart.name {
                try? directory.remove(temporaryName)
            }
            throw error
        }
    }

    private static let changed = SyncFailure.refused(.changed, "the vault has changed meanwhile")

    /// Throws unless the files are those that the other side has seen.
    private func check(_ seen: [SyncedContent]) throws {
        var current: [SyncedContent] = []
        for (file, content, _) in try contents() { current.append(SyncedContent(file, try content.known())) }
        guard current == seen else { throw Self.changed }
    }

    /// The vault, locked as by its writers, while it still has its name.
    private func lockedFile() throws -> any OpenFile {
        var pauses = RetryPauses(time, nanoseconds: UInt64(Self.lockTimeout.components.seconds) * 1_000_000_000)
        while true {
            if let file = try open(.vault, for: .writing), try file.tryLock(),
                try file.status().identity == directory.status(of: name).identity
            {
                return file
            }
            guard pauses.pause() else { throw SyncFailure.refused(.busy, "another process is writing the vault") }
        }
    }

    /// Renames a complete file: to the vault if there is none, else to a copy that waits beside it.
    ///
    /// Nothing is ever written to the vault: without its keys nobody can tell whether what was sent belongs there.
    private func put(
        _ content: FileContent,
        from temporaryName: String,
        seen: [SyncedContent]
    ) throws -> SyncOutcome {
        guard let vault = try open(.vault) else {
            guard seen.isEmpty else { throw Self.changed }
            guard mayCreate else { throw noVault }
            try content.rename(temporaryName, to: name, in: directory, replacing: false)
            return .created
        }
        // Whoever replaces the vault, or takes what waits, holds this lock.
        let locked = try lockedFile()
        defer { try? locked.unlock() }
        try check(seen)
        guard try Self.vault(in: vault) == Self.vault(in: content.file) else {
            throw SyncFailure.refused(.notAVault, "that is another vault")
        }
        let places = try places(for: content)
        try content.file.copyAccess(of: vault.status())
        try content.rename(temporaryName, to: name(of: places[0]), in: directory)
        for place in places.dropFirst() { try? directory.remove(name(of: place)) }
        try? locked.unlock()
        merge()
        return try open(places[0]) == nil ? .merged : .waiting
    }

    /// The places of the copies that a content makes superfluous, since it begins with them, or else a place of its own.
    private func places(for content: FileContent) throws -> [SyncedFile] {
        let contents = try contents()
        var extended: [SyncedFile] = []
        var free = SyncedFile.allWaiting
        var byteCount = content.byteCount
        for other in contents where other.file != .vault {
            free.removeAll { $0 == other.file }
            if try content.extends(other.content) {
                extended.append(other.file)
            } else {
                byteCount += other.content.byteCount
            }
        }
        let places = extended.isEmpty ? Array(free.prefix(1)) : extended
        guard !places.isEmpty, byteCount <= byteCountLimit(beside: contents) else {
            throw SyncFailure.refused(
                .busy,
                "too much waits beside the vault already; open it there with its passphrase, such as with `coffer list`"
            )
        }
        return places
    }
}
