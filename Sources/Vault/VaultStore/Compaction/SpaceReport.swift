package import VaultFormat

/// What the bytes of a vault are used for, and how many items it has.
package struct SpaceReport: Equatable, Sendable {
    /// The items of one class in one group.
    package struct Count: Equatable, Sendable {
        /// The name of the group.
        package let group: [UInt8]
        package let itemClass: ItemClass
        package let itemCount: Int

        package init(group: [UInt8], itemClass: ItemClass, itemCount: Int) {
            self.group = group
            self.itemClass = itemClass
            self.itemCount = itemCount
        }
    }

    /// The size of the file.
    package var fileByteCount = 0
    /// Header and keybag.
    package var headByteCount = 0
    package var snapshotByteCount = 0
    package var logByteCount = 0
    /// Space after the log that is reserved for later changes.
    package var reserveByteCount = 0
    /// The part of the snapshot that holds kept past revisions.
    package var historyByteCount = 0
    /// Superseded and deleted data in snapshot and log, which a compaction drops or keeps as past revisions.
    package var deadByteCount = 0
    /// Past revisions that can be read.
    package var pastRevisionCount = 0
    /// The items by group and class, sorted by the name of the group.
    package var counts: [Count] = []
    /// Whether there are groups whose contents cannot be read here.
    package var hasClosedGroups = false

    /// Bytes that are neither dead nor history nor reserved.
    package var liveByteCount: Int { fileByteCount - reserveByteCount - historyByteCount - deadByteCount }
}

extension VaultStore {
    /// Returns what the bytes of the vault are used for now.
    package func spaceReport() throws -> SpaceReport {
        try read { vault in try vault.spaceReport() }
    }
}

extension OpenGeneration {
    fileprivate mutating func spaceReport() throws -> SpaceReport {
        try completeLog()
        var report = SpaceReport()
        report.fileByteCount = try source().byteCount
        report.headByteCount = header.snapshotRange.lowerBound
        report.snapshotByteCount = header.snapshotByteCount
        report.logByteCount = position.offset - header.logOffset
        report.reserveByteCount = max(0, report.fileByteCount - position.offset)
        for section in opening.directory.sections where section.kind == .group {
            guard let fence = try withSection(section.group, { $0.reader.fence }) else { continue }
            report.historyByteCount += fence.pastByteCount
            report.pastRevisionCount += fence.pastEntryCount
        }
        report.hasClosedGroups = keyring.hasClosedGroups
        countItems(&report, try currentItems())
        try countDead(&report)
        return report
    }

    private mutating func currentItems() throws -> [StoredItem] {
        var items: [StoredItem] = []
        for group in groupNames.keys {
            items += try counting(self.items(in: group).filter { $0.presence != .destroyed })
        }
        return items
    }

    private func countItems(_ report: inout SpaceReport, _ items: [StoredItem]) {
        let names = groupNames
        for (group, items) in Dictionary(grouping: items, by: \.name.group) {
            for (itemClass, items) in Dictionary(grouping: items, by: \.itemClass) {
                report.counts.append(
                    SpaceReport.Count(group: names[group] ?? [], itemClass: itemClass, itemCount: items.count)
                )
            }
        }
        report.counts.sort {
            $0.group == $1.group
                ? $0.itemClass.rawValue < $1.itemClass.rawValue : $0.group.lexicographicallyPrecedes($1.group)
        }
    }

    /// Adds what the log has made dead: its own records that no longer count, and entries of the snapshot.
    private mutating func countDead(_ report: inout SpaceReport) throws {
        var recordByteCount = wholeLog.unread.frameByteCount
        var deadByteCount = 0
        let live = Set(wholeLog.items.values.flatMap { $0.live.all.compactMap(\.put) })
        for (number, entry) in wholeLog.entries.enumerated() where entry.sequence > header.baseSequence {
            recordByteCount += entry.record.byteCount
            switch entry.record {
            case .put:
                guard entry.standing == .valid, !live.contains(number) else { continue }
                deadByteCount += entry.record.byteCount
                report.pastRevisionCount += 1
            case .delete: deadByteCount += entry.record.byteCount
            case .key, .settings, .seen, .unknown, .malformed: continue
            }
        }
        // Frames and padding count in proportion to their content.
        if recordByteCount > 0 {
            let share = Double(deadByteCount) / Double(recordByteCount)
            report.deadByteCount += min(Int((share * Double(report.logByteCount)).rounded()), report.logByteCount)
        }
        for section in opening.directory.sections where section.kind == .group && section.count > 0 {
            try countDead(section, &report)
        }
    }

    /// Adds what the log has superseded in a section; what all items share counts in proportion.
    private mutating func countDead(_ section: Section, _ report: inout SpaceReport) throws {
        var (byteCount, deadByteCount, deadCount) = (0, 0, 0)
        for item in try sectionItems(of: section.group) {
            guard case .snapshot(let place) = item.place else { continue }
            byteCount += place.sizes.sum
            guard !keeps(item.revision, of: section.group) else { continue }
            deadCount += 1
            deadByteCount += place.sizes.sum
        }
        report.pastRevisionCount += deadCount
        let past = try withSection(section.group) { $0.reader.fence.pastByteCount } ?? 0
        let shared = Double(max(0, section.byteCount - byteCount - past))
        let share = Double(deadCount) / Double(section.count)
        report.deadByteCount += deadByteCount + Int((share * shared).rounded())
    }
}
