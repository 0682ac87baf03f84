/// A run or history section, section 5.6.
struct SketchRun: SketchSection {
    struct Entry {
        var sequence: UInt64
        var time: UInt64
        /// The sequence number and time of the superseding transaction; zero in a run.
        var superseding: UInt64 = 0
        var supersedingTime: UInt64 = 0
        var record: SketchRecord

        var bytes: [UInt8] {
            u64(sequence) + u64(time) + u64(superseding) + u64(supersedingTime) + record.bytes
        }
    }

    var kind: UInt8 = 2
    var group: SketchGroup?
    var entries: [Entry]
    /// Bytes after the last entry.
    var end: [UInt8] = []
    var name = ""
    var entry: (inout SectionEntry) -> Void = { _ in }
    var box: SketchBox.Edit = { _ in }

    func built(in vault: VaultSketch) -> BuiltSection {
        let id = vault.randomness.bytes(16, "section id \(kind) \(group?.name ?? "") \(name)")
        let content = entries.flatMap(\.bytes) + end
        let sealed = SketchBox(vault.key("snapshot"), label("run") + id + u32(kind), content, box)
        var entry = SectionEntry(kind: kind, epoch: group?.epoch ?? 0, id: id, count: UInt32(entries.count))
        entry.groupID = group?.id ?? zeros(8)
        self.entry(&entry)
        return BuiltSection(entry: entry, bytes: sealed.sealed(vault.randomness))
    }
}
