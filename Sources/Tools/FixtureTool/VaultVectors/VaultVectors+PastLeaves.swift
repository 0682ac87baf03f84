// Section 5.3: past leaves.

extension VaultVectors {
    static let pastLeaves: [Vector] = validPast + damagedPast + pastEntries + forDevices

    /// A section whose item `ann` has an earlier revision, which `edit` changes.
    private func past(failures: Int? = nil, _ edit: @escaping (inout SketchGroupSection) -> Void) -> Vector {
        compacted(section: { Self.withPast(&$0, edit) }, failures: failures) { _, items in items }
    }

    /// The same, where the whole snapshot is wrong.
    private func wrongPast(_ edit: @escaping (inout SketchGroupSection) -> Void) -> Vector {
        snapshot { Self.withPast(&$0, edit) }
    }

    private static func withPast(_ section: inout SketchGroupSection, _ edit: (inout SketchGroupSection) -> Void) {
        var old = section.items[0]
        section.items[0] = old.revised(secret: "new")
        section.items[0].place = 3 << 20 + 1
        old.ended = 3
        section.past = [old]
        edit(&section)
    }

    private static let validPast: [Vector] = [
        vault("past", "an earlier revision in a past leaf is not current").past { _ in },
        vault("past_alone", "a section with past revisions and without items").compacted(of: ["ann"]) { vault, items in
            var gone = items[0]
            gone.ended = 1
            let writer = SketchWriter(id: vault.writer, place: 1 << 20)
            vault.sections = [
                SketchGroupSection(vault.group(), []) { ($0.past, $0.seen) = ([gone], [writer]) }
            ]
            return vault.append(vault.item("zoe"))
        },
        vault("past_two_leaves", "revisions of two items in two past leaves").past {
            $0.past.append($0.items[1].revised())
            $0.past.append($0.items[1].revised().revised())
            $0.entriesPerLeaf = 2
        },
        vault("past_leaves_of_one_item", "three revisions of an item, each in a past leaf").past {
            $0.past = [$0.past[0], $0.past[0].revised(), $0.past[0].revised().revised()]
            $0.entriesPerLeaf = 1
        },
        vault("past_ended_later", "a revision that ended in a transaction after the last one").past {
            $0.past[0].ended = 1 << 63
        },
        vault("past_ended_at_once", "a revision that ended in the transaction that wrote it").past {
            $0.past[0].ended = 1
        },
        vault("past_changed", "a past revision with a creation order besides the place")
            .past { $0.past[0].place = 3 << 20 + 9 },
        vault("past_of_unknown_writer", "a past revision of a writer that the fence does not have")
            .past { $0.past[0].writer = [1] + zeros(7) },
        vault("past_place_beyond_writer", "a past revision with a place beyond that of its writer in the fence")
            .past { $0.past[0].place = 1 << 63 - 1 },
        vault("past_flags", "a past revision with a flag that the fence lacks")
            .past { $0.past[0].attributes["sync"] = .int(1) },
        vault("past_of_live_revision", "a past revision with the name of a live one")
            .past { $0.past = [$0.items[1]] },
        vault("past_without_key")
            .comment("a past revision whose handle has no key entry: its boxes are not read")
            .compacted { vault, items in
                let gone = vault.item("gone", key: vault.dataKey(.ck)).added(by: 1)
                vault.sections = [
                    SketchGroupSection(vault.group(), items) { section in
                        section.past = [gone]
                        section.pastEntries = { $0[0].metadata.content = [1] }
                    }
                ]
                return items
            },
    ]

    private static let damagedPast: [Vector] = [
        vault("past_metadata", "metadata that is no archive, in a past leaf")
            .past(failures: 1) { $0.pastEntries = { $0[0].metadata.content = [1] } },
        vault("past_secret_does_not_open", "a secret that does not open, in a past leaf").past(failures: 1) {
            $0.pastEntries = { $0[0].secret?.key = zeros(32) }
        },
        vault("past_digest_differs", "a past revision with the digest of another primary key")
            .past(failures: 1) { $0.pastEntries = { $0[0].digest.flip(15) } },
    ]

    private func pastEntry(_ edit: @escaping (inout SketchLeafEntry) -> Void) -> Vector {
        wrongPast { $0.pastEntries = { edit(&$0[0]) } }
    }

