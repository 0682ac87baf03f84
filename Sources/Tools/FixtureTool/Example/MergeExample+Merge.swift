// The two copies and their merge in the second worked example.

extension MergeExample {
    /// Returns the plaintext of the frame with the number `number`, from 1.
    private func frameText(_ number: Int, of vault: VaultSketch) -> [UInt8] {
        var lineage = SketchLineage()
        lineage.read(section, in: vault)
        var text: [UInt8] = []
        for (index, frame) in vault.frames[..<number].enumerated() {
            text = frame.text(vault.baseSequence + UInt64(index) + 1, &lineage)
        }
        return text
    }

    /// Returns a frame and the values that it is sealed with.
    private func shownFrame(_ number: Int, of copy: some ExampleDocument, as kind: String = "file") -> String {
        let sequence = Int(copy.vault.baseSequence) + number
        let frame = copy.file.frames[number - 1]
        let chain = copy.file.chains[number - 1]
        let text = frameText(number, of: copy.vault)
        return copy.shown(frame.lowerBound, copy.frameParts(number, chain: "chain(\(sequence - 1))"), as: kind) + "\n"
            + values([
                ("chain(\(sequence - 1))", chain), copy.random(vault.key("frame"), chain, text),
                ("hash of the frame", H(32, nil, "file", Array(copy.file.bytes[frame]))),
                ("chain(\(sequence))", copy.file.chains[number]),
            ])
    }

    /// The parts of the plaintext before its first record.
    private func textHead(_ second: Int, _ text: [UInt8], records: Int) -> [(Int, String)] {
        let byteCount = text[8..<12].reversed().reduce(0) { $0 << 8 | Int($1) }
        return [
            (8, "time: 2023-11-14 22:13:\(second) UTC"), (4, "size of records \(byteCount)"),
            (4, "number of records \(records)"),
        ]
    }

    private func recordHead(_ kind: String, _ byteCount: Int) -> [(Int, String)] {
        [(1, "record kind \(kind)"), (1, "flags"), (2, "zero"), (4, "size of the body \(byteCount)")]
    }

    /// The parts of the record that puts `item`, whose boxes were kept as `name`.
    private func putParts(
        _ name: String,
        _ item: SketchItem,
        writer: String,
        place: String,
        previous: String,
        replaced: String,
        isPast: Bool = false
    ) -> [(Int, String)] {
        let sizes = ["match", "metadata", "secret"].map { boxes["\(name) \($0)"].sealedByteCount }
        return recordHead("1: put", 88 + sizes.reduce(0, +)) + [
            (16, "item id"), (8, "revision \(item.revision)"), (8, "revision salt"), (8, "key handle"),
            (8, "writer \(writer)"), (8, "place: \(place)"), (8, "previous place: \(previous)"),
            (8, "salt of the replaced revision: \(replaced)"), (4, "size of the match box \(sizes[0])"),
            (4, "size of the metadata box \(sizes[1])"), (4, "size of the secret box \(sizes[2])"),
            (1, isPast ? "past" : "not past"), (3, "zero"), (sizes[0], "match box"), (sizes[1], "metadata box"),
            (sizes[2], "secret box"),
        ]
    }

    private func table(_ text: [UInt8], _ parts: [(Int, String)]) -> String {
        let zeroByteCount = text.count - parts.reduce(0) { $0 + $1.0 }
        let all = parts + [(zeroByteCount, "zeros")]
        return HexTable(text, all.map { (byteCount: $0.0, what: $0.1) }).text("plaintext")
    }

    /// Returns the hash in a match box that was kept as `name`, and R of the three boxes.
    private func sealing(_ name: String) -> String {
        values(
            [("hash in the match box", Array(boxes["\(name) match"].content.suffix(32)))]
                + ["match", "metadata", "secret"].map { ("R of the \($0) box", random(boxes["\(name) \($0)"]).bytes) }
        )
    }

    private func json(_ item: SketchItem) -> String { "```json\n\(item.dumpLine)\n```\n" }

    var copyA: String {
        let text = frameText(1, of: vault)
        let place = "3 × 1,048,576 + 0"
        let parts = putParts(
            "A",
            kimOfA,
            writer: "W",
            place: place,
            previous: "1 × 1,048,576 + 0",
            replaced: "revision 1"
        )
        return """
            ## 7. Copy A: a change (section 6)

            The first frame after the snapshot. It has the sequence number after the base, and chain(2) in its head is computed
            from the header.

            """ + "\n" + shownFrame(1, of: self) + "\n" + table(text, textHead(23, text, records: 1) + parts)
                + """

                The boxes have the content of section 5.1 of the first example, but for the hash in the match box and the secret,
                which is `here`; the associated data has revision 2 and its salt.

                """ + "\n" + sealing("A") + "\nA reader of copy A returns:\n\n" + json(kimOfA)
    }

