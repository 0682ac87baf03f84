/// A run or history section, section 5.6.
struct SketchRun: SketchSection {
    struct Entry {
        var sequence: UInt64
        var time: UInt64
        /// In a history the transaction that ended the revision; in a run the mark of a put whose place the fence has.
        var end: UInt64 = 0
        var endTime: UInt64 = 0
        var record: SketchRecord
    }

    var kind: UInt8 = 2
    var group: SketchGroup?
    var entries: [Entry]
    /// Bytes after the last entry.
    var end: [UInt8] = []
    var name = ""
    var entry: (inout SectionEntry) -> Void = { _ in }
    var box: SketchBox.Edit = { _ in }

    init(
        kind: UInt8 = 2,
        group: SketchGroup? = nil,
        entries: [Entry],
        _ entry: @escaping (inout SectionEntry) -> Void = { _ in }
    ) {
        self.kind = kind
        self.group = group
        self.entries = entries
        self.entry = entry
    }

    func built(in vault: VaultSketch, _ lineage: inout SketchLineage) -> BuiltSection {
        let id = vault.randomness.bytes(16, "section id \(kind) \(group?.name ?? "") \(name)")
        var own = kind == 3 ? SketchLineage() : lineage
        let content = content(&own) + end
        if kind != 3 { lineage = own }
        let sealed = SketchBox(vault.key("snapshot"), label("run") + id + u32(kind), content, box)
            .sealed(vault.randomness)
        var entry = SectionEntry(kind: kind, epoch: group?.epoch ?? 0, id: id, count: UInt32(entries.count))
        entry.groupID = group?.id ?? zeros(8)
        entry.check = H(16, nil, "file", sealed)
        self.entry(&entry)
        return BuiltSection(entry: entry, bytes: sealed)
    }

    /// Returns the entries; those of one transaction are numbered from 0.
    private func content(_ lineage: inout SketchLineage) -> [UInt8] {
        var content: [UInt8] = []
        for (index, entry) in entries.enumerated() {
            let number = entries[..<index].count { $0.sequence == entry.sequence }
            lineage.place = entry.sequence << 20 + UInt64(number)
            content += u64(entry.sequence) + u64(entry.time) + u64(entry.end) + u64(entry.endTime)
            content += entry.record.bytes(&lineage)
        }
        return content
    }
}
