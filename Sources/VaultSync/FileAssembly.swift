internal import CofferBasics
internal import VaultFiles

/// Puts a received file together, in order, under a name of its own.
final class FileAssembly {
    private let directory: any OpenDirectory
    private let name: String
    private let file: any OpenFile
    private(set) var byteCount = 0

    /// Opens what an earlier try has left, if there is something.
    static func begun(_ name: String, in directory: any OpenDirectory) throws(FileError) -> (any OpenFile)? {
        do throws(FileError) {
            return try directory.open(name, for: .writing)
        } catch {
            guard error.reason == .notFound else { throw error }
            return nil
        }
    }

    /// Begins a file of `byteCount` bytes, or continues one.
    init(
        _ name: String,
        in directory: any OpenDirectory,
        continuing begun: (any OpenFile)?,
        at start: Int,
        byteCount expectedByteCount: Int
    ) throws(SyncFailure) {
        (self.directory, self.name) = (directory, name)
        file = try translating(SyncFailure.file) { () throws(FileError) in
            guard try directory.availableByteCount() >= expectedByteCount - start else {
                throw FileError(.create, "\(directory.path)/\(name)", reason: .diskFull)
            }
            if let begun { return begun }
            if try Self.begun(name, in: directory) != nil { try directory.remove(name) }
            return try directory.create(name)
        }
        // Two at a time would mix their bytes.
        guard try translating(SyncFailure.file, file.tryLock()) else {
            throw .refused(.busy, "another transfer to the same place is under way")
        }
        if begun != nil { byteCount = start }
    }

    func append(_ bytes: Span<UInt8>) throws(SyncFailure) {
        try translating(SyncFailure.file, file.writeAll(bytes, at: byteCount))
        byteCount += bytes.count
    }

    /// Appends the first bytes of another content.
    func append(first byteCount: Int, of content: FileContent) throws(SyncFailure) {
        try content.forEachChunk(in: 0..<byteCount) { bytes throws(SyncFailure) in try append(bytes) }
    }

    /// Makes the file durable; removes it if it is not what was announced.
    func finished(_ announced: KnownContent, fileByteCount: Int) throws(SyncFailure) -> FileContent {
        try translating(SyncFailure.file) { () throws(FileError) in
            // What an earlier try has left behind the content is cut off, then zeros are added.
            try file.truncate(to: byteCount)
            try file.truncate(to: fileByteCount)
            try file.sync()
        }
        let content = try translating(SyncFailure.file, FileContent(file))
        guard try content.known() == announced else {
            try translating(SyncFailure.file, directory.remove(name))
            throw .invalid("another content than announced")
        }
        return content
    }
}
