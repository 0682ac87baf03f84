// Vaults that break one check, where no other check makes up for it: most are read without the keys of what is wrong.

extension VaultVectors {
    static let singleChecks: [Vector] =
        keybagChecks + directoryChecks + pageChecks + blockChecks + runChecks + recordChecks

    // MARK: - Keybag

    private static let keybagChecks: [Vector] = [
        vault("keybag_unknown_flags", "a flag that is not assigned, of an entry of unknown type")
            .small("keybag failure") { vault in
                var entry = SketchEntry.unknown()
                entry.flags = 2
                vault.keybag.append(entry)
            },
        vault("group_name_box_96", "a name in a box of 96 bytes, without its match key")
            .groupNameBox { $0 += zeros(32) },
        vault("group_name_box_0", "a name without a box, and without its match key")
            .groupNameBox { $0 = Array($0[..<48]) },
    ]

    /// A name that only its size can tell to be wrong, since the machine lacks the match key.
    private func groupNameBox(_ edit: (inout [UInt8]) -> Void) -> Vector {
        small("keybag failure", unlock: [.device("desk")]) { vault in
            vault.addDevice("desk")
            var entry = vault.groupNameEntry(vault.group("work"))
            edit(&entry.body)
            vault.keybag.append(entry)
        }
    }

    // MARK: - Directory

    /// A directory that says something else about its group section, which is the first, or its run, the second.
    private func directory(expect: String, _ edit: @escaping (inout [SectionEntry]) -> Void) -> Vector {
        compacted(expect: expect) { vault, _ in
            vault.baseSequence = 4
            vault.sections.append(SketchRun(entries: [Self.runEntry(4, .unknown())]))
            vault.directory.entries = edit
            return nil
        }
    }

    private static let directoryChecks: [Vector] = [
        vault("section_fence_above_limit", "a fence of 16 MiB and one unit").directory(expect: "limit exceeded") {
            $0[0].fenceLength = 262_145
            $0[0].length = 300_000
        },
        vault("section_run_above_limit", "a run one unit above the limit")
            .directory(expect: "limit exceeded") { $0[1].length = UInt32(pad(44 + 33_554_432) / 64 + 1) },
        vault("section_history_above_limit", "a history one unit above the limit").directory(expect: "limit exceeded") {
            ($0[1].kind, $0[1].epoch, $0[1].groupID) = (3, $0[0].epoch, $0[0].groupID)
            $0[1].length = UInt32(pad(44 + 33_554_432) / 64 + 1)
        },
        vault("section_unknown_empty", "a section of unknown kind and of no units")
            .snapshot { $0.sections.append(UnknownSection(byteCount: 0)) },
    ]

    // MARK: - Pages and fences

    private static let pageChecks: [Vector] = [
        vault("page_entries_beyond_content", "the 37th entry of a page that has room for 36")
            .snapshot(of: many(36)) { $0.digestPages = { $0[0].put(u16(37), at: 0) } },
        vault("item_page_entries_beyond_content", "the 203rd entry of an item page that has room for 202")
            .snapshot(of: many(202)) { $0.itemPages = { $0[0].put(u16(203), at: 0) } },
        vault("page_entries_more_than_directory", "three digests, two item ids, and two entries in the directory")
            .snapshot(of: many(3)) {
                $0.itemPages = { pages in
                    pages[0].put(u16(2), at: 0)
                    pages[0].put(zeros(20), at: 44)
                }
                $0.entry = { $0.count = 2 }
            },
        vault("item_page_behind_entries", "a byte after the entries of an item page")
            .snapshot { $0.itemPages = { $0[0][4051] = 1 } },
        vault("fence_of_4_bytes", "a fence that ends before its number of writers")
            .snapshot { $0.fenceBox = { $0.content = Array($0.content[..<4]) } },
        vault("item_fences_descend", "item fences that descend")
            .snapshot(of: many(204)) { $0.fence = { $0.itemFences.reverse() } },
    ]

    // MARK: - Blocks

