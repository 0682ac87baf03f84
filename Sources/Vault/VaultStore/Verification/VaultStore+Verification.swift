internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

// Reading everything, to verify it or to save what is intact.
extension VaultStore {
    /// Reads the whole current vault, and reports what is wrong with it and where.
    ///
    /// Others can use the vault in the meantime. The verification is canceled if `progress` returns false.
    package func verify(
        progress: @escaping (ReadingProgress) -> Bool = { _ in true }
    ) throws -> VerificationReport {
        try serve {
            let generation = try state.withLock { state in
                try refresh(&state)
                try readWholeLog(&state)
                return state.generation
            }
            var examination = try VaultExamination(of: generation) { done, expected in
                guard progress(ReadingProgress(byteCount: done, expectedByteCount: expected)) else {
                    throw StoreError.cancelled
                }
            }
            try examination.examine()
            return examination.report
        }
    }
}

/// Reads a whole vault, section by section.
struct VaultExamination: ~Copyable {
    private(set) var vault: OpenGeneration
    private(set) var report = VerificationReport()
    /// The intact parts of each group section.
    private(set) var sections: [SectionExamination] = []
    let source: FileSource
    private let progress: (_ done: Int, _ expected: Int) throws -> Void

    init(
        of vault: OpenGeneration,
        progress: @escaping (_ done: Int, _ expected: Int) throws -> Void
    ) throws {
        self.vault = vault
        self.progress = progress
        source = try vault.source()
    }

    mutating func examine() throws {
        var done = vault.header.snapshotRange.lowerBound
        let (expected, progress) = (source.byteCount, progress)
        report.directoryFailure = vault.opening.directoryFailure
        report.damages += vault.log.damagedRuns
        for section in vault.opening.directory.sections {
            switch section.kind {
            case .group:
                let start = done
                var sectionDone = 0
                let examined = try SectionExamination(of: section, in: &vault, source) { byteCount in
                    sectionDone += byteCount
                    try progress(start + sectionDone, expected)
                }
                report.damages += examined.damages
                report.invalidItems += examined.invalidItems
                sections.append(examined)
            case .unknown: try examineCheck(section)
            // Runs were read when the vault was opened.
            case .run: break
            }
            done += section.byteCount
            try progress(done, expected)
        }
        try examineLog()
        try countItems()
        report.transactionCount = vault.position.sequence
        report.tailOffset = vault.position.offset
        report.tail = try vault.tailVerdict(source)
        report.anchor = vault.anchorVerdict(tail: report.tail)
        try progress(expected, expected)
    }

    /// Compares a section of unknown kind with its check.
    private mutating func examineCheck(_ section: Section) throws {
        do throws(VaultFormatError) {
            try vault.opening.check(section, in: source)
        } catch {
            report.damages.append(try vault.damage(.section, section, error))
        }
    }

    /// Judges what was not judged when the log was read: metadata and data of each put.
    private mutating func examineLog() throws {
        report.unknownRecordCount = vault.wholeLog.unread.unknownCount
        report.invalidRecordCount += vault.wholeLog.unread.malformedCount
        report.invalidRecords += vault.wholeLog.unread.failures
        for number in vault.wholeLog.entries.indices {
            if case .invalid(let fault) = vault.wholeLog.entries[number].standing {
                noteInvalid(RecordFailure(place: vault.wholeLog.place(ofEntry: number), fault: fault))
            } else if let (put, match) = vault.wholeLog.put(number), let fault = try vault.fault(of: put, match) {
                noteInvalid(RecordFailure(place: vault.wholeLog.place(ofEntry: number), fault: fault))
            }
        }
    }

    private mutating func noteInvalid(_ failure: RecordFailure) {
        report.invalidRecordCount += 1
        if report.invalidRecords.count < VerificationReport.maximumListCount { report.invalidRecords.append(failure) }
    }

    /// Whether an entry is not a conflict; where that cannot be read, it counts.
    private mutating func isCurrent(_ entry: MatchEntry, in group: GroupEpoch) throws -> Bool {
        do {
            return try vault.isCurrent(entry, in: group)
        } catch {
            guard error.isAboutSnapshot else { throw error }
            return true
        }
    }

    private mutating func countItems() throws {
        let broken = Set(report.damages.flatMap(\.items))
        var items: [StoredItem] = []
        for section in sections where section.hasFence {
            let group = section.section.group
            guard let number = try vault.sectionNumber(of: group) else { continue }
            try section.forEachEntry { entry in
                let name = ItemName(group: group.group, item: entry.revision.item)
                guard vault.wholeLog.items[name] == nil, !broken.contains(name), try isCurrent(entry, in: group) else {
                    return
                }
                if let item = try vault.item(entry, ofSection: number) { items.append(item) }
            }
        }
        for (name, state) in vault.wholeLog.items where state.current != nil {
            do {
                if let item = try vault.item(name) { items.append(item) }
            } catch {
                // The item's part of the snapshot is damaged, which was reported.
                guard error.isAboutSnapshot else { throw error }
            }
        }
        for item in items {
            if item.presence == .readable { report.itemCount += 1 } else { report.sealedItemCount += 1 }
        }
        for duplicates in try vault.versions(in: items.inCreationOrder) {
            // A damaged page can have an item twice.
            let names = duplicates.map(\.name)
            guard Set(names).count > 1 else { continue }
            report.duplicateItems.append(
                VerificationReport.Duplicates(itemClass: duplicates[0].itemClass, names: names)
            )
        }
    }
}
