// Vaults that break one check, where no other check makes up for it: most are read without the keys of what is wrong.

extension VaultVectors {
    static let singleChecks: [Vector] =
        keybagChecks + directoryChecks + pageChecks + blockChecks + runChecks + recordChecks

    // MARK: - Keybag

    private static let keybagChecks: [Vector] = [
        vector(
            "keybag_unknown_flags",
            "keybag failure",
            "a flag that is not assigned, of an entry of unknown type",
            small("keybag_unknown_flags") { vault in
                var entry = SketchEntry.unknown()
                entry.flags = 2
                vault.keybag.entries.append(entry)
            }
        ),
        groupNameBox("group_name_box_96", "a name in a box of 96 bytes, without its match key") { $0 += zeros(32) },
        groupNameBox("group_name_box_0", "a name without a box, and without its match key") { $0 = Array($0[..<48]) },
    ]

    /// A name that only its size can tell to be wrong, since the machine lacks the match key.
    private static func groupNameBox(_ name: String, _ comment: String, _ edit: (inout [UInt8]) -> Void) -> Vector {
        let body = small(name) { vault in
            vault.add(vault.device("desk"))
            var entry = vault.groupNameEntry(vault.group("work"))
            edit(&entry.body)
            vault.keybag.entries.append(entry)
        }
        let unlock = [("device", VaultSketch(name).device("desk").unlock)]
        return vector(name, "keybag failure", comment, body, unlock: unlock)
    }

    // MARK: - Directory

    /// A directory that says something else about its group section, which is the first, or its run, the second.
    private static func directory(
        _ name: String,
        _ comment: String,
        expect: String,
        _ edit: @escaping (inout [SectionEntry]) -> Void
    ) -> Vector {
        compacted(name, comment, expect: expect) { vault, _ in
            vault.baseSequence = 4
            vault.sections.append(SketchRun(entries: [runEntry(4, .unknown())]))
            vault.directory.entries = edit
            return nil
        }
    }

    private static let directoryChecks: [Vector] = [
        directory("section_fence_above_limit", "a fence of 16 MiB and one unit", expect: "limit exceeded") {
            $0[0].fenceLength = 262_145
            $0[0].length = 300_000
        },
        directory("section_run_above_limit", "a run one unit above the limit", expect: "limit exceeded") {
            $0[1].length = UInt32(pad(44 + 33_554_432) / 64 + 1)
        },
        directory("section_history_above_limit", "a history one unit above the limit", expect: "limit exceeded") {
            ($0[1].kind, $0[1].epoch, $0[1].groupID) = (3, $0[0].epoch, $0[0].groupID)
            $0[1].length = UInt32(pad(44 + 33_554_432) / 64 + 1)
        },
        snapshot("section_unknown_empty", "a section of unknown kind and of no units") { vault in
            vault.sections.append(UnknownSection(byteCount: 0))
        },
    ]

    // MARK: - Pages and fences

    private static func many(_ count: Int) -> [String] { (1...count).map { "number \($0)" } }

    /// A snapshot of `count` items that is wrong.
    private static func pages(
        _ name: String,
        _ comment: String,
        of count: Int,
        _ edit: (inout SketchGroupSection) -> Void
    ) -> Vector {
        vector(name, "snapshot failure", comment, snapshotVault(name, many(count), edit).vault.build().bytes)
    }

    private static let pageChecks: [Vector] = [
        pages("page_entries_beyond_content", "the 40th entry of a page that has room for 39", of: 39) {
            $0.digestPages = { $0[0].put(u16(40), at: 0) }
        },
        pages("item_page_entries_beyond_content", "the 203rd entry of an item page that has room for 202", of: 202) {
            $0.itemPages = { $0[0].put(u16(203), at: 0) }
        },
        pages(
            "page_entries_more_than_directory",
            "three digests, two item ids, and two entries in the directory",
            of: 3
        ) {
            $0.itemPages = { pages in
                pages[0].put(u16(2), at: 0)
                pages[0].put(zeros(20), at: 44)
            }
            $0.entry = { $0.count = 2 }
        },
        snapshot("item_page_behind_entries", "a byte after the entries of an item page") {
            $0.itemPages = { $0[0][4051] = 1 }
        },
        snapshot("fence_of_4_bytes", "a fence that ends before its number of writers") {
            $0.fenceBox = { $0.content = Array($0.content[..<4]) }
        },
        pages("item_fences_descend", "item fences that descend", of: 204) { $0.fence = { $0.itemFences.reverse() } },
    ]

    // MARK: - Blocks

    /// A snapshot whose raw block is wrong.
    private static func raw(_ name: String, _ comment: String, _ edit: @escaping (inout [UInt8]) -> Void) -> Vector {
        snapshot(name, comment) { section in
            section.isCompressed = false
            section.rawBlock = edit
        }
    }