    private static let blockChecks: [Vector] = [
        vault("block_column_beyond_metadata", "a column that ends behind its item")
            .raw { $0.put(u32(0xFFFF), at: 4 + 36 + 4) },
        vault("block_of_3_bytes", "a block that ends before its number of items").raw { $0 = zeros(3) },
        vault("block_item_head_cut", "an item without the last byte of its head").raw { raw in
            var head = 4
            for _ in 0..<2 {
                let size = raw[(head + 32)..<(head + 36)].reversed().reduce(0) { $0 << 8 | Int($1) }
                head += 36 + size
            }
            raw = Array(raw[..<(head + 35)])
        },
        vault("block_head_cut", "a block without the last byte of its head")
            .snapshot { $0.block = { ($0.reserved, $0.payload) = (zeros(2), []) } },
    ]

    // MARK: - Runs and history

    private static let runChecks: [Vector] = [
        vault("run_descending", "a run with the transactions 4 and 3 in this order").snapshot { vault in
            vault.baseSequence = 4
            let entries = [runEntry(4, vault.put(vault.item("zoe"))), runEntry(3, vault.put(vault.item("liz")))]
            vault.sections.append(SketchRun(group: vault.group(), entries: entries))
        },
        vault("history_of_delete", "a delete in the history").snapshot { vault in
            let entry = runEntry(2, vault.delete(vault.item("zoe"), revision: 2), ended: 3)
            vault.sections.append(SketchRun(kind: 3, group: vault.group(), entries: [entry]))
        },
        vault("run_critical_before_count")
            .comment("a critical record of unknown kind, in a run of two entries, as the directory says")
            .compacted(expect: "unsupported") { vault, _ in
                vault.baseSequence = 4
                vault.sections.append(SketchRun(entries: [runEntry(4, .unknown(isCritical: true))]) { $0.count = 2 })
                return nil
            },
    ]

    // MARK: - Records

    private static let recordChecks: [Vector] = [
        vault("record_unknown_flags", "a flag that is not assigned, of a record of unknown kind")
            .record { _ in SketchRecord(kind: 99, flags: 2, body: Array("from the future".utf8)) },
        vault("record_unknown_reserved", "a reserved byte of a record of unknown kind").record { _ in
            var record = SketchRecord.unknown()
            record.reserved = [0, 1]
            return record
        },
        vault("key_record_flags", "a flag of the entry in a key record").record { vault in
            var entry = vault.deviceEntry(vault.device("desk"))
            entry.flags = 1
            return .key(entry)
        },
        vault("key_record_structure_key_epoch", "a structure key of another epoch than that of the keybag")
            .record { vault in
                var entry = vault.structureKeyEntry(device: vault.device("desk"))
                entry.body.put(u32(2), at: 4)
                return .key(entry)
            },
        vault("key_record_structure_key_other", "a structure key with another commitment than that of the keybag")
            .record { vault in
                var entry = vault.structureKeyEntry(device: vault.device("desk"))
                entry.body.flip(24)
                return .key(entry)
            },
        vault("key_record_match_key_without_name", "a match key of a group without a name")
            .record { vault in .key(vault.matchKeyEntry(vault.group("work"), vault.device("desk"))) },
        vault("key_record_own_device_other", "the machine's own entry, with another commitment").record { vault in
            var entry = vault.deviceEntry(vault.device("desk"))
            entry.body.flip(32)
            return .key(entry)
        }.onDesk,
        vault("settings_with_numbers_as_keys", "settings with a key that is a number, signed").record { vault in
            vault.keybag.append(vault.teamKeyEntry())
            let archive = AppleArchiver.archive(.dictionary([(.int(1), .int(30))])).propertyList
            return vault.settings(archive: archive)
        },
        vault("access_control_other_key", "access control under another key than the flags")
            .record(isDamaged: true) { vault in
                let extra: [String: AppleValue] = ["accc": .dictionary([(.string("flag"), .int(1))])]
                return vault.put(vault.placed(vault.item("kim").revised(extra)))
            },
        vault("secret_archive_of_list", "a secret whose archive is a list").record(isDamaged: true) { vault in
            var item = vault.item("kim")
            item.secret = .raw([1] + AppleArchiver.archive(.array([])).propertyList)
            return vault.put(vault.placed(item))
        },
    ]
}
