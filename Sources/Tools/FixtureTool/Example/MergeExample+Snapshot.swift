// The group section and the run of the second worked example.

extension MergeExample {
    /// The parts of the group section in their order, without the filler before the fence.
    private static let parts = ["page", "metadata", "secret", "id page"]

    /// Returns the offset of a part from the start of the section.
    private func offset(_ name: String) -> Int {
        if name == "fence" { return file.sections[0].count - boxes["fence"].sealedByteCount }
        return Self.parts.prefix { $0 != name }.reduce(0) { $0 + boxes[$1].sealedByteCount }
    }

    private func shownPart(_ name: String) -> String {
        shown(file.sections[0].lowerBound + offset(name), boxes[name].parts) + "\n"
    }

    private func hexadecimal(_ offset: Int) -> String {
        let digits = String(offset, radix: 16)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    var groupSection: [String] { [sectionHead, page, boxesOfItem, idPage, fence, lookup] }

    private var sectionHead: String {
        """
        ## 5. The group section (section 5.2)

        The section starts at offset \(hexadecimal(file.sections[0].lowerBound)) of the file. It has no dictionaries and no \
        past leaves: a live leaf, which is
        a page and the boxes of one item, is followed by an id page, and the fence ends the section.

        """
    }

    private var page: String {
        """
        ### 5.1 The page of the leaf (section 5.3)

        """ + "\n" + shownPart("page")
            + explained(
                "page",
                [
                    (2, "number of entries: 1"), (2, "zero"), (16, "digest of the primary key"), (16, "item id"),
                    (8, "revision 1"), (8, "revision salt"), (8, "writer W"), (8, "place: 1 × 1,048,576 + 0"),
                    (8, "sequence number of its transaction: 1"), (8, "time when the revision was written"),
                    (2, "size of the metadata box: \(boxes["metadata"].sealedByteCount / 16) × 16"),
                    (2, "size of the secret box: \(boxes["secret"].sealedByteCount / 32) × 32"),
                    (2, "data key: number 0 in the fence"), (2, "dictionary: none"), (1, "item class 1: genp"),
                    (1, "flags: none, so the creation order is the place"), (8, "attribute digest of `acct`"),
                ]
            )
    }

    private var boxesOfItem: String {
        """
        ### 5.2 The metadata box (sections 5.3 and 8.3)

        The boxes of the item follow its page. They are those of the put in section 5.1 of the first example, byte for byte.

        """ + "\n" + shownPart("metadata")
            + explained("metadata", [(kim.metadata.count, "keyed archive of the attributes")])
                + """

                ### 5.3 The secret box (section 8.4)

                """ + "\n" + shownPart("secret") + explained("secret", [(1, "form 0: data"), (6, "`sesame`")])
    }

    private var idPage: String {
        """
        ### 5.4 The id page (section 5.3)

        """ + "\n" + shownPart("id page")
            + explained(
                "id page",
                [
                    (2, "number of entries: 1"), (2, "zero"), (4, "first 4 bytes of the item id"),
                    (4, "number of the leaf 0 × 64 + number of the entry 0"),
                ]
            )
    }

    private var fence: String {
        let start = file.sections[0].lowerBound
        let fillerOffset = offset("id page") + boxes["id page"].sealedByteCount
        let fillerByteCount = offset("fence") - fillerOffset
        let fill =
            fillerByteCount == 0 ? "" : shown(start + fillerOffset, [(fillerByteCount, "filler")]) + "\n"
        return """
            ### 5.5 The fence (section 5.4)

            """ + "\n" + fill + shownPart("fence")
                + explained(
                    "fence",
                    [
                        (2, "number of data keys: 1"), (2, "no dictionaries"), (1, "flags: none"), (3, "zero"),
                        (4, "number of writers: 1"), (4, "number of live leaves: 1"), (4, "no past leaves"),
                        (4, "number of id pages: 1"), (4, "no past entries"), (8, "key handle"), (8, "writer W"),
                        (8, "its place: 1 × 1,048,576 + 0"), (16, "leaf 0: digest of its first entry"),
                        (4, "its end: \(offset("id page"))"),
                        (2, "size of its page in units: \(boxes["page"].sealedByteCount / 64)"), (2, "zero"),
                        (4, "id page 0: first 4 bytes of an id"), (4, "its end: \(fillerOffset)"),
                    ]
                )
    }

    private var lookup: String {
        let start = file.sections[0].lowerBound
        let (metadata, secret) = (boxes["metadata"].sealedByteCount, boxes["secret"].sealedByteCount)
        return """
            ### 5.6 A lookup

            A reader looks for the generic password of account `kim` and service `mail.example.com`:

            1. The digest of the primary key is computed as in section 5.1 of the first example. It is
               `\(kim.digest.hex)`.
            2. The last leaf whose digest in the fence is at most that digest is leaf 0. The section begins with it, and
               its page is \(boxes["page"].sealedByteCount) bytes long. The page is opened; its entry 0 has the digest.
            3. The boxes of entry 0 follow the page, at \(hexadecimal(start + offset("metadata"))): the metadata box of \
            \(metadata) bytes, whose archive gives the
               attributes, and the secret box of \(secret) bytes. The rest of their nonces, the revision salt and the
               revision, are in the entry.

            A lookup by item id takes the id page first. Its entry says that the item is entry 0 of leaf 0.

            """
    }

    var run: String {
        let range = file.sections[1]
        let body = settings.body
        let signed = label("settings") + vault.id + body.dropLast(64)
        return """
            ## 6. The run (section 5.6)

            """ + "\n" + shown(range.lowerBound, boxes["run"].parts) + "\n"
                + explained(
                    "run",
                    [
                        (8, "sequence number of the transaction: 2"), (8, "its time: 2023-11-14 22:13:22 UTC"),
                        (1, "record kind 4: settings"), (1, "flags"), (2, "zero"),
                        (4, "size of the body \(body.count)"), (8, "revision 1"),
                        (4, "size of the archive \(settingsArchive.count)"), (4, "zero"),
                        (settingsArchive.count, "keyed archive: `historyRevisions` is 3"), (64, "signature"),
                    ]
                )
                + "\nThe signature is made with the team secret (section 8.7):\n\n" + values([("signed", signed)])
    }
}