    private static let blockChecks: [Vector] = [
        raw("block_column_beyond_metadata", "a column that ends behind its item") {
            $0.put(u32(0xFFFF), at: 4 + 52 + 4)
        },
        raw("block_of_3_bytes", "a block that ends before its number of items") { $0 = zeros(3) },
        raw("block_item_head_cut", "an item without the last byte of its head") { raw in
            var head = 4
            for _ in 0..<2 {
                let size = raw[(head + 48)..<(head + 52)].reversed().reduce(0) { $0 << 8 | Int($1) }
                head += 52 + size
            }
            raw = Array(raw[..<(head + 51)])
        },
        snapshot("block_head_cut", "a block without the last byte of its head") {
            $0.block = { ($0.reserved, $0.payload) = (zeros(2), []) }
        },
    ]

    // MARK: - Runs and history

    private static let runChecks: [Vector] = [
        snapshot("run_descending", "a run with the transactions 4 and 3 in this order") { vault in
            vault.baseSequence = 4
            let entries = [runEntry(4, vault.put(vault.item("zoe"))), runEntry(3, vault.put(vault.item("liz")))]
            vault.sections.append(SketchRun(group: vault.group(), entries: entries))
        },
        snapshot("history_of_delete", "a delete in the history") { vault in
            var entry = runEntry(2, vault.delete(vault.item("zoe"), revision: 2))
            (entry.end, entry.endTime) = (3, SketchFrame.time(of: 3))
            vault.sections.append(SketchRun(kind: 3, group: vault.group(), entries: [entry]))
        },
        compacted(
            "run_critical_before_count",
            "a critical record of unknown kind, in a run of two entries, as the directory says",
            expect: "unsupported"
        ) { vault, _ in
            vault.baseSequence = 4
            vault.sections.append(SketchRun(entries: [runEntry(4, .unknown(isCritical: true))]) { $0.count = 2 })
            return nil
        },
    ]

    // MARK: - Records

    private static let recordChecks: [Vector] = [
        record("record_unknown_flags", "a flag that is not assigned, of a record of unknown kind") { _, _ in
            SketchRecord(kind: 99, flags: 2, body: Array("from the future".utf8))
        },
        record("record_unknown_reserved", "a reserved byte of a record of unknown kind") { _, _ in
            var record = SketchRecord.unknown()
            record.reserved = [0, 1]
            return record
        },
        record("key_record_flags", "a flag of the entry in a key record") { vault, _ in
            var entry = vault.deviceEntry(vault.device("desk"))
            entry.flags = 1
            return .key(entry)
        },
        record("key_record_structure_key_epoch", "a structure key of another epoch than that of the keybag") {
            vault,
            _ in
            var entry = vault.structureKeyEntry(device: vault.device("desk"))
            entry.body.put(u32(2), at: 4)
            return .key(entry)
        },
        record("key_record_structure_key_other", "a structure key with another commitment than that of the keybag") {
            vault,
            _ in
            var entry = vault.structureKeyEntry(device: vault.device("desk"))
            entry.body.flip(24)
            return .key(entry)
        },
        record("key_record_match_key_without_name", "a match key of a group without a name") { vault, _ in
            .key(vault.matchKeyEntry(vault.group("work"), vault.device("desk")))
        },
        ownDevice,
        record("settings_with_numbers_as_keys", "settings with a key that is a number, signed") { vault, _ in
            vault.keybag.entries.append(vault.teamKeyEntry())
            let archive = AppleArchiver.archive(.dictionary([(.int(1), .int(30))])).propertyList
            return vault.settings(archive: archive)
        },
        record("access_control_other_key", "access control under another key than the flags", isDamaged: true) {
            vault,
            _ in
            let extra: [String: AppleValue] = ["accc": .dictionary([(.string("flag"), .int(1))])]
            return vault.put(vault.placed(vault.item("kim").revised(extra)))
        },
        record("secret_archive_of_list", "a secret whose archive is a list", isDamaged: true) { vault, _ in
            var item = vault.item("kim")
            item.secret = .raw([1] + AppleArchiver.archive(.array([])).propertyList)
            return vault.put(vault.placed(item))
        },
    ]

    private static var ownDevice: Vector {
        var vector = record("key_record_own_device_other", "the machine's own entry, with another commitment") {
            vault,
            _ in
            var entry = vault.deviceEntry(vault.device("desk"))
            entry.body.flip(32)
            return .key(entry)
        }
        vector.settings.insert(("device", VaultSketch(vector.name).device("desk").unlock), at: 1)
        return vector
    }
}
