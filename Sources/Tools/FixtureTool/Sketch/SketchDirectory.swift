/// A section of the snapshot.
protocol SketchSection {
    /// Returns the section; the records in it continue `lineage`.
    func built(in vault: VaultSketch, _ lineage: inout SketchLineage) -> BuiltSection
}

/// A section as it is in the file, and its directory entry.
struct BuiltSection {
    var entry: SectionEntry
    var bytes: [UInt8]
}

/// An entry of the directory, section 5.1; the offset follows from its position.
struct SectionEntry {
    var kind: UInt8
    var flags: UInt8 = 0
    var reserved = zeros(2)
    var epoch: UInt32 = 0
    var id: [UInt8]
    var groupID = zeros(8)
    var offset: UInt32 = 0
    var length: UInt32 = 0
    var fenceLength: UInt32 = 0
    var count: UInt32 = 0
    var check = zeros(32)

    var bytes: [UInt8] {
        [kind, flags] + reserved + u32(epoch) + id + groupID + u32(offset) + u32(length) + u32(fenceLength)
            + u32(count) + check
    }
}

/// The directory of section 5.1.
struct SketchDirectory {
    /// Replaces the number of sections.
    var count: UInt32?
    var reserved = zeros(4)
    /// The transaction from which on past states can be restored, and its time.
    var historySince: UInt64 = 0
    var historyTime: UInt64 = 0
    /// Changes the entries before they are sealed.
    var entries: (inout [SectionEntry]) -> Void = { _ in }
    var box: SketchBox.Edit = { _ in }

    /// The lines about the directory in the header of a vector.
    var lines: [VaultVectors.Line] {
        historySince == 0 ? [] : [("history since", "\(historySince) \(Int64(bitPattern: historyTime))")]
    }

    func built(in vault: VaultSketch, _ sections: [BuiltSection]) -> [UInt8] {
        var entries = sections.map(\.entry)
        var offset = pad(44 + 24 + 80 * entries.count) / 64
        for (index, section) in sections.enumerated() {
            entries[index].offset = UInt32(offset)
            entries[index].length = UInt32(section.bytes.count / 64)
            offset += section.bytes.count / 64
        }
        self.entries(&entries)
        let head = u32(count ?? UInt32(entries.count)) + reserved + u64(historySince) + u64(historyTime)
        let content = head + entries.flatMap(\.bytes)
        return SketchBox(vault.key("snapshot"), label("dir"), content, box).sealed(vault.randomness)
    }
}

/// A section of a kind that no version defines.
struct UnknownSection: SketchSection {
    var isCritical = false
    var byteCount = 128
    var entry: (inout SectionEntry) -> Void = { _ in }

    func built(in vault: VaultSketch, _ lineage: inout SketchLineage) -> BuiltSection {
        let bytes = vault.randomness.bytes(byteCount, "content of section 99")
        var entry = SectionEntry(kind: 99, flags: isCritical ? 1 : 0, id: vault.randomness.bytes(16, "section 99"))
        entry.check = H(32, nil, "file", bytes)
        self.entry(&entry)
        return BuiltSection(entry: entry, bytes: bytes)
    }
}
