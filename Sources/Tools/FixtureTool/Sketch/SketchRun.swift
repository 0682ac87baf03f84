/// A run, section 5.6.
struct SketchRun: SketchSection {
    struct Entry {
        var sequence: UInt64
        var time: UInt64
        var record: SketchRecord
    }

    var group: SketchGroup?
    var entries: [Entry]
    /// Bytes after the last entry.
    var end: [UInt8] = []
    var name = ""
    var entry: (inout SectionEntry) -> Void = { _ in }
    var box: SketchBox.Edit = { _ in }

    init(
        group: SketchGroup? = nil,
        entries: [Entry],
        _ entry: @escaping (inout SectionEntry) -> Void = { _ in }
    ) {
        self.group = group
        self.entries = entries
        self.entry = entry
    }

    func built(in vault: VaultSketch, _ lineage: inout SketchLineage) -> BuiltSection {
        let id = vault.randomness.bytes(16, "section id 2 \(group?.name ?? "") \(name)")
        let content = content(&lineage) + end
        let sealed = SketchBox(vault.key("snapshot"), label("run") + id, content, box).sealed(vault.randomness)
        var entry = SectionEntry(kind: 2, epoch: group?.epoch ?? 0, id: id, count: UInt32(entries.count))
        entry.groupID = group?.id ?? zeros(8)
        entry.check = H(32, nil, "file", sealed)
        self.entry(&entry)
        return BuiltSection(entry: entry, bytes: sealed)
    }

    /// Returns the entries; those of one transaction are numbered from 0.
    private func content(_ lineage: inout SketchLineage) -> [UInt8] {
        var content: [UInt8] = []
        for (index, entry) in entries.enumerated() {
            let number = entries[..<index].count { $0.sequence == entry.sequence }
            lineage.place = entry.sequence << 20 + UInt64(number)
            content += u64(entry.sequence) + u64(entry.time) + entry.record.bytes(&lineage)
        }
        return content
    }
}

/// What a reader knows of revisions while it reads the records of a vault in their order, section 8.1.
///
/// Puts take their places and the names of what they replace from it.
struct SketchLineage {
    /// The place of the next record.
    var place: UInt64 = 0
    /// The greatest place of each writer, by group id.
    private var seen: [[UInt8]: [[UInt8]: UInt64]] = [:]
    /// The live revisions, by group id and item id.
    private var live: [[UInt8]: [Revision]] = [:]

    private struct Revision {
        let number: UInt64
        let salt: [UInt8]
    }

    func seen(of writer: [UInt8], in group: SketchGroup) -> UInt64 { seen[group.id]?[writer] ?? 0 }

    /// Returns the salt of the current revision of an item, or zero bytes.
    func currentSalt(of itemID: [UInt8], in group: SketchGroup) -> [UInt8] {
        let current = live[group.id + itemID]?.max {
            ($0.number, $0.salt.hex) < ($1.number, $1.salt.hex)
        }
        return current?.salt ?? zeros(8)
    }

    mutating func see(_ place: UInt64, of writer: [UInt8], in group: SketchGroup) {
        seen[group.id, default: [:]][writer] = max(place, seen(of: writer, in: group))
    }

    mutating func add(_ itemID: [UInt8], _ number: UInt64, salt: [UInt8], in group: SketchGroup) {
        live[group.id + itemID, default: []].append(Revision(number: number, salt: salt))
    }

    mutating func end(_ salt: [UInt8], of itemID: [UInt8], in group: SketchGroup) {
        live[group.id + itemID]?.removeAll { $0.salt == salt }
    }

    mutating func read(_ section: SketchGroupSection, in vault: VaultSketch) {
        for item in section.items {
            add(item.id, item.revision, salt: vault.salt(of: item), in: section.group)
        }
        for writer in section.writers(in: vault) { see(writer.place, of: writer.id, in: section.group) }
    }
}

/// A writer, and the greatest place of it that was seen.
struct SketchWriter {
    var id: [UInt8]
    var place: UInt64

    /// What counts as seen of writers that are not listed.
    static func floor(_ place: UInt64) -> SketchWriter { SketchWriter(id: zeros(8), place: place) }

    var bytes: [UInt8] { id + u64(place) }
}
