// Sections 5.5 to 5.7: metadata blocks, runs, history and block lists.

extension VaultVectors {
    private func block(isCompressed: Bool = true, _ edit: @escaping (inout SketchBlock) -> Void) -> Vector {
        snapshot {
            $0.isCompressed = isCompressed
            $0.block = edit
        }
    }

    /// A stored block whose raw bytes are wrong.
    func raw(_ edit: @escaping (inout [UInt8]) -> Void) -> Vector {
        snapshot {
            $0.isCompressed = false
            $0.rawBlock = edit
        }
    }

    static let blocks: [Vector] = [
        vault("block_method_2", "a method that does not exist").block { $0.method = 2 },
        vault("block_reserved", "a reserved byte of a block").block { $0.reserved = [0, 1, 0] },
        vault("block_not_a_stream", "bytes that are not a zlib stream").block { $0.payload[0] = 0 },
        vault("block_checksum", "a zlib stream whose checksum is wrong")
            .block { $0.payload[$0.payload.count - 1] ^= 1 },
        vault("block_stream_cut", "a zlib stream that ends early").block { $0.payload.removeLast(5) },
        vault("block_stream_followed", "a byte after the zlib stream").block { $0.payload.append(0) },
        vault("block_raw_length_too_small", "a zlib stream that gives a byte more than the raw length")
            .block { $0.rawLength -= 1 },
        vault("block_raw_length_too_large", "a zlib stream that gives a byte less than the raw length")
            .block { $0.rawLength += 1 },
        vault("block_stored_too_short", "stored bytes that are fewer than the raw length")
            .block(isCompressed: false) { $0.rawLength += 1 },
        vault("block_stored_too_long", "stored bytes that are more than the raw length")
            .block(isCompressed: false) { $0.rawLength -= 1 },
        vault("block_raw_deflate", "a deflate stream without the frame of zlib")
            .block { $0.payload = Array($0.payload.dropFirst(2).dropLast(4)) },
        vault("block_count_too_large", "three items where the count says four").raw { $0.put(u32(4), at: 0) },
        vault("block_count_too_small", "three items where the count says two").raw { $0.put(u32(2), at: 0) },
        vault("block_count_maximal", "three items where the count says 2^32 - 1")
            .raw { $0.put(u32(0xFFFF_FFFF as UInt32), at: 0) },
        vault("block_metadata_maximal", "metadata of 2^32 - 1 bytes")
            .raw { $0.put(u32(0xFFFF_FFFF as UInt32), at: 36) },
        vault("block_trailing_bytes", "bytes after the last item").raw { $0 += zeros(8) },
        vault("block_items_unsorted", "items in another order").snapshot {
            $0.isSorted = false; $0.items.reverse()
        },
        vault("block_length_maximal", "a length field of 2^32 - 1").snapshot { $0.blockBox = SketchBox.lengthMaximal },
        vault("block_padding", "padding that is not zero").snapshot { $0.blockBox = SketchBox.paddingNotZero },
        vault("block_bitflip", "a changed bit in a block")
            .damagedSnapshot { file in file.bytes.flip(file.sections[0].upperBound - 3 * 64 - 100) },
        vault("secret_bitflip", "a changed bit in a secret")
            .damagedSnapshot { file in file.bytes.flip(file.sections[0].upperBound - 30) },
        vault("secrets_swapped", "two secrets swapped").damagedSnapshot { file in
            let end = file.sections[0].upperBound
            let one = Array(file.bytes[end - 128..<end - 64])
            file.bytes.put(Array(file.bytes[end - 64..<end]), at: end - 128)
            file.bytes.put(one, at: end - 64)
        },
        vault("blocks_swapped", "two match entries that lead to each other's blocks, of the same key and size")
            .compacted(section: swappingBlocks, failures: 2) { _, items in
                items.max { $0.digest.lexicographicallyPrecedes($1.digest) }.map { [$0] }
            },
        vault("block_item_id_differs", "an item whose id is not that of its match entry").firstInBlock { $0.flip(4) },
        vault("block_revision_differs", "an item whose revision is not that of its match entry")
            .firstInBlock { $0.flip(20) },
        vault("block_salt_differs", "an item whose revision salt is not that of its match entry")
            .firstInBlock { $0.flip(28) },
    ]

    /// Makes two match entries refer to each other's blocks.
    private static func swappingBlocks(_ section: inout SketchGroupSection) {
        section.itemsPerBlock = 1
        section.entries = { entries in
            let offsets = entries.map(\.blockOffset)
            entries[0].blockOffset = offsets[1]
            entries[1].blockOffset = offsets[0]
        }
    }

    // MARK: - Block lists

    func list(_ edit: @escaping (inout [SketchPart]) -> Void) -> Vector {
        snapshot { $0.parts = edit }
    }

