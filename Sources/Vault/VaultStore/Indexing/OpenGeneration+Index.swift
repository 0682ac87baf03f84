internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

// Reading with an index: the records up to its end stay in the file, and what they say about items is looked up in its
// pages. Whatever needs more than that reads the whole log first.
extension OpenGeneration {
    /// Whether a part of the log has not been read, because an index says what it holds.
    package var isIndexed: Bool { !unreadLog.isEmpty }

    /// The number of the last transaction that has not been read, if there is one.
    package var indexedSequence: UInt64? { unreadLog.end?.sequence }

    /// The records of the whole log; ``completeLog()`` must have been called.
    var wholeLog: LogIndex {
        _read {
            precondition(!isIndexed, "only a part of the log has been read")
            yield log
        }
    }

    /// Opens the index of the log, as far as there is one that can be used, and moves to its end.
    mutating func openIndex(in directoryPath: String, _ source: FileSource) {
        guard let directory = try? environment.files.trustedDirectory(directoryPath) else { return }
        for part in IndexFile.Part.allCases {
            let file = IndexFile(
                part,
                in: directory,
                user: environment.user,
                of: opening,
                from: position,
                vault: source
            )
            guard let file, let extended = try? log.appending(file.head.records) else { continue }
            unreadLog.extend(with: file)
            log = extended
            frames.skip(to: file.head.end)
        }
    }

    /// Reads the whole log, if it was opened with an index.
    ///
    /// - Throws: `rolledBack` if the log does not reach as far as the index says, because a frame in it is damaged.
    package mutating func completeLog() throws {
        guard let end = unreadLog.end else { return }
        var status = try file.status()
        status.byteCount = position.offset
        let (roots, anchor) = (keyring.roots, frames.anchor)
        var complete = try OpenGeneration(
            file,
            status: status,
            environment: environment,
            anchor: { _ in anchor },
            roots: { _ in roots }
        )
        guard complete.position == position else {
            unreadLog.refute()
            let (offset, sequence) = (complete.position.offset, complete.position.sequence + 1)
            throw StoreError.rolledBack(.inconsistent(offset: offset, sequence: sequence), path: path)
        }
        // Callers may hold numbers of sections.
        complete.sections = sections
        complete.attributes = attributes
        complete.noteKeys()
        // So that it is not written anew without need.
        complete.log.noteIndex(upTo: end.sequence)
        self = complete
    }

    // MARK: - Looking up

    /// Returns the live revisions of an item as of the end of the index, or nil if that says nothing about it.
    mutating func indexedLive(of name: ItemName) throws -> LiveRevisions? {
        try readingIndex { vault in
            for part in vault.unreadLog.files.indices {
                if let live = try vault.live(of: name, inPart: part) { return live }
            }
            return nil
        } ?? nil
    }

    private mutating func live(of name: ItemName, inPart part: Int) throws -> LiveRevisions? {
        if unreadLog.files[part].removes(name) { return LiveRevisions() }
        for group in groups(with: name.group) {
            guard let number = try sectionNumber(of: group, inPart: part) else { continue }
            let entries = try withSection(number: number) { section in
                try section.entries(withID: name.item)
            }
            guard let entry = entries.first else { continue }
            return LiveRevisions([LiveRevision(entry.revision, epoch: group.epoch, isIndexed: true)])
        }
        return nil
    }

    /// Returns an item that the index has.
    mutating func indexedItem(_ name: ItemName, _ revision: LiveRevision) throws -> StoredItem? {
        let group = GroupEpoch(group: name.group, epoch: revision.epoch)
        let found = try readingIndex { vault throws -> StoredItem? in
            for part in vault.unreadLog.files.indices {
                guard let number = try vault.sectionNumber(of: group, inPart: part) else { continue }
                let entries = try vault.withSection(number: number) { section in
                    try section.entries(withID: name.item)
                }
                if let entry = entries.first { return try vault.item(entry, ofSection: number) }
            }
            return nil
        }
        if let found { return found }
        // The log has been read meanwhile.
        return try item(name)
    }