    private static let pastEntries: [Vector] = [
        vault("past_revision_0", "revision 0").pastEntry { $0.revision = 0 },
        vault("past_revision_2_63", "revision 2^63").pastEntry { $0.revision = 1 << 63 },
        vault("past_salt_0", "a revision salt of zero bytes").pastEntry { $0.salt = zeros(8) },
        vault("past_writer_0", "a writer id of zero bytes").pastEntry { $0.writer = zeros(8) },
        vault("past_place_0", "place 0").pastEntry { $0.place = 0 },
        vault("past_place_2_63", "place 2^63").pastEntry { $0.place = 1 << 63 },
        vault("past_contested", "the contested flag of a past revision").pastEntry { $0.flags |= 16 },
        vault("past_flag_6", "a flag that is not assigned").pastEntry { $0.flags |= 64 },
        vault("past_creation_order_is_place", "a past revision with a creation order that is the place")
            .pastEntry { $0.flags |= 32 },
        vault("past_data_key_beyond_fence", "data key 1 where there is only number 0").pastEntry { $0.dataKey = 1 },
        vault("past_without_end", "a past entry without the transaction that ended it")
            .wrongPast { $0.pastLeaves = { $0[0].content.removeLast(16) } },
        vault("past_ids_unsorted", "two items in the wrong order").wrongPast {
            $0.past.append($0.items[1])
            $0.pastEntries = { $0.reverse() }
        },
        vault("past_revisions_unsorted", "two revisions in the wrong order").wrongPast {
            $0.past.append($0.past[0].revised())
            $0.pastEntries = { $0.reverse() }
        },
        vault("past_salts_unsorted", "two revisions with one number in the wrong order").wrongPast {
            $0.past.append($0.past[0])
            $0.past[1].salt = [1] + zeros(7)
            $0.pastEntries = { $0.reverse() }
        },
        vault("past_twice", "a past revision twice").wrongPast { $0.past.append($0.past[0]) },
        vault("past_leaves_overlap", "an item id that ends a past leaf is above the one that begins the next").wrongPast
        {
            $0.past += $0.items[1...]
            $0.entriesPerLeaf = 2
            $0.pastEntries = { $0.swapAt(1, 2) }
        },
        vault("past_leaf_boxes_too_long", "16 bytes between the last box of a past leaf and the next part")
            .wrongPast { $0.pastLeaves = { $0[0].boxes += zeros(16) } },
        vault("past_leaf_empty", "a past leaf of no entries")
            .wrongPast { $0.pastLeaves = { $0[0].content = zeros(4) } },
        vault("past_leaf_reserved", "a reserved byte of the page of a past leaf")
            .wrongPast { $0.pastLeaves = { $0[0].content[3] = 1 } },
        vault("past_leaf_of_other_list", "a past leaf whose page is sealed for a live one")
            .wrongPast { $0.pastLeaves = { $0[0].box = { $0.associatedData.put(u32(1), at: 60) } } },
    ]

    // MARK: - Readers that lack a key

    private static let forDevices: [Vector] = [
        vault("past_of_locked_item")
            .comment("metadata of a past revision that are no archive, for a machine that lacks the data key")
            .compacted(
                section: { withPast(&$0) { $0.pastEntries = { $0[0].metadata.content = [1] } } },
                unlock: [.device("desk")],
                locked: 3
            ) { vault, _ in
                vault.addDevice("desk")
                vault.add(.dk)
                return vault.append(vault.item("dk", key: vault.dataKey(.dk)))
            },
        vault("past_contested_of_locked_item", "the contested flag of a past revision, without the data keys")
            .compacted(
                section: { withPast(&$0) { $0.pastEntries = { $0[0].flags |= 16 } } },
                expect: "snapshot failure",
                unlock: [.device("desk")]
            ) { vault, _ in
                vault.addDevice("desk")
                return nil
            },
    ]
}

extension VaultSketch {
    /// Adds the group `work`, and returns a data key in it.
    @discardableResult
    mutating func addWork(_ protection: Protection = .ak) -> SketchDataKey {
        let key = dataKey(protection, group: "work")
        add(key.group)
        keybag.append(dataKeyEntry(key))
        return key
    }
}
