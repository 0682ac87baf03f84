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

/// The content of an index file.
///
/// It is collected while nobody can change the vault, and sealed and written afterwards.
struct IndexDraft: Sendable {
    private let part: IndexFile.Part
    private var head: IndexHead
    private let sections: [GroupEpoch: Content]
    private let keys: GenerationKeys

    /// The name of the file.
    var name: String { part.name(of: keys.cipher.vault) }

    /// The bytes of the file.
    func sealed() -> [UInt8] {
        var (head, sink) = (head, MemorySink())
        for (group, content) in sections {
            var section = GroupSectionWriter(
                group,
                keys: content.keys,
                isIndex: true,
                at: sink.bytes.count,
                to: sink
            )
            for (entry, handle) in content.entries.sorted(by: { $0.entry.precedes($1.entry) }) {
                section.append(entry, handle: handle, metadata: Span(), secret: Span())
            }
            head.sections.append(section.finish(seen: content.seen, remembering: Limits.writerCount))
            sink = section.sink
        }
        return head.sealed(keys: keys) + sink.bytes
    }

    /// What the index says about an epoch of a group.
    private struct Content: Sendable {
        let keys: MatchKeys
        let seen: SeenPlaces
        var entries: [(entry: MatchEntry, handle: KeyHandle)] = []
    }
}

extension IndexDraft {
    /// Collects what a vault whose whole log was read says about items after `old`, the end of the old part of the
    /// index, if there is one.
    ///
    /// Nil if there is something in the log that an index cannot say, or for which keys are missing.
    init?(of vault: inout OpenGeneration, after old: LogPosition?) throws {
        guard !vault.isIndexed, vault.hasSimpleLog, let last = vault.log.entries.last else { return nil }
        let entries = vault.log.entries
        let covered = old.map { vault.log.count(upTo: $0.sequence) } ?? 0
        // Another process may have written more than this one has read.
        guard covered < entries.count else { return nil }
        part = entries.count - covered <= max(Self.recentCount, entries.count / 16) ? .recent : .old
        // Nil if it begins where the log does.
        let start = part == .recent ? old : nil
        let first = start == nil ? 0 : covered
        keys = vault.opening.keys
        var removed: [ItemName] = []
        var sections: [GroupEpoch: Content] = [:]
        let names = start.map { vault.itemsChanged(after: $0.sequence) } ?? Set(vault.log.items.keys)
        for name in names {
            guard let state = vault.log.items[name] else { continue }
            guard let current = state.current else {
                if start != nil || state.isInSnapshot { removed.append(name) }
                continue
            }
            guard let number = current.put, state.live.conflicts.isEmpty,
                let (put, match) = vault.log.put(number), let place = vault.framePlace(ofEntry: number),
                let group = vault.keyring.dataKeyEntries[put.dataKey]?.group, let keys = try vault.matchKeys(of: group)
            else { return nil }
            let entry = MatchEntry(
                put.revision,
                put.provenance.origin,
                match,
                sizes: put.sizes,
                sequence: entries[number].sequence,
                tail: .frame(place)
            )
            sections[group, default: Content(keys: keys, seen: vault.seen[group.group])].entries
                .append((entry, put.dataKey))
        }
        // The fence of a group says what was seen, even if it has no items here.
        for group in vault.seen.groups where !sections.keys.contains(where: { $0.group == group }) {
            guard let epoch = vault.groups(with: group).first, let keys = try vault.matchKeys(of: epoch) else {
                return nil
            }
            sections[epoch] = Content(keys: keys, seen: vault.seen[group])
        }
        self.sections = sections
        head = IndexHead(
            start: start?.chain ?? vault.logStart.chain,
            end: vault.position,
            tag: vault.frames.tag.bytes,
            itemBalance: vault.log.itemBalance,
            lastTime: last.time,
            oldestGarbageTime: vault.oldestGarbageTime,
            records: entries[first...].lazy.map { Run.Entry($0) }.filter(\.isKeptByIndex),
            removed: removed.sorted { $0.precedes($1) },
            sections: []
        )
    }

    /// The recent part of an index covers no more records, or a sixteenth of them, before all become old.
    private static let recentCount = 512
}

extension OpenGeneration {
    /// Where the log begins.
    var logStart: LogPosition { opening.log(in: FileSource(file: file, byteCount: 0)).position }

    /// Whether each record of the log was judged and counts, so that an index can say what they are about.
    fileprivate var hasSimpleLog: Bool {
        log.unread.count == 0 && log.entries.allSatisfy { $0.standing == .valid } && closedGroups.isEmpty
            && log.damagedRuns.isEmpty && !seen.hasDamagedFence && seen.fitIntoFences
    }

    /// Returns the items that records after the transaction `sequence` are about.
    func itemsChanged(after sequence: UInt64) -> Set<ItemName> {
        Set(log.entries[log.count(upTo: sequence)...].compactMap { name(of: $0.record) })
    }

    /// Returns where the put in entry `number` is, if it is in a frame.
    fileprivate func framePlace(ofEntry number: Int) -> FramePlace? {
        guard case .frame(let sequence, let record) = log.place(ofEntry: number) else { return nil }
        let index = Int(sequence - header.baseSequence - 1)
        return frames.place(ofFrame: index, record: record)
    }
}