    /// Returns the items of a group epoch among the entries that `entries` finds in the sections of the index, except
    /// those about which there are later records.
    mutating func indexedItems(
        in group: GroupEpoch,
        _ entries: (inout SnapshotSection) throws -> [MatchEntry]
    ) throws -> [StoredItem] {
        guard isIndexed else { return [] }
        return try readingIndex { vault in
            var found: [StoredItem] = []
            for part in vault.unreadLog.files.indices {
                guard let number = try vault.sectionNumber(of: group, inPart: part) else { continue }
                for entry in try vault.withSection(number: number, entries) {
                    let name = ItemName(group: group.group, item: entry.revision.item)
                    guard try vault.isLast(name, ofPart: part) else { continue }
                    if let item = try vault.item(entry, ofSection: number) { found.append(item) }
                }
            }
            return found
        } ?? []
    }

    /// Whether no later part of the log is about an item.
    private mutating func isLast(_ name: ItemName, ofPart part: Int) throws -> Bool {
        guard log.items[name] == nil else { return false }
        for later in 0..<part where try live(of: name, inPart: later) != nil { return false }
        return true
    }

    /// Returns the fences of a group in the index, those of all epochs.
    mutating func indexedFences(of group: GroupID) throws -> [Fence] {
        guard isIndexed else { return [] }
        return try readingIndex { vault in
            var fences: [Fence] = []
            for part in vault.unreadLog.files.indices {
                for epoch in vault.groups(with: group) {
                    guard let number = try vault.sectionNumber(of: epoch, inPart: part) else { continue }
                    fences.append(vault.sections[number].reader.fence)
                }
            }
            return fences
        } ?? []
    }

    /// Calls `body`, which reads the index; if that is damaged, reads the whole log instead, and returns nil.
    private mutating func readingIndex<Result>(
        _ body: (inout OpenGeneration) throws -> Result
    ) throws -> Result? {
        do {
            return try body(&self)
        } catch {
            guard unreadLog.mayBeReplaced else { throw error }
            // What is wrong with the vault itself shows again.
            try completeLog()
            return nil
        }
    }

    /// Returns the number of the section of a group in a part of the index, opening it if that is possible.
    private mutating func sectionNumber(of group: GroupEpoch, inPart part: Int) throws -> Int? {
        if let known = unreadLog.files[part].sectionNumbers[group] { return known }
        guard let section = unreadLog.files[part].head.sections.first(where: { $0.group == group }),
            let keys = try matchKeys(of: group)
        else { return nil }
        let reader = try GroupSectionReader(section, in: unreadLog.files[part].source, snapshotOffset: 0, keys: keys)
        let number = sections.addIndexed(SnapshotSection(reader, isIndex: true))
        unreadLog.noteSection(number, of: group, inFile: part)
        return number
    }

    // MARK: - Frames

    /// Returns the put of an item that the index has; nil if the whole log had to be read, because it is not there.
    mutating func indexedPut(of item: StoredItem, at place: FramePlace) throws -> Put? {
        if let frame = try? frame(at: place), frame.records.indices.contains(place.record),
            case .put(let put) = frame.records[place.record], put.revision == item.revision,
            put.dataKey == item.dataKey, let keys = try matchKeys(of: item.group),
            let match = try? put.openedMatch(keys: keys), ItemMatch(match) == item.match
        {
            return put
        }
        try completeLog()
        return nil
    }

    private mutating func frame(at place: FramePlace) throws -> Frame {
        if let frame = frames[place] { return frame }
        let bytes = try file.bytes(in: place.offset..<place.offset + place.byteCount)
        guard let head = FrameHead(genuine: bytes.span, key: opening.keys.head) else { throw Fault(.notAuthentic) }
        let frame = try Frame(opening: bytes, head: head, keys: opening.keys)
        frames.keep(frame, at: place)
        return frame
    }
}