    var copyB: String {
        let (first, second) = (frameText(1, of: other.vault), frameText(2, of: other.vault))
        let delete = second[24...].prefix(80)
        return """
            ## 8. Copy B: other changes

            The first frame has two puts. The first is the same, byte for byte, as the first put of the merge in section 9.1,
            because this document derives R from the text that is sealed. The second put differs from the one in section 9.1
            only in byte 84, which is 0, and so in the hash in its match box.

            """ + "\n" + shownFrame(1, of: other, as: "other")
                + "\nThe match box of the second put:\n\n"
                + values([
                    ("hash in the match box", Array(boxes["lea of B match"].content.suffix(32))),
                    ("R of the match box", random(boxes["lea of B match"]).bytes),
                ])
                    + """

                    The second frame has a delete.

                    """ + "\n" + shownFrame(2, of: other, as: "other") + "\n"
                + table(
                    second,
                    textHead(24, second, records: 1) + recordHead("2: delete", 80) + [
                        (16, "item id of `lea`"), (8, "revision 2"), (8, "salt of the revision that ends"),
                        (8, "group id"), (4, "epoch 1"), (4, "zero"), (32, "tag"),
                    ]
                )
                + "\nThe tag is computed with K_delete (section 8.5):\n\n"
                + values([("hashed for the tag", vault.id + delete.dropLast(32))])
                + "\nA reader of copy B returns:\n\n" + json(kimOfB)
                + checked(first)
    }

    /// Returns nothing; the text about the puts of copy B is true.
    private func checked(_ text: [UInt8]) -> String {
        let merged = frameText(2, of: vault)
        let byteCount =
            8
            + putParts("B", kimOfB, writer: "", place: "", previous: "", replaced: "").dropFirst(4)
            .reduce(0) { $0 + $1.0 }
        precondition(text[16..<16 + byteCount] == merged[16..<16 + byteCount], "the first puts differ")
        let (one, other) = (Array(text[(16 + byteCount)...]), Array(merged[(16 + byteCount)...]))
        precondition(
            one[..<92] == other[..<92] && one[272..<600] == other[272..<600],
            "the second puts differ too much"
        )
        return ""
    }

    var merge: String {
        """
        ## 9. The merge (section 10.3)

        Copy B is merged into copy A. Both have the group `mail` with the same keys. Each has seen, of the two writers:

        | | from the fence | from its frames | seen of W | seen of X |
        | --- | --- | --- | --- | --- |
        | copy A | W: 1 × 1,048,576 | W: 3 × 1,048,576 | 3 × 1,048,576 | nothing |
        | copy B | W: 1 × 1,048,576 | X: 3 × 1,048,576 + 1 | 1 × 1,048,576 | 3 × 1,048,576 + 1 |
        | merged | | | 3 × 1,048,576 | 3 × 1,048,576 + 1 |

        A revision that is not live in a copy, though its place was seen there, has ended. So:

        | revision | writer, place | in copy A | in copy B | merged |
        | --- | --- | --- | --- | --- |
        | `kim` 1 | W, 1 × 1,048,576 | ended: place seen | ended: place seen | past |
        | `kim` 2, `here` | W, 3 × 1,048,576 | live | place not seen | live |
        | `kim` 2, `there` | X, 3 × 1,048,576 | place not seen | live | live |
        | `lea` 1 | X, 3 × 1,048,576 + 1 | place not seen | ended: place seen | past |

        `kim` has two live revisions with the number 2. The one with the greater salt is current, compared as bytes:

        """ + "\n"
            + values([("`here`, conflict", vault.salt(of: kimOfA)), ("`there`, current", vault.salt(of: kimOfB))])
                + """

                Merging copy A into copy B gives the same live revisions and the same seen places; only the frames differ.

                """
    }

    var mergeFrame: String {
        let text = frameText(2, of: vault)
        let group = vault.group()
        let seen = group.id + u32(1) + u32(1) + vault.otherWriter + u64(lea.order)
        let parts =
            putParts(
                "B",
                kimOfB,
                writer: "X",
                place: "3 × 1,048,576 + 0",
                previous: "none of X was seen",
                replaced: "`kim` 1"
            )
            + putParts(
                "lea",
                lea,
                writer: "X",
                place: "3 × 1,048,576 + 1",
                previous: "the place of the put before",
                replaced: "none",
                isPast: true
            )
            + recordHead("5: seen", 64) + [
                (8, "group id"), (4, "epoch 1"), (4, "number of writers 1"), (8, "writer X"),
                (8, "its place: 3 × 1,048,576 + 1"), (32, "tag"),
            ]
        return """
            ### 9.1 The frame of the merge

            One transaction of copy A, with what only copy B had: the live revision of `kim`, the past revision of `lea`, which
            the settings keep, and what copy B had seen. There is no delete, because copy B had seen no revision that is live
            in copy A.

            """ + "\n" + shownFrame(2, of: self) + "\n" + table(text, textHead(24, text, records: 3) + parts)
                + """

                The first put replaces `kim` 1, which has ended in copy A too; so it ends nothing, and both revisions stay live.
                Writer, place and salt are those of copy B. After this put a reader has seen place 3 × 1,048,576 of X.

                """ + "\n" + sealing("B")
                    + """

                    The second put is past: it makes nothing live, and does not change what was seen. Its metadata differs from that
                    of `kim` in the account and its secret is `open`.

                    """ + "\n" + sealing("lea")
                    + """

                    The seen record says that `lea` has ended. Without it, a merge with a third copy, in which `lea` is still live,
                    would take `lea` for an item that copy A has never seen. The tag is computed with K_delete (section 8.8):

                    """ + "\n" + values([("hashed for the tag", vault.id + seen)])
    }

    var result: String {
        """
        ### 9.2 The expected result

        A reader of the merged file returns one item, in the form defined in [Fixtures/README.md](../Fixtures/README.md). The
        conflict, the revision with the secret `here`, is still live: it becomes current if the other one is deleted. To
        resolve the conflict, a writer puts a revision that replaces one of them and deletes the other, in one transaction.

        """ + "\n" + json(kimOfB)
    }
}
