internal import CofferBasics
internal import VaultCrypto
package import VaultFiles
internal import VaultFormat

/// A vault that is served to another machine: its file, and what was received beside it.
///
/// No key is needed.
package final class ServedVault {
    /// The name of the file beside a vault in which a received copy waits until a process with the keys merges it.
    package static func receivedName(of name: String) -> String { "\(name).received" }

    private static let lockTimeout = Duration.seconds(5)
    /// The most bytes that are appended at once: a frame of the greatest size, and some.
    private static let tailByteCountLimit = 32 << 20

    private let directory: any OpenDirectory
    private let name: String
    private let time: any TimeSource
    /// Merges what was received into the vault, if this process has the keys, and says whether it did.
    private let merge: () -> Bool

    package init(
        at place: (directory: any OpenDirectory, name: String),
        time: any TimeSource,
        merge: @escaping () -> Bool = { false }
    ) {
        (directory, name) = place
        self.time = time
        self.merge = merge
    }

    private func name(of file: SyncedFile) -> String {
        switch file {
        case .vault: name
        case .received: Self.receivedName(of: name)
        }
    }

    /// Opens one of the files; nil if it does not exist.
    private func open(_ file: SyncedFile, for access: FileAccess = .reading) throws(FileError) -> (any OpenFile)? {
        do throws(FileError) {
            return try directory.open(name(of: file), for: access)
        } catch {
            guard error.reason == .notFound else { throw error }
            return nil
        }
    }

    /// One of the files that exist.
    typealias Content = (file: SyncedFile, content: FileContent, vault: VaultID)

    /// The contents of the files that exist.
    ///
    /// - Throws: `refused` if one of them is not a vault: nothing else is ever sent.
    func contents() throws(SyncFailure) -> [Content] {
        var contents: [Content] = []
        for file in SyncedFile.allCases {
            guard let open = try translating(SyncFailure.file, open(file)) else { continue }
            let vault = try Self.vault(in: open)
            contents.append((file, try translating(SyncFailure.file, FileContent(open)), vault))
        }
        return contents
    }

    /// The id of the vault in a file, as far as its header says.
    private static func vault(in file: any OpenFile) throws(SyncFailure) -> VaultID {
        let header = try translating(SyncFailure.file) { () throws(FileError) -> Header? in
            guard try file.status().isRegular else { return nil }
            let bytes = try file.bytes(in: 0..<Header.byteCount)
            return try? Header(parsing: bytes, fileByteCount: file.status().byteCount)
        }
        guard let header else { throw .refused(.notAVault, "\(file.path) is not a vault") }
        return header.vault
    }

    /// What changes whenever the files do.
    func marks() throws(SyncFailure) -> [SyncedFile: FileMark] {
        var marks: [SyncedFile: FileMark] = [:]
        for (file, content, _) in try contents() {
            marks[file] = try translating(SyncFailure.file, FileMark(content.file))
        }
        return marks
    }

    // MARK: - What was received

    /// The path of what was received and waits.
    package var receivedPath: String { "\(directory.path)/\(name(of: .received))" }

    /// The mark of what was received and waits; nil if nothing does.
    package func receivedMark() throws(SyncFailure) -> FileMark? {
        try translating(SyncFailure.file) { () throws(FileError) in
            guard let file = try open(.received) else { return nil }
            return try FileMark(file)
        }
    }

    /// Removes what was received, after it was merged, unless more has been received since.
    package func removeReceived(_ mark: FileMark) throws(SyncFailure) {
        // Whoever receives holds this lock.
        let locked = try lockedFile()
        defer { try? locked.unlock() }
        guard try receivedMark() == mark else { return }
        try translating(SyncFailure.file, directory.remove(name(of: .received)))
    }

    // MARK: - Receiving

    /// Where a file is put together before it counts.
    var placeOfPart: (directory: any OpenDirectory, name: String) { (directory, FileAssembly.partName(of: name)) }

    /// Takes into use what was received, unless the files have changed since the other side has seen them.
    ///
    /// - Parameters:
    ///   - received: What was received, knowing `contents`.
    ///   - contents: The files.
    ///   - seen: The files that the other side has seen.
    /// - Returns: What became of it.
    /// - Throws: `refused` if the files have changed.
    func take(
        _ received: ReceivedContent,
        knowing contents: [Content],
        seen: [SyncedContent]
    ) throws(SyncFailure) -> SyncOutcome {
        switch received {
        case .same: throw .invalid("a content without a change")
        case .extended(let base, let tail, let fileByteCount):
            guard let kind = contents.first(where: { $0.content.file === base.file })?.file else { throw Self.changed }
            return try append(tail, to: kind, seen: seen, fileByteCount: fileByteCount)
        case .file(let content):
            guard let (file, tail) = try Self.tail(of: content, behind: seen) else {
                return try replace(with: content, seen: seen)
            }
            let outcome = try append(tail, to: file, seen: seen, fileByteCount: content.carriedByteCount)
            try? directory.remove(placeOfPart.name)
            return outcome
        }
    }

    /// What a content has behind one of the files, if it begins with that.
    private static func tail(
        of content: FileContent,
        behind seen: [SyncedContent]
    ) throws(SyncFailure) -> (file: SyncedFile, bytes: [UInt8])? {
        for base in seen.reversed() {
            let range = base.known.byteCount..<max(base.known.byteCount, content.byteCount)
            guard (1...tailByteCountLimit).contains(range.count),
                try content.known(first: base.known.byteCount) == base.known
            else { continue }
            return (base.file, try translating(SyncFailure.file, content.file.bytes(in: range)))
        }
        return nil
    }

    private static let changed = SyncFailure.refused(.changed, "the vault has changed meanwhile")

    /// Throws unless the files are those that the other side has seen.
    private func check(_ seen: [SyncedContent]) throws(SyncFailure) {
        var current: [SyncedContent] = []
        for (file, content, _) in try contents() { current.append(SyncedContent(file, try content.known())) }
        guard current == seen else { throw Self.changed }
    }

    /// Appends bytes to a file as a writer of the vault does: `Spec/vault-format.md`, section 13.
    private func append(
        _ tail: [UInt8],
        to kind: SyncedFile,
        seen: [SyncedContent],
        fileByteCount: Int
    ) throws(SyncFailure) -> SyncOutcome {
        let locked = try lockedFile()
        defer { try? locked.unlock() }
        try check(seen)
        guard let file = try kind == .vault ? locked : translating(SyncFailure.file, open(kind, for: .writing)) else {
            throw Self.changed
        }
        guard let base = seen.first(where: { $0.file == kind }) else { throw Self.changed }
        let former = try translating(SyncFailure.file) { () throws(FileError) in
            // Whoever reads the new bytes may take everything before them, and the name, for durable.
            try file.sync()
            try directory.sync()
            return try file.status().byteCount
        }
        do throws(FileError) {
            try file.writeAll(tail.span, at: base.known.byteCount)
            if former < fileByteCount { try file.truncate(to: fileByteCount) }
            try file.sync()
        } catch {
            // It was not acknowledged, so it may be removed: up to the unit in which the former content ends, since that
            // may end with zeros.
            try? file.truncate(to: min(former, Padding.end(of: base.known.byteCount)))
            throw .file(error)
        }
        guard kind == .received else { return .appended }
        try? locked.unlock()
        return mergedOrWaiting()
    }

    /// The vault, locked as by its writers, while it still has its name.
    private func lockedFile() throws(SyncFailure) -> any OpenFile {
        var pauses = RetryPauses(time, nanoseconds: UInt64(Self.lockTimeout.components.seconds) * 1_000_000_000)
        while true {
            let file = try translating(SyncFailure.file) { () throws(FileError) -> (any OpenFile)? in
                guard let file = try open(.vault, for: .writing), try file.tryLock() else { return nil }
                guard try file.status().identity == directory.status(of: name).identity else { return nil }
                return file
            }
            if let file { return file }
            guard pauses.pause() else { throw .refused(.busy, "another process is writing the vault") }
        }
    }

    /// Renames a complete file: to the vault if there is none, else to the copy that waits beside it.
    private func replace(with content: FileContent, seen: [SyncedContent]) throws(SyncFailure) -> SyncOutcome {
        let part = placeOfPart.name
        let id = try Self.vault(in: content.file)
        guard let vault = try translating(SyncFailure.file, open(.vault)) else {
            guard seen.isEmpty else { throw Self.changed }
            try content.rename(part, to: name, in: directory, replacing: false)
            return .created
        }
        // Whoever replaces the vault, or takes what was received, holds this lock.
        let locked = try lockedFile()
        defer { try? locked.unlock() }
        try check(seen)
        guard try Self.vault(in: vault) == id else { throw .refused(.notAVault, "that is another vault") }
        try translating(SyncFailure.file) { () throws(FileError) in try content.file.copyAccess(of: vault.status()) }
        try content.rename(part, to: name(of: .received), in: directory)
        try? locked.unlock()
        return mergedOrWaiting()
    }

    private func mergedOrWaiting() -> SyncOutcome { merge() ? .merged : .waiting }
}
