internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

/// Puts a received file together, in order, under a name of its own, which it keeps locked.
final class FileAssembly {
    /// The most zeros that a file may have behind its content, more than any writer adds.
    static let zeroByteCountLimit = 1 << 17

    private let file: any OpenFile
    private let place: (directory: any OpenDirectory, name: String)
    private(set) var byteCount = 0

    /// The name of the file `name` while it is put together.
    static func partName(of name: String) -> String { ".\(name).part" }

    /// The name of the file `name` while it is put together from what is all here, which no peer can hold up.
    static func newName(of name: String) -> String { ".\(name).new" }

    /// Puts a file together from a content, or nothing, and a tail.
    static func made(
        _ name: String,
        in directory: any OpenDirectory,
        from base: FileContent?,
        _ tail: [UInt8],
        fileByteCount: Int
    ) throws -> FileContent {
        let known = try KnownContent(of: base, with: tail)
        let output = try FileAssembly(name, in: directory, byteCount: known.byteCount)
        if let base { try output.append(first: base.byteCount, of: base) }
        try output.append(tail.span)
        return try output.finished(known, fileByteCount: fileByteCount)
    }

    /// Opens and locks the file of an earlier try; nil if there is none, or if another process uses it.
    static func begun(_ name: String, in directory: any OpenDirectory) -> (any OpenFile)? {
        guard let file = try? directory.open(name, for: .writing), (try? isLocked(file, name, in: directory)) == true
        else { return nil }
        return file
    }

    /// Locks a file, and returns whether it still has its name; false if another process has the lock.
    private static func isLocked(
        _ file: any OpenFile,
        _ name: String,
        in directory: any OpenDirectory
    ) throws(FileError) -> Bool {
        // Two processes would mix their bytes.
        guard try file.tryLock() else { return false }
        return try file.status().identity == directory.status(of: name).identity
    }

    /// Begins a file of `byteCount` bytes, or continues one that this process has locked, of which `start` bytes count.
    init(
        _ name: String,
        in directory: any OpenDirectory,
        continuing begun: (any OpenFile)? = nil,
        at start: Int = 0,
        byteCount expectedByteCount: Int
    ) throws {
        byteCount = start
        place = (directory, name)
        let file = if let begun { begun } else { try directory.openOrCreate(name) }
        guard try begun != nil || Self.isLocked(file, name, in: directory) else {
            throw SyncFailure.refused(.busy, "another transfer to the same place is under way")
        }
        self.file = file
        try discardingIfFull {
            // First, since what an earlier try has left may be all that is in the way.
            try file.truncate(to: start)
            guard try directory.availableByteCount() >= expectedByteCount - start + Self.zeroByteCountLimit else {
                throw FileError(.create, "\(directory.path)/\(name)", reason: .diskFull)
            }
        }
    }

    /// Removes the file if the disk is full: others need the room, and there is none to go on.
    private func discardingIfFull(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as FileError {
            if [.diskFull, .quotaExceeded].contains(error.reason) { discard() }
            throw error
        }
    }

    private func discard() { try? place.directory.remove(place.name) }

    func append(_ bytes: Span<UInt8>) throws {
        try discardingIfFull { try file.writeAll(bytes, at: byteCount) }
        byteCount += bytes.count
    }

    /// Appends the first bytes of another content.
    func append(first byteCount: Int, of content: FileContent) throws {
        try content.forEachChunk(in: 0..<byteCount) { bytes in try append(bytes) }
    }

    /// Makes the file durable; removes it if it is not what was announced.
    func finished(_ announced: KnownContent, fileByteCount: Int) throws -> FileContent {
        try discardingIfFull {
            // What an earlier try has left behind the content is cut off, then zeros are added.
            try file.truncate(to: byteCount)
            try file.truncate(to: fileByteCount)
            try file.sync()
        }
        let content = try FileContent(file)
        guard try content.known() == announced else {
            discard()
            throw SyncFailure.invalid("another content than announced")
        }
        return content
    }
}

extension FileContent {
    /// Gives the content, which was put together, its final name.
    ///
    /// It is still locked, so no other process has replaced it.
    func rename(
        _ name: String,
        to newName: String,
        in directory: any OpenDirectory,
        replacing isReplacing: Bool = true
    ) throws {
        guard try file.status().identity == directory.status(of: name).identity else {
            throw FileError(.rename, "\(directory.path)/\(name)", reason: .staleHandle)
        }
        if isReplacing {
            try directory.rename(name, to: newName)
        } else {
            try directory.renameWithoutReplacing(name, to: newName)
        }
        try directory.sync()
    }
}
