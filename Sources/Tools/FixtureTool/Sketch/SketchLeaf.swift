/// An entry of a leaf, section 5.3, and the boxes behind its page.
struct SketchLeafEntry {
    var digest: [UInt8]
    var itemID: [UInt8]
    var revision: UInt64
    var salt: [UInt8]
    var writer: [UInt8]
    var place: UInt64
    var sequence: UInt64
    var written: UInt64
    var metadata: SketchItemBox
    var secret: SketchItemBox?
    /// Replacements for the sizes of the boxes, in 16 and in 32 bytes.
    var metadataLength: UInt16?
    var secretLength: UInt16?
    var dataKey: UInt16
    var dictionary: UInt16
    var itemClass: UInt8
    var flags: UInt8
    var attributeDigests: [UInt8]
    /// The creation order, which is written if bit 5 of the flags is set.
    var order: UInt64
    /// The bytes that only entries of past leaves have.
    var end: [UInt8]

    init(_ item: SketchItem, in vault: VaultSketch, _ section: SketchGroupSection, isPast: Bool) {
        let salt = vault.salt(of: item)
        func box(_ part: Int, _ content: [UInt8], dictionaryID: [UInt8] = []) -> SketchItemBox {
            let (id, key) = (item.id, item.key)
            return vault.itemBox(part, of: id, item.revision, salt: salt, key: key, dictionaryID: dictionaryID, content)
        }
        (digest, itemID, revision, self.salt) = (item.digest, item.id, item.revision, salt)
        (writer, place) = (item.writer ?? vault.writer, item.place ?? item.order)
        (sequence, written, order) = (item.sequence, item.written, item.order)
        metadata = box(2, item.metadata)
        if item.dictionary > 0 {
            let dictionary = section.dictionaries[Int(item.dictionary) - 1]
            let stream = Deflate.stream(item.metadata, dictionary: dictionary.content)
            metadata = box(4, stream, dictionaryID: dictionary.id)
        }
        secret = item.secret.map { box(3, $0.content) }
        dataKey = UInt16(section.handles.firstIndex(of: item.key.handle) ?? 0)
        (dictionary, itemClass) = (item.dictionary, item.itemClass.rawValue)
        flags = item.flags | (item.order == place ? 0 : 32)
        attributeDigests = item.attributeDigests.flatMap { $0 }
        end = isPast ? u64(item.ended) + u64(SketchFrame.time(of: item.ended)) : []
    }

    var bytes: [UInt8] {
        let metadataLength = metadataLength ?? UInt16(metadata.sealedByteCount / 16)
        let secretLength = secretLength ?? secret.map { UInt16($0.sealedByteCount / 32) } ?? 0
        return digest + itemID + u64(revision) + salt + writer + u64(place) + u64(sequence) + u64(written)
            + u16(metadataLength) + u16(secretLength) + u16(dataKey) + u16(dictionary) + [itemClass, flags]
            + attributeDigests + (flags & 32 == 0 ? [] : u64(order)) + end
    }

    /// Whether this entry comes before `other` in a list of leaves.
    func precedes(_ other: Self) -> Bool {
        func name(_ entry: Self) -> String { ((end.isEmpty ? entry.digest : []) + entry.itemID).hex }
        return (name(self), revision, salt.hex) < (name(other), other.revision, other.salt.hex)
    }
}

/// A page of one of the three lists, and the boxes behind it.
struct SketchPage {
    var content: [UInt8]
    /// What the fence says of its first entry.
    var first: [UInt8]
    var boxes: [UInt8] = []
    var box: SketchBox.Edit = { _ in }

    init(_ entries: [[UInt8]], first: [UInt8], boxes: [UInt8] = []) {
        content = u16(entries.count) + zeros(2) + entries.flatMap { $0 }
        self.first = first
        self.boxes = boxes
    }
}

/// The fence of section 5.4.
struct SketchFence {
    /// A dictionary, leaf or id page.
    struct Part {
        var name: [UInt8]
        var end: UInt32
        /// The data key of a dictionary, or the size of the page of a leaf in units.
        var number: UInt16?
        var reserved: UInt16 = 0

        var bytes: [UInt8] { name + u32(end) + (number.map { u16($0) + u16(reserved) } ?? []) }
    }

    /// The flags of all live entries.
    var flags: UInt8 = 0
    var handles: [[UInt8]] = []
    var dictionaries: [Part] = []
    var writers: [SketchWriter] = []
    var leaves: [Part] = []
    var pastLeaves: [Part] = []
    var idPages: [Part] = []
    var pastCount = 0
    /// Changes the 28 bytes before the lists.
    var head: (inout [UInt8]) -> Void = { _ in }

    var content: [UInt8] {
        var head = u16(handles.count) + u16(dictionaries.count) + [flags] + zeros(3)
        head += [writers.count, leaves.count, pastLeaves.count, idPages.count, pastCount].flatMap { u32($0) }
        self.head(&head)
        let parts = leaves + pastLeaves + idPages
        return head + (handles + dictionaries.map(\.bytes) + writers.map(\.bytes) + parts.map(\.bytes)).flatMap { $0 }
    }
}

/// A dictionary of section 5.5.
struct SketchDictionary {
    var id: [UInt8]
    let key: SketchDataKey
    var content: [UInt8]
    var box: SketchBox.Edit = { _ in }

    func sealed(in vault: VaultSketch) -> [UInt8] {
        SketchBox(key.key("meta"), label("dict") + vault.id + key.handle + id, content, box).sealed(vault.randomness)
    }
}

extension VaultSketch {
    /// Returns the dictionary `name` of the archives of `items`, which have one data key.
    func dictionary(_ name: String = "", of items: [SketchItem]) -> SketchDictionary {
        let id = randomness.bytes(8, "dictionary \(name)")
        return SketchDictionary(id: id, key: items[0].key, content: items.flatMap(\.metadata))
    }
}
