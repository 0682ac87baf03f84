// The directory and the frame of the worked example.

extension VaultExample {
    var directory: String {
        let box = SketchBox(vault.key("snapshot"), label("dir"), zeros(24))
        return """
            ## 4. Snapshot: a directory without sections (section 5.1)

            """ + "\n"
                + shown(
                    file.directory.lowerBound,
                    [(24, "nonce of the box"), (file.directory.count - 24, "sealed content of the box")]
                ) + "\n"
                + values([("key of the box", box.key), ("associated data", box.associatedData), random(box)]) + "\n"
                + HexTable(
                    box.text,
                    [
                        (4, "size 24"), (4, "number of sections: 0"), (4, "zero"),
                        (8, "history since the beginning of the vault"), (8, "time: none"),
                        (box.text.count - 28, "zeros"),
                    ]
                )
                .text("plaintext")
    }

    private var frameText: [UInt8] {
        var lineage = SketchLineage()
        return vault.frames[0].text(1, &lineage)
    }

    /// The body of the put, between the heads of the text and of the record, and the zeros.
    private var putBody: [UInt8] {
        let byteCount = frameText[8..<12].reversed().reduce(0) { $0 << 8 | Int($1) } - 8
        return Array(frameText[24..<24 + byteCount])
    }

    var frame: String {
        let start = file.frames[0].lowerBound
        let text = frameText
        return """
            ## 5. The frame of the first transaction (section 6)

            """ + "\n"
                + shown(file.frames[0].lowerBound, frameParts(1, chain: "chain(0)"))
                    + """

                    chain(0) is computed from the header; it takes the place of the associated data in the nonce. The associated data of
                    the body is the head, which holds both. chain(1) is computed from chain(0) and the hash of the frame; the head of the
                    next frame would hold it.

                    """ + "\n"
                + values([
                    ("chain(0)", file.chains[0]), ("associated data", bytes(start, 96)),
                    ("key of the body", vault.key("frame")), random(vault.key("frame"), file.chains[0], text),
                    ("hash of the frame", H(32, nil, "file", Array(file.bytes[file.frames[0]]))),
                    ("chain(1)", file.chains[1]),
                ]) + "\n" + plaintext
    }

    private var plaintext: String {
        let body = putBody
        let sizes = boxes.map(\.sealedByteCount)
        let head: [(byteCount: Int, what: String)] = [
            (8, "time: 2023-11-14 22:13:21 UTC"), (4, "size of records \(body.count + 8)"), (4, "number of records 1"),
            (1, "record kind 1: put"), (1, "flags"), (2, "zero"), (4, "size of the body \(body.count)"),
        ]
        let put: [(byteCount: Int, what: String)] = [
            (16, "item id"), (8, "revision 1"), (8, "revision salt"), (8, "key handle"), (8, "writer id"),
            (8, "place: 1 × 1,048,576 + 0"), (8, "previous place: none"), (8, "salt of the replaced revision: none"),
            (4, "size of the match box \(sizes[0])"), (4, "size of the metadata box \(sizes[1])"),
            (4, "size of the secret box \(sizes[2])"), (1, "not past"), (3, "zero"),
        ]
        var parts: [(byteCount: Int, what: String)] = []
        for (name, byteCount) in zip(["match", "metadata", "secret"], sizes) {
            parts += [(8, "\(name) box: start of the nonce"), (byteCount - 8, "\(name) box: sealed content")]
        }
        parts.append((frameText.count - 24 - body.count, "zeros"))
        return "The plaintext (sections 6.2, 8 and 8.1):\n\n"
            + HexTable(frameText, head + put + parts.filter { $0.byteCount > 0 }).text("plaintext")
    }

    /// The match, metadata and secret box of the item.
    private var boxes: [SketchItemBox] {
        let body = putBody
        let contents = [
            item.matchContent + H(32, nil, "file", Array(body[..<88] + body[264...])), item.metadata,
            item.secret?.content ?? [],
        ]
        return contents.enumerated().map { number, content in
            vault.itemBox(number + 1, of: item.id, 1, salt: vault.salt(of: item), key: item.key, content)
        }
    }

    var itemBoxes: String {
        let group = item.key.group
        return """
            ### 5.1 The boxes of the item (sections 8.2 to 8.4)

            K_digest (section 9.3) is the key of all digests. That of the primary key is the attribute digest of `svce`, which
            leads, and half of a digest of the class and the canonical values.

            The nonce of an item box (section 1.3) is 8 bytes that stand before the sealed content, the revision salt and the
            revision. What is sealed ends with a byte 80 and zeros.

            """ + "\n"
                + values([
                    ("K_match", group.key("match")), ("K_digest", group.key("digest")),
                    ("K_meta", item.key.key("meta")),
                    ("K_secret", item.key.key("secret")), ("hashed for its second half", item.digestInput),
                ])
                + "\nThe match box:\n\n"
                + explained(
                    boxes[0],
                    [
                        (1, "item class 1: genp"), (1, "flags"), (6, "zero"), (8, "creation order: the place"),
                        (8, "time when the revision was written"), (16, "digest of the primary key"),
                        (8, "attribute digest of `acct`"), (56, "unused attribute digests"),
                        (32, "hash of the record except this box"),
                    ]
                )
                + "\nThe metadata box:\n\n"
                + explained(boxes[1], [(item.metadata.count, "keyed archive of the attributes")])
                + "\nThe secret box:\n\n" + explained(boxes[2], [(1, "form 0: data"), (6, "`sesame`")])
    }
}
