/// A record of section 8.
struct SketchRecord {
    var kind: UInt8
    var flags: UInt8 = 0
    var reserved = zeros(2)
    /// Replaces the size of the body.
    var length: UInt32?
    var body: [UInt8]

    var bytes: [UInt8] { [kind, flags] + reserved + u32(length ?? UInt32(body.count)) + body }

    /// Returns a record of a kind that no version defines.
    static func unknown(isCritical: Bool = false) -> SketchRecord {
        SketchRecord(kind: 99, flags: isCritical ? 1 : 0, body: Array("from the future".utf8))
    }

    /// Returns a key record, section 8.6.
    static func key(_ entry: SketchEntry) -> SketchRecord { SketchRecord(kind: 3, body: entry.bytes) }
}

/// A put of section 8.1, before its boxes are sealed.
struct SketchPut {
    var itemID: [UInt8]
    var revision: UInt64
    var salt: [UInt8]
    var key: SketchDataKey
    /// The content of the match box before the hash.
    var match: [UInt8]
    var metadata: [UInt8]
    var secret: [UInt8]?

    /// Replacements for the handle and for the sizes of the three boxes.
    var handle: [UInt8]?
    var lengths: [Int: UInt32] = [:]
    /// Replaces the hash of the other two boxes.
    var hash: [UInt8]?
    /// Bytes after the hash.
    var matchEnd: [UInt8] = []
    var reserved = zeros(4)
    /// Bytes after the boxes.
    var end: [UInt8] = []
    var matchBox: SketchBox.Edit = { _ in }
    var metadataBox: SketchBox.Edit = { _ in }
    var secretBox: SketchBox.Edit = { _ in }

    typealias Edit = (inout SketchPut) -> Void
}

extension VaultSketch {
    /// Returns the associated data of a box of an item.
    func associatedData(itemID: [UInt8], revision: UInt64, salt: [UInt8], part: Int) -> [UInt8] {
        label("item") + id + itemID + u64(revision) + salt + u32(part)
    }

    func putFields(_ item: SketchItem) -> SketchPut {
        SketchPut(
            itemID: item.id,
            revision: item.revision,
            salt: salt(of: item),
            key: item.key,
            match: item.matchContent,
            metadata: item.metadata,
            secret: item.secret?.content
        )
    }

    /// Returns the record that puts `item`.
    func put(_ item: SketchItem, _ edit: SketchPut.Edit = { _ in }) -> SketchRecord {
        var put = putFields(item)
        edit(&put)
        func box(_ part: Int, _ key: [UInt8], _ content: [UInt8], _ edit: SketchBox.Edit) -> [UInt8] {
            let data = associatedData(itemID: put.itemID, revision: put.revision, salt: put.salt, part: part)
            return SketchBox(key, data, content, edit).sealed(randomness)
        }
        let metadata = box(2, put.key.key("meta"), put.metadata, put.metadataBox)
        let secret = put.secret.map { box(3, put.key.key("secret"), $0, put.secretBox) } ?? []
        // An attacker who changes the fields of a put cannot recompute the hash.
        var head = put.itemID + u64(put.revision) + put.salt + put.key.handle
        head += u32(192) + u32(UInt32(metadata.count)) + u32(UInt32(secret.count)) + zeros(4)
        let match = put.match + (put.hash ?? H(32, nil, "file", head + metadata + secret)) + put.matchEnd
        let boxes = [box(1, put.key.group.key("match"), match, put.matchBox), metadata, secret]
        var body = put.itemID + u64(put.revision) + put.salt + (put.handle ?? put.key.handle)
        for (part, box) in boxes.enumerated() { body += u32(put.lengths[part + 1] ?? UInt32(box.count)) }
        return SketchRecord(kind: 1, body: body + put.reserved + boxes.flatMap { $0 } + put.end)
    }

    /// Returns the record that deletes `item`, section 8.5; `edit` changes the input of the tag.
    func delete(_ item: SketchItem, revision: UInt64, _ edit: (inout [UInt8]) -> Void = { _ in }) -> SketchRecord {
        var body = item.id + u64(revision) + randomness.bytes(8, "delete salt \(item.id.hex) \(revision)")
        body += item.key.group.id + u32(item.key.group.epoch) + zeros(4)
        edit(&body)
        return SketchRecord(kind: 2, body: body + H(32, item.key.group.key("delete"), "delete", id + body))
    }
}