    static let lists: [Vector] = [
        vault("list_bitflip", "a changed bit in a block list")
            .damagedSnapshot { file in file.bytes.flip(file.sections[0].lowerBound + 50) },
        vault("list_reserved", "a reserved byte of a block list").list { $0[0].reserved = [0, 0, 1] },
        vault("list_kind_6", "a kind of part that does not exist").list { $0[4].kind = 6 },
        vault("list_check_differs", "a check that is not that of the part").list { $0[3].check.flip(0) },
        vault("list_fence_check_differs", "a check that is not that of the fence").list { $0[0].check.flip(15) },
        vault("list_part_missing", "the secrets are not listed").list { $0[4] = $0[3] },
        vault("list_gap", "a part that begins a unit too late").list { $0[4].offset += 1 },
        vault("list_gap_of_a_unit", "a unit between blocks and secrets that belongs to no part").snapshot { section in
            section.entries = { for index in $0.indices { $0[index].secretOffset += 1 } }
            section.contents = { $0[3].bytes += zeros(64) }
            section.parts = { $0[4].offset += 1 }
        },
        vault("list_fence_as_block", "the fence of a section without items, listed as a block").snapshot { section in
            section.items = []
            section.parts = { ($0[0].kind, $0[0].handle) = (4, [1] + zeros(7)) }
        },
        vault("list_overlap", "a part that is a unit too long").list { $0[3].length += 1 },
        vault("list_offset_maximal", "a part at unit 2^32 - 1").list { $0[4].offset = 0xFFFF_FFFF },
        vault("list_length_maximal", "a part of 2^32 - 1 units").list { $0[4].length = 0xFFFF_FFFF },
        vault("list_order", "digest pages and item pages swapped").list { $0.swapAt(1, 2) },
        vault("list_handle", "a key handle where none belongs").list { $0[0].handle = [1] + zeros(7) },
        vault("list_block_handle", "a block under another key than its items").list { $0[3].handle = [1] + zeros(7) },
    ]

    // MARK: - Runs and history

    /// A vault with a run that `edit` makes wrong.
    private func run(_ edit: (inout SketchRun) -> Void) -> Vector {
        compacted(expect: "snapshot failure") { vault, _ in
            vault.baseSequence = 4
            var run = SketchRun(group: vault.group(), entries: [Self.runEntry(4, vault.put(vault.item("zoe")))])
            edit(&run)
            vault.sections.append(run)
            return nil
        }
    }

    static let runs: [Vector] =
        runsThatRead + [
            vault("run_trailing_bytes", "bytes after the last entry of a run").run { $0.end = [1, 2, 3] },
            vault("run_record_maximal", "a record of 2^32 - 1 bytes")
                .run { $0.entries[0].record.length = { _ in 0xFFFF_FFFF } },
            vault("run_record_cut", "a record that extends beyond the content")
                .run { $0.entries[0].record.length = { _ in 100_000 } },
            vault("run_mark_4", "a transaction that ended the put in a run, where there is only a mark")
                .run { $0.entries[0].end = 4 },
            vault("run_end_time", "the time of a transaction that ended the put in a run")
                .run { $0.entries[0].endTime = 1 },
            vault("run_mark_2", "a mark other than 0 and 1").run { $0.entries[0].end = 2 },
            vault("run_mark_maximal", "the mark 2^64 - 1").run { $0.entries[0].end = .max },
            vault("run_mark_of_delete", "the mark of a delete").run { run in
                let vault = VaultSketch("run_mark_of_delete")
                run.entries[0].record = vault.delete(vault.item("ann"), revision: 2)
                run.entries[0].end = 1
            },
            vault("run_mark_of_seen", "the mark of a seen record").run { run in
                run.entries[0].record = VaultSketch("run_mark_of_seen").seen([], in: run.group ?? work)
                run.entries[0].end = 1
            },
            vault("run_mark_of_settings", "the mark of settings, in a run of no group").run { run in
                run.group = nil
                run.entries[0].record = VaultSketch("run_mark_of_settings").settings()
                run.entries[0].end = 1
            },
            vault("run_seen_of_other_group", "a seen record of another group, in a run of this one")
                .run { $0.entries[0].record = VaultSketch("run_seen_of_other_group").seen([], in: work) },
            vault("run_length_maximal", "a length field of 2^32 - 1").run { $0.box = SketchBox.lengthMaximal },
            vault("run_padding", "padding that is not zero").run { $0.box = SketchBox.paddingNotZero },
            vault("run_list_not_0", "a run with a block list").run { $0.entry = { $0.listLength = 1 } },
            vault("run_of_other_group", "a delete of another group, in a run of this one").run { run in
                let vault = VaultSketch("run_of_other_group")
                run.entries[0].record = vault.delete(vault.item("zoe", key: vault.dataKey(group: "work")), revision: 2)
            },
            vault("run_history_of_no_group", "a history without a group").run { run in
                run.kind = 3
                run.entries[0].end = 9
                run.entry = { $0.groupID = zeros(8) }
            },
            vault("run_of_no_records", "a run of no records").run { $0.entries = [] },
            vault("run_count", "one record where the count says two").run { $0.entry = { $0.count = 2 } },
        ]

