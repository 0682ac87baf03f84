// The group section and the run of the second worked example.

extension MergeExample {
    /// The parts of the group section in their order.
    private static let parts = ["list", "fence", "page 1", "page 2", "block", "secret"]

    private func byteCount(_ name: String) -> Int { boxes[name].text.count + 40 }

    /// Returns the offset of a part from the start of the section.
    private func offset(_ name: String) -> Int {
        Self.parts.prefix { $0 != name }.reduce(0) { $0 + byteCount($1) }
    }

    private func unit(_ name: String) -> Int { offset(name) / 64 }

    private func shownPart(_ name: String) -> String {
        shown(file.sections[0].lowerBound + offset(name), boxParts(byteCount(name))) + "\n"
    }

    var groupSection: [String] {
        [
            """
            ## 5. The group section (section 5.2)

            The section starts at offset \(hexadecimal(file.sections[0].lowerBound)) of the file. The fence, the two pages, \
            the block and the secret start
            \(unit("fence")), \(unit("page 1")), \(unit("page 2")), \(unit("block")) and \(unit("secret")) units behind \
            that.

            """,
            blockList, fence, digestPage, itemPage, block, secret, lookup,
        ]
    }

    private func hexadecimal(_ offset: Int) -> String {
        let digits = String(offset, radix: 16)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    private var blockList: String {
        let kinds = ["1: fence", "2: digest pages", "3: item pages", "4: metadata block", "5: secrets"]
        let counts = ["fences 1", "pages 1", "pages 1", "items in the block 1", "secrets 1"]
        let entries = zip(Self.parts.dropFirst(), zip(kinds, counts)).flatMap { name, texts -> [(Int, String)] in
            let (kind, count) = texts
            return [
                (1, "kind \(kind)"), (3, "zero"), (4, count), (4, "offset in units \(unit(name))"),
                (4, "length in units \(byteCount(name) / 64)"),
                (8, name == "block" ? "key handle" : "no key handle"), (16, "check"),
            ]
        }
        return """
            ### 5.1 The block list (section 5.7)

            """ + "\n" + shownPart("list") + explained("list", entries)
    }

    private var fence: String {
        """
        ### 5.2 The fence (section 5.4)

        """ + "\n" + shownPart("fence")
            + explained(
                "fence",
                [
                    (2, "number of data keys: 1"), (1, "flags: none"), (1, "zero"), (4, "number of writers: 1"),
                    (8, "key handle"), (8, "writer W"), (8, "its place: 1 × 1,048,576 + 0"),
                    (16, "digest fence of page 0"), (16, "item fence of page 0"),
                ]
            )
    }

    private var digestPage: String {
        """
        ### 5.3 The digest page (section 5.3)

        """ + "\n" + shownPart("page 1")
            + explained(
                "page 1",
                [
                    (2, "number of entries: 1"), (2, "zero"), (16, "digest of the primary key"), (16, "item id"),
                    (8, "revision 1"), (8, "revision salt"), (8, "creation order: 1 × 1,048,576 + 0"),
                    (4, "offset of the metadata block in units \(unit("block"))"),
                    (2, "its length in units \(byteCount("block") / 64)"), (2, "number of the item in its block: 0"),
                    (4, "offset of the secret in units \(unit("secret"))"),
                    (2, "its length in units \(byteCount("secret") / 64)"), (2, "data key: number 0 in the fence"),
                    (1, "item class 1: genp"), (1, "flags"), (4, "writer: number 0 in the fence"),
                    (8, "place: 1 × 1,048,576 + 0"), (8, "sequence number of its transaction: 1"),
                    (8, "time when the revision was written"), (8, "attribute digest of `acct`"),
                    (3938, "zeros, to the end of the page"),
                ]
            )
    }

    private var itemPage: String {
        """
        ### 5.4 The item page (section 5.3)

        """ + "\n" + shownPart("page 2")
            + explained(
                "page 2",
                [
                    (2, "number of entries: 1"), (2, "zero"), (16, "item id"),
                    (4, "number of the digest page 0 × 256 + number of the entry 0"),
                    (4028, "zeros, to the end of the page"),
                ]
            )
    }

    private var block: String {
        let columns = kim.columns
        let archive = kim.metadata.count - 12 - columns[0].count - columns[1].count
        return """
            ### 5.5 The metadata block (section 5.5)

            """ + "\n" + shownPart("block")
                + explained(
                    "block",
                    [
                        (1, "method 0: stored"), (3, "zero"), (4, "raw length \(boxes["block"].content.count - 8)"),
                        (4, "number of items: 1"), (16, "item id"), (8, "revision 1"), (8, "revision salt"),
                        (4, "size of the metadata \(kim.metadata.count)"), (1, "item class 1: genp"), (3, "zero"),
                        (4, "size of column 1"), (columns[0].count, "column 1: `svce`"), (4, "size of column 2"),
                        (columns[1].count, "column 2: `acct`"), (archive, "keyed archive of the attributes"),
                    ]
                )
    }

    private var secret: String {
        """
        ### 5.6 The secret (section 8.4)

        """ + "\n" + shownPart("secret") + explained("secret", [(1, "form 0: data"), (6, "`sesame`")])
    }

    private var lookup: String {
        let start = file.sections[0].lowerBound
        let (block, secret) = (start + offset("block"), start + offset("secret"))
        return """
            ### 5.7 A lookup

            A reader looks for the generic password of account `kim` and service `mail.example.com`:

            1. The digest of the primary key is computed as in section 5.1 of the first example. It is
               `\(kim.digest.hex)`.
            2. The last digest fence that is at most that digest is the one of page 0. The page is opened; its entry 0 has the
               digest.
            3. The metadata block is \(unit("block")) units behind the start of the section, at \
            \(hexadecimal(block)) in the file, and \(byteCount("block") / 64) units long.
               Its item 0 has the id, revision and salt of the entry; the archive in it gives the attributes.
            4. The secret is \(unit("secret")) units behind the start of the section, at \(hexadecimal(secret)). It opens \
            with K_secret.

            A lookup by item id takes the item page first. Its entry says that the item is entry 0 of digest page 0.

            """
    }

    var run: String {
        let range = file.sections[1]
        let body = settings.body
        let signed = label("settings") + vault.id + body.dropLast(64)
        return """
            ## 6. The run (section 5.6)

            """ + "\n" + shown(range.lowerBound, boxParts(range.count)) + "\n"
                + explained(
                    "run",
                    [
                        (8, "sequence number of the transaction: 2"), (8, "its time: 2023-11-14 22:13:22 UTC"),
                        (8, "mark: none"), (8, "zero"), (1, "record kind 4: settings"), (1, "flags"), (2, "zero"),
                        (4, "size of the body \(body.count)"), (8, "revision 1"),
                        (4, "size of the archive \(settingsArchive.count)"), (4, "zero"),
                        (settingsArchive.count, "keyed archive: `historyRevisions` is 3"), (64, "signature"),
                    ]
                )
                + "\nThe signature is made with the team secret (section 8.7):\n\n" + values([("signed", signed)])
    }
}
