internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// Keeps one file that remembers how far a vault had come when this machine last used it, section 11.
struct AnchorKeeper: Sendable {
    private let directoryPath: String
    private let vault: VaultID
    let name: String
    /// What follows the slots in the file: the path of a location, or nothing.
    private let trailer: [UInt8]
    private let files: any FileSystem
    private let random: any RandomSource
    private let user: UInt32
    private var contents = AnchorFile()
    /// The bytes of the file with these contents; empty before they are known.
    private var bytes: [UInt8] = []
    private var file: (any OpenFile)?

    /// Reads an anchor of a vault, if there is one with this name; creates nothing.
    init(
        _ name: String,
        of vault: VaultID,
        trailer: [UInt8] = [],
        in directoryPath: String,
        environment: StoreEnvironment
    ) throws {
        self.directoryPath = directoryPath
        self.vault = vault
        self.name = name
        self.trailer = trailer
        files = environment.files
        random = environment.random
        user = environment.user
        do throws(FileError) {
            let directory = try files.trustedDirectory(directoryPath)
            do throws(FileError) {
                let file = try directory.openTrusted(name, for: .writing, user: user)
                try readContents(file)
                self.file = file
            } catch  where [.permissionDenied, .readOnlyFileSystem].contains(error.reason) {
                // The anchor counts even if it cannot be updated.
                try readContents(try directory.openTrusted(name, for: .reading, user: user))
            }
        } catch {
            guard error.reason == .notFound else { throw error }
        }
    }

    /// Reads the anchor; throws `unknownContent` if the file is not an anchor, because it must not be overwritten then.
    private mutating func readContents(_ file: any OpenFile) throws(FileError) {
        guard try !hasKnownBytes(file) else { return }
        // One byte more, to notice a file that is too long.
        let bytes = try file.bytes(in: 0..<AnchorFile.byteCount + trailer.count + 1)
        let slots = Array(bytes.prefix(AnchorFile.byteCount))
        let rest = bytes.dropFirst(AnchorFile.byteCount)
        guard AnchorFile.mayReplace(slots.span), rest.isEmpty || rest.elementsEqual(trailer) else {
            throw FileError(.read, file.path, reason: .unknownContent)
        }
        contents = AnchorFile(parsing: slots.span, vault: vault)
        self.bytes = Array(bytes.prefix(AnchorFile.byteCount + 1))
    }

    /// Whether the file is as it was when it was last read or written, which takes one call to see.
    private func hasKnownBytes(_ file: any OpenFile) throws(FileError) -> Bool {
        guard !bytes.isEmpty else { return false }
        var buffer = InlineArray<1025, UInt8>(repeating: 0)
        var span = buffer.mutableSpan
        let byteCount = try file.read(into: &span, at: 0)
        return span.span.extracting(..<byteCount).hasSameBytes(as: bytes.span)
    }

    /// Reads again who wrote last, since other processes update the file too.
    mutating func lastWriter() -> Anchor.LastWriter? {
        if let file { try? readContents(file) }
        return contents.anchor?.lastWriter
    }

    /// The current anchor.
    var anchor: Anchor? { contents.anchor }

    /// Whether there was no such file.
    var isMissing: Bool { bytes.isEmpty }

    /// Updates the anchor to how far a vault has come; with `staysLatest`, a later one stays.
    ///
    /// If that fails, the older anchor stays, which says less but nothing wrong.
    mutating func update(to anchor: Anchor, staysLatest: Bool = false) {
        do throws(FileError) {
            try write(anchor, staysLatest)
        } catch {
            file = nil
        }
    }

    /// Durably remembers what the owner has accepted; with an older anchor, the owner would have to accept it again.
    mutating func accept(_ anchor: Anchor, staysLatest: Bool = false) throws(FileError) {
        try write(anchor, staysLatest)
        try file?.sync()
        try files.makeDirectory(directoryPath).sync()
    }

    private mutating func write(_ anchor: Anchor, _ staysLatest: Bool) throws(FileError) {
        let file = try openFile()
        // Other processes update it too; an update that continues from an old count would be ignored.
        try readContents(file)
        if staysLatest, let latest = contents.anchor, anchor.precedes(latest) { return }
        let update = contents.update(to: anchor)
        try file.writeAll(update.bytes.span, at: update.offset)
        contents = update.file
        let end = update.offset + update.bytes.count
        if bytes.count < end { bytes.append(zeroByteCount: end - bytes.count) }
        bytes.replaceSubrange(update.offset..<end, with: update.bytes)
    }

    /// Creates the file durably, before an anchor is written into it.
    ///
    /// Otherwise a power failure could leave bytes of an earlier file in it, which would look like unknown content.
    private func makeFile(_ name: String, in directory: any OpenDirectory) throws(FileError) {
        let random = random.number()
        do throws(FileError) {
            let empty = [UInt8](repeating: 0, count: AnchorFile.byteCount) + trailer
            try DurableFile.create(name, empty.span, in: directory, random: random)
        } catch {
            // Another process was faster.
            guard error.reason == .alreadyExists else { throw error }
        }
    }

    private mutating func openFile() throws(FileError) -> any OpenFile {
        if let file { return file }
        let directory = try files.makeDirectory(directoryPath)
        do throws(FileError) {
            _ = try directory.status(of: name)
        } catch  where error.reason == .notFound {
            try makeFile(name, in: directory)
        }
        let opened = try directory.openTrusted(name, for: .writing, user: user)
        file = opened
        return opened
    }
}
