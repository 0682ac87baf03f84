/// A group section, section 5.2: dictionaries, leaves, id pages, and the fence.
struct SketchGroupSection: SketchSection {
    var group: SketchGroup
    var items: [SketchItem]
    /// The revisions of the past leaves.
    var past: [SketchItem] = []
    var dictionaries: [SketchDictionary] = []
    /// What was seen beyond the places of the items.
    var seen: [SketchWriter] = []
    /// The greatest numbers of entries and bytes of the page of a leaf, and of entries of an id page.
    var entriesPerLeaf = 64
    var leafByteCount = 4052
    var entriesPerIDPage = 506

    // The changes a vector can make, from the inside out.
    var entries: (inout [SketchLeafEntry]) -> Void = { _ in }
    var pastEntries: (inout [SketchLeafEntry]) -> Void = { _ in }
    var leaves: (inout [SketchPage]) -> Void = { _ in }
    var pastLeaves: (inout [SketchPage]) -> Void = { _ in }
    var idPages: (inout [SketchPage]) -> Void = { _ in }
    /// Changes the random bytes before the fence.
    var filler: (inout [UInt8]) -> Void = { _ in }
    var fence: (inout SketchFence) -> Void = { _ in }
    var fenceBox: SketchBox.Edit = { _ in }
    var entry: (inout SectionEntry) -> Void = { _ in }
    var name = ""

    init(_ group: SketchGroup, _ items: [SketchItem], _ edit: (inout SketchGroupSection) -> Void = { _ in }) {
        self.group = group
        self.items = items
        edit(&self)
    }

    func built(in vault: VaultSketch, _ lineage: inout SketchLineage) -> BuiltSection {
        let id = vault.randomness.bytes(16, "section id 1 \(group.name) \(name)")
        let context = vault.id + group.id + u32(group.epoch) + id
        var bytes: [UInt8] = []

        func append(_ pages: [SketchPage], list: Int) -> [SketchFence.Part] {
            pages.enumerated().map { number, page in
                let data = label("page") + context + u32(list) + u32(number)
                let sealed = SketchBox(group.key("page"), data, page.content, page.box).sealed(vault.randomness)
                bytes += sealed + page.boxes
                let size = list == 3 ? nil : UInt16(sealed.count / 64)
                return SketchFence.Part(name: page.first, end: UInt32(bytes.count), number: size)
            }
        }

        let live = liveEntries(in: vault)
        var leaves = divided(live, vault.randomness)
        var idPages = idPages(of: live, in: leaves)
        var past = past.map { SketchLeafEntry($0, in: vault, self, isPast: true) }
        past.sort { $0.precedes($1) }
        pastEntries(&past)
        var pastLeaves = divided(past, vault.randomness)
        self.leaves(&leaves)
        self.pastLeaves(&pastLeaves)
        self.idPages(&idPages)

        var fence = SketchFence(flags: live.reduce(0) { $0 | $1.flags }, handles: handles)
        fence.dictionaries = dictionaries.map { dictionary in
            bytes += dictionary.sealed(in: vault)
            let key = handles.firstIndex(of: dictionary.key.handle) ?? 0
            return SketchFence.Part(name: dictionary.id, end: UInt32(bytes.count), number: UInt16(key))
        }
        fence.writers = writers(in: vault)
        fence.leaves = append(leaves, list: 1)
        fence.pastLeaves = append(pastLeaves, list: 2)
        fence.idPages = append(idPages, list: 3)
        fence.pastCount = past.count
        self.fence(&fence)
        var filler = vault.randomness.bytes((64 - bytes.count % 64) % 64, "filler \(group.name) \(name)")
        self.filler(&filler)
        let sealed = SketchBox(group.key("page"), label("fence") + context, fence.content, fenceBox)
            .sealed(vault.randomness)
        bytes += filler + sealed

        var entry = SectionEntry(kind: 1, epoch: group.epoch, id: id, groupID: group.id)
        entry.fenceLength = UInt32(sealed.count / 64)
        entry.count = UInt32(items.count)
        entry.check = H(32, nil, "file", bytes)
        self.entry(&entry)
        return BuiltSection(entry: entry, bytes: bytes)
    }

    /// Returns the writers of the items and of what was seen, with their greatest places.
    func writers(in vault: VaultSketch) -> [SketchWriter] {
        let own = items.map { SketchWriter(id: $0.writer ?? vault.writer, place: $0.place ?? $0.order) }
        let places = Dictionary((own + seen).map { ($0.id, $0.place) }, uniquingKeysWith: max)
        return places.map { SketchWriter(id: $0, place: $1) }.sorted { $0.id.lexicographicallyPrecedes($1.id) }
    }

    /// The handles of the data keys, in the order of their first use.
    var handles: [[UInt8]] {
        ((items + past).map(\.key.handle) + dictionaries.map(\.key.handle)).reduce(into: []) { handles, handle in
            if !handles.contains(handle) { handles.append(handle) }
        }
    }

    private func liveEntries(in vault: VaultSketch) -> [SketchLeafEntry] {
        var entries = items.map { SketchLeafEntry($0, in: vault, self, isPast: false) }
        for index in entries.indices where items.count(where: { $0.id == entries[index].itemID }) > 1 {
            entries[index].flags |= 16
        }
        entries.sort { $0.precedes($1) }
        self.entries(&entries)
        return entries
    }

    /// Divides `entries` into leaves, each as full as possible.
    private func divided(_ entries: [SketchLeafEntry], _ randomness: Randomness) -> [SketchPage] {
        var pages: [[SketchLeafEntry]] = []
        var room = 0
        for entry in entries {
            if room < entry.bytes.count || pages[pages.count - 1].count == entriesPerLeaf {
                pages.append([])
                room = leafByteCount - 4
            }
            pages[pages.count - 1].append(entry)
            room -= entry.bytes.count
        }
        return pages.map { entries in
            let first = entries[0].end.isEmpty ? entries[0].digest : entries[0].itemID
            let boxes = entries.flatMap { $0.metadata.sealed(randomness) + ($0.secret?.sealed(randomness) ?? []) }
            return SketchPage(entries.map(\.bytes), first: first, boxes: boxes)
        }
    }

    /// Returns the id pages for `entries`, which are in `leaves`.
    private func idPages(of entries: [SketchLeafEntry], in leaves: [SketchPage]) -> [SketchPage] {
        var ids = entries.map { $0.itemID.prefix(4) }[...]
        var pointers: [(id: [UInt8], number: Int)] = []
        for (leaf, page) in leaves.enumerated() {
            let count = Int(page.content[0])
            for (number, id) in ids.prefix(count).enumerated() { pointers.append((Array(id), leaf * 64 + number)) }
            ids = ids.dropFirst(count)
        }
        pointers.sort { ($0.id.hex, $0.number) < ($1.id.hex, $1.number) }
        return stride(from: 0, to: pointers.count, by: entriesPerIDPage).map { start in
            let page = pointers[start..<min(start + entriesPerIDPage, pointers.count)]
            return SketchPage(page.map { $0.id + u32($0.number) }, first: pointers[start].id)
        }
    }
}
