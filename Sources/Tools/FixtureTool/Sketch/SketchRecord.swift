/// A record of section 8.
struct SketchRecord {
    var kind: UInt8
    var flags: UInt8 = 0
    var reserved = zeros(2)
    /// Changes the size of the body.
    var length: (Int) -> UInt32 = { UInt32($0) }
    /// Changes the finished body.
    var edit: (inout [UInt8]) -> Void = { _ in }
    /// Whether a reader takes the record for valid; otherwise it changes nothing for the records after it.
    var counts = true
    private let make: (inout SketchLineage) -> [UInt8]

    /// Makes a record whose body follows from the records before it.
    init(kind: UInt8, body: @escaping (inout SketchLineage) -> [UInt8]) {
        self.kind = kind
        make = body
    }

    init(kind: UInt8, flags: UInt8 = 0, body: [UInt8]) {
        self.init(kind: kind) { _ in body }
        self.flags = flags
    }

    func bytes(_ lineage: inout SketchLineage) -> [UInt8] {
        var next = lineage
        var body = make(&next)
        if counts { lineage = next }
        edit(&body)
        return [kind, flags] + reserved + u32(length(body.count)) + body
    }

    /// The body of the record if there are none before it.
    var body: [UInt8] {
        var lineage = SketchLineage()
        return make(&lineage)
    }

    /// Returns the record with a change of the finished body.
    func edited(_ edit: @escaping (inout [UInt8]) -> Void) -> SketchRecord {
        var record = self
        record.edit = edit
        return record
    }

    /// Returns a record of a kind that no version defines.
    static func unknown(isCritical: Bool = false, kind: UInt8 = 99) -> SketchRecord {
        SketchRecord(kind: kind, flags: isCritical ? 1 : 0, body: Array("from the future".utf8))
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
    var writer: [UInt8]
    var place: UInt64
    var previous: UInt64
    /// The salt of the revision that this one replaces.
    var replaced: [UInt8]
    var past: UInt8 = 0
    var reserved = zeros(3)
    /// The content of the match box before the hash.
    var match: [UInt8]
    var metadata: [UInt8]
    /// Whether there is a metadata box.
    var hasMetadata = true
    var secret: [UInt8]?

    /// Replacements for the handle and for the sizes of the three boxes, made by someone who cannot open the match box.
    var handle: [UInt8]?
    var lengths: [Int: UInt32] = [:]
    /// Replaces the hash of the rest of the put.
    var hash: [UInt8]?
    /// Bytes after the hash.
    var matchEnd: [UInt8] = []
    /// Bytes after the boxes.
    var end: [UInt8] = []
    var matchBox: SketchItemBox.Edit = { _ in }
    var metadataBox: SketchItemBox.Edit = { _ in }
    var secretBox: SketchItemBox.Edit = { _ in }

    typealias Edit = (inout SketchPut) -> Void

    /// Returns the fields before the boxes.
    fileprivate func head(handle: [UInt8], lengths: [UInt32]) -> [UInt8] {
        itemID + u64(revision) + salt + handle + writer + u64(place) + u64(previous) + replaced
            + lengths.flatMap { u32($0) } + [past] + reserved
    }
}

extension VaultSketch {
    /// Returns the fields of a put of `item` after the records that `lineage` knows.
    func putFields(_ item: SketchItem, _ lineage: SketchLineage) -> SketchPut {
        let writer = item.writer ?? writer
        return SketchPut(
            itemID: item.id,
            revision: item.revision,
            salt: salt(of: item),
            key: item.key,
            writer: writer,
            place: item.place ?? lineage.place,
            previous: lineage.seen(of: writer, in: item.key.group),
            replaced: lineage.currentSalt(of: item.id, in: item.key.group),
            match: item.matchContent,
            metadata: item.metadata,
            secret: item.secret?.content
        )
    }

    /// Returns the record that puts `item`.
    func put(_ item: SketchItem, _ edit: @escaping SketchPut.Edit = { _ in }) -> SketchRecord {
        SketchRecord(kind: 1) { lineage in
            var put = putFields(item, lineage)
            edit(&put)
            if put.past == 0 {
                let group = put.key.group
                lineage.see(put.place, of: put.writer, in: group)
                lineage.end(put.replaced, of: put.itemID, in: group)
                lineage.add(put.itemID, put.revision, salt: put.salt, in: group)
            }
            return sealed(put)
        }
    }

    private func sealed(_ put: SketchPut) -> [UInt8] {
        func box(_ part: Int, _ content: [UInt8], _ edit: SketchItemBox.Edit) -> [UInt8] {
            var box = itemBox(part, of: put.itemID, put.revision, salt: put.salt, key: put.key, content)
            edit(&box)
            return box.sealed(randomness)
        }
        let metadata = put.hasMetadata ? box(2, put.metadata, put.metadataBox) : []
        let secret = put.secret.map { box(3, $0, put.secretBox) } ?? []
        let head = put.head(handle: put.key.handle, lengths: [176, UInt32(metadata.count), UInt32(secret.count)])
        let match = put.match + (put.hash ?? H(32, nil, "file", head + metadata + secret)) + put.matchEnd
        let boxes = [box(1, match, put.matchBox), metadata, secret]
        let lengths = boxes.enumerated().map { put.lengths[$0 + 1] ?? UInt32($1.count) }
        return put.head(handle: put.handle ?? put.key.handle, lengths: lengths) + boxes.flatMap { $0 } + put.end
    }

    /// Returns the record that ends the revision `item`, section 8.5; `edit` changes the input of the tag.
    func delete(
        _ item: SketchItem,
        revision: UInt64? = nil,
        _ edit: (inout [UInt8]) -> Void = { _ in }
    ) -> SketchRecord {
        let group = item.key.group
        let salt = salt(of: item)
        var body = item.id + u64(revision ?? item.revision) + salt + group.id + u32(group.epoch) + zeros(4)
        edit(&body)
        body += H(32, group.key("delete"), "delete", id + body)
        return SketchRecord(kind: 2) { [body] lineage in
            lineage.end(salt, of: item.id, in: group)
            return body
        }
    }

    /// Returns a seen record, section 8.8; `edit` changes the input of the tag.
    func seen(
        _ writers: [SketchWriter],
        in group: SketchGroup,
        _ edit: (inout [UInt8]) -> Void = { _ in }
    ) -> SketchRecord {
        var body = group.id + u32(group.epoch) + u32(writers.count) + writers.flatMap(\.bytes)
        edit(&body)
        body += H(32, group.key("delete"), "seen", id + body)
        return SketchRecord(kind: 5) { [body] lineage in
            for writer in writers { lineage.see(writer.place, of: writer.id, in: group) }
            return body
        }
    }
}
