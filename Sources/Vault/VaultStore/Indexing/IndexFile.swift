internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// An open index file: what a part of a log says about items, in pages that are opened when they are needed.
///
/// It repeats what the log says, so that a reader need not read all of it. A file that does not fit the log, or that is
/// damaged, is not used.
struct IndexFile: Sendable {
    /// The two files of a log: the old one begins where the log does, and the recent one continues it.
    enum Part: String, CaseIterable, Sendable {
        case old
        case recent

        /// The name of the file about a vault; it is beside the anchor.
        func name(of vault: VaultID) -> String { "\(vault).index-\(rawValue)" }
    }

    let head: IndexHead
    let source: FileSource
    /// The numbers of its sections in the generation, as far as they are open.
    var sectionNumbers: [GroupEpoch: Int] = [:]

    /// Most heads are not longer, so that one read suffices.
    private static let firstByteCount = 4096

    /// Opens the file about a part of the log in `vault`, or returns nil if it cannot be used.
    ///
    /// - Parameters:
    ///   - part: Which of the two files to open.
    ///   - directory: The directory of the files.
    ///   - user: The user who is expected to own the file.
    ///   - opening: The keys of the vault.
    ///   - start: Where the part of the log must begin.
    ///   - vault: The vault file.
    init?(
        _ part: Part,
        in directory: any OpenDirectory,
        user: UInt32,
        of opening: VaultOpening,
        from start: LogPosition,
        vault: FileSource
    ) {
        guard let file = try? directory.openTrusted(part.name(of: opening.header.vault), for: .reading, user: user),
            let status = try? file.status(),
            let head = try? Self.head(in: file, status.byteCount, of: opening),
            head.start == start.chain, head.end.sequence > start.sequence, head.end.offset > start.offset,
            // The last frame is the one that was indexed, and its head names all frames before it.
            head.end.offset <= vault.byteCount,
            let tag = try? FrameTag(before: head.end.offset, in: vault.file), tag.starts(head.tag.span)
        else { return nil }
        self.head = head
        source = FileSource(file: file, byteCount: status.byteCount)
    }

    private static func head(
        in file: any OpenFile,
        _ byteCount: Int,
        of opening: VaultOpening
    ) throws -> IndexHead? {
        var bytes = try file.bytes(in: 0..<min(firstByteCount, byteCount))
        let headByteCount = IndexHead.byteCount(prefix: bytes.span)
        guard let headByteCount, headByteCount <= byteCount else { return nil }
        if headByteCount > bytes.count { bytes += try file.bytes(in: bytes.count..<headByteCount) }
        guard headByteCount <= bytes.count else { return nil }
        return try IndexHead(
            opening: bytes.span.extracting(..<headByteCount),
            fileByteCount: byteCount,
            logOffset: opening.header.logOffset,
            keys: opening.keys
        )
    }

    /// Whether the item is gone at the end of this part of the log.
    func removes(_ name: ItemName) -> Bool {
        let index = head.removed.partitioningIndex { !$0.precedes(name) }
        return index < head.removed.count && head.removed[index] == name
    }
}

/// The frame that holds a put, and the number of its record there.
struct FramePlace: Equatable, Sendable {
    let offset: Int
    let byteCount: Int
    let record: Int
}