    private static var work: SketchGroup { VaultSketch("run").group("work") }

    /// A put in a run whose place the fence has.
    private func marked(_ mark: UInt64) -> Vector {
        let writer = VaultSketch(name).writer
        let seen = [SketchWriter(id: writer, place: 4 << 20)]
        return compacted(section: { $0.seen = seen }, failures: mark == 1 ? nil : 1) { vault, items in
            vault.baseSequence = 4
            let zoe = vault.item("zoe").added(by: 4)
            let record = vault.put(zoe)
            var marked = Self.runEntry(4, mark == 0 ? record.failing : record)
            marked.end = mark
            vault.sections.append(SketchRun(group: vault.group(), entries: [marked]))
            items += (mark == 1 ? [zoe] : []) + vault.append(vault.item("liz"))
            return items
        }
    }

    private static let runsThatRead: [Vector] = [
        vault("run_of_group_without_match_key")
            .comment("records of a group whose match key this machine lacks are carried unread")
            .runOfGroup(unlock: [.device("desk")], locked: 3),
        vault("run_mark", "a put in a run whose place the fence has, with the mark that says so").marked(1),
        vault("run_mark_missing", "a put in a run whose place the fence has, without the mark").marked(0),
        // What a run has seen holds for the records after it.
        vault("run_seen", "a seen record in a run").compacted { vault, items in
            vault.baseSequence = 4
            let writer = SketchWriter(id: vault.otherWriter, place: 9 << 20)
            vault.sections.append(
                SketchRun(group: vault.group(), entries: [runEntry(4, vault.seen([writer], in: vault.group()))])
            )
            var zoe = vault.item("zoe").added(by: 10)
            zoe.place = zoe.order
            zoe.writer = writer.id
            vault.append([vault.put(zoe)])
            items.append(zoe)
            return items
        },
        vault("run_of_group", "the same with the passphrase").runOfGroup(),
        // The age of revisions, oldest first: section, run, later run, frame.
        vault("run_and_log")
            .comment("revisions of items in a group section, in two runs and in a frame; one is deleted in a run")
            .compacted { vault, items in
                vault.baseSequence = 5
                let group = vault.group()
                let first = items[0].revised(secret: "of the first run")
                let second = first.revised(secret: "of the second run")
                let other = items[1].revised(secret: "of the first run")
                vault.sections.append(
                    SketchRun(group: group, entries: [runEntry(4, vault.put(first)), runEntry(4, vault.put(other))])
                )
                var later = SketchRun(group: group, entries: [runEntry(5, vault.put(second))])
                later.entries.append(runEntry(5, vault.delete(items[2], revision: 2)))
                later.name = "later"
                vault.sections.append(later)
                items = [second, other.revised(secret: "of the log")]
                vault.append([vault.put(items[1])])
                return items
            },
        vault("history", "an earlier revision in the history is not current").compacted { vault, items in
            let old = items[0]
            items[0] = old.revised(secret: "new")
            items[0].place = 3 << 20 + 1
            vault.sections = [SketchGroupSection(vault.group(), items)]
            let entry = runEntry(1, vault.put(old), ended: 3)
            vault.sections.append(SketchRun(kind: 3, group: vault.group(), entries: [entry]))
            return items
        },
        vault("run_of_no_group", "unknown records that a compaction has carried").compacted { vault, items in
            vault.sections.append(SketchRun(entries: [runEntry(2, .unknown()), runEntry(3, .unknown())]))
            items += vault.append(vault.item("zoe"))
            return items
        },
    ]

    /// A snapshot, the item `dk` in the log, and a run of a group whose match key the machine `desk` lacks.
    private func runOfGroup(unlock: [Unlock] = [.passphrase], locked: Int? = nil) -> Vector {
        compacted(unlock: unlock, locked: locked) { vault, items in
            vault.addDevice("desk")
            vault.add(.dk)
            let key = vault.addWork(.dk)
            var work = vault.item("at work", key: key).added(by: 2, number: 1)
            work.place = work.order
            vault.sections.append(SketchRun(group: vault.group("work"), entries: [Self.runEntry(2, vault.put(work))]))
            let open = vault.append(vault.item("dk", key: vault.dataKey(.dk)))
            return locked == nil ? open + [work] + items : open
        }
    }
}
