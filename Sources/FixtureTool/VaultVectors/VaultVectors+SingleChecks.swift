// Vaults that break one check, where no other check makes up for it: most are read without the keys of what is wrong.

extension VaultVectors {
    static let singleChecks: [Vector] =
        keybagChecks + directoryChecks + carriedSections + lockedSections + pageChecks + blockChecks + runChecks
        + recordChecks

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
        groupNameBox,
    ]

    /// A name that only its size can tell to be wrong, since the machine lacks the match key.
    private static var groupNameBox: Vector {
        let name = "group_name_box_96"
        let body = small(name) { vault in
            vault.add(vault.device("desk"))
            var entry = vault.groupNameEntry(vault.group("work"))
            entry.body += zeros(32)
            vault.keybag.entries.append(entry)
        }
        let unlock = [("device", VaultSketch(name).device("desk").unlock)]
        return vector(
            name,
            "keybag failure",
            "a name in a box of 96 bytes, without its match key",
            body,
            unlock: unlock
        )
    }

    // MARK: - Directory

    /// A directory that says something else about its group section, which is the first, or its run, the second.
    private static func directory(
        _ name: String,
        _ comment: String,
        expect: String,
        _ edit: @escaping (inout [SectionEntry]) -> Void
    ) -> Vector {
        var vault = snapshotVault(name).vault
        vault.baseSequence = 4
        vault.sections.append(SketchRun(entries: [runEntry(4, .unknown())]))
        vault.directory.entries = edit
        return vector(name, expect, comment, vault.build().bytes)
    }

    private static let directoryChecks: [Vector] = [
        directory("section_fence_above_limit", "a fence of 16 MiB and one unit", expect: "limit exceeded") {
            $0[0].fenceLength = 262_145
            $0[0].length = 300_000
        },
        directory("section_run_above_limit", "a run one unit above the limit", expect: "limit exceeded") {
            $0[1].length = UInt32(pad(44 + 33_554_432) / 64 + 1)
        },
        snapshot("section_unknown_empty", "a section of unknown kind and of no units") { vault in
            vault.sections.append(UnknownSection(byteCount: 0))
        },
    ]

    // MARK: - Sections without their match key

    /// A vault with a section of a group without a name: its directory entry and its block list are all that is read.
    private static func carried(
        _ name: String,
        _ comment: String,
        _ edit: (inout SketchGroupSection) -> Void
    ) -> Vector {
        snapshot(name, comment) { vault in
            let key = vault.dataKey(group: "work")
            let items = ["liz", "pam", "zoe"].map { vault.item($0, key: key).added(by: 3, number: 1) }
            vault.sections.append(SketchGroupSection(key.group, items, edit))
        }
    }

    /// The same with a secret that is larger than a page, so that one more page would fit.
    private static func carriedWithLargeSecret(
        _ name: String,
        _ comment: String,
        _ edit: (inout SketchGroupSection) -> Void
    ) -> Vector {
        carried(name, comment) { section in
            section.items[0].secret = .data(zeros(5000))
            edit(&section)
        }
    }

    private static let carriedSections: [Vector] = [
        carried("list_without_fence", "a block list that begins with a block") { $0.parts = { $0[0].kind = 4 } },
        carried("list_kind_6_carried", "a part of a kind that does not exist") { $0.parts = { $0[4].kind = 6 } },
        carried("list_kinds_descend", "a metadata block behind the secrets") {
            $0.parts = { ($0[3].kind, $0[3].handle, $0[4].kind) = (5, zeros(8), 4) }
        },
        carried("list_part_of_no_units", "a block of no units") {
            $0.parts = { parts in
                // The list is a unit longer with this part.
                for index in parts.indices { parts[index].offset += 1 }
                var empty = SketchPart(kind: 4, count: 1, bytes: [])
                empty.offset = parts[3].offset
                parts.insert(empty, at: 3)
            }
        },
        carried("list_fence_length", "a fence that is a unit longer than in the directory") {
            $0.entry = { $0.fenceLength -= 1 }
        },
        carriedWithLargeSecret("list_pages_of_half", "two digest pages of 32 units, as list and directory say") {
            $0.parts = { $0[1].count = 2 }
            $0.entry = { $0.digestPageCount = 2 }
        },
        carriedWithLargeSecret("list_digest_pages_differ", "two digest pages, as the directory says alone") {
            $0.entry = { $0.digestPageCount = 2 }
        },
        carriedWithLargeSecret("list_item_pages_differ", "two item pages, as the directory says alone") {
            $0.entry = { $0.itemPageCount = 2 }
        },
        carried("list_of_no_secrets", "a piece of no secrets that takes some units") { $0.parts = { $0[4].count = 0 } },
        carried("list_trailing_byte", "a byte behind the last part") { $0.listBox = { $0.content.append(0) } },
        carried("list_end", "a section that goes on behind the last part") { $0.parts = { $0.removeLast() } },
        carried("section_without_item_pages", "three entries on a digest page, and no item page") {
            $0.parts = { $0[2].kind = 4 }
            $0.entry = { $0.itemPageCount = 0 }
        },
    ]

    // MARK: - Sections without their data keys

    /// A section of `names`, read by a machine that has the match key, and no key of the items.
    private static func locked(
        _ name: String,
        _ comment: String,
        _ names: [String] = ["ann", "bob", "kim"],
        _ edit: (inout SketchGroupSection) -> Void
    ) -> Vector {
        var vault = snapshotVault(name, names, edit).vault
        let desk = vault.device("desk")
        vault.add(desk)
        return vector(name, "snapshot failure", comment, vault.build().bytes, unlock: [("device", desk.unlock)])
    }

    private static let lockedSections: [Vector] = [
        locked("page_within_block_locked", "entries that lead behind the first unit of a block") {
            $0.entries = { entries in
                for index in entries.indices {
                    entries[index].blockOffset += 1
                    entries[index].blockLength -= 1
                }
            }
        },
        locked("page_secret_in_block_locked", "a secret that is the block, in a section without secrets", ["ann"]) {
            $0.items[0].secret = nil
            $0.entries = { ($0[0].secretOffset, $0[0].secretLength) = ($0[0].blockOffset, $0[0].blockLength) }
        },
        locked("list_secret_in_two_pieces_locked", "two pieces of secrets, with a secret on both sides of the border") {
            for index in $0.items.indices { $0.items[index].secret = .data(zeros(100)) }
            $0.itemsPerBlock = 1
            $0.parts = { parts in
                let secrets = parts.removeLast()
                for (count, range) in [(1, 0..<4), (2, 4..<9)] as [(UInt32, Range<Int>)] {
                    let bytes = Array(secrets.bytes[(range.lowerBound * 64)..<(range.upperBound * 64)])
                    var piece = SketchPart(kind: 5, count: count, bytes: bytes)
                    piece.offset = secrets.offset + UInt32(range.lowerBound)
                    parts.append(piece)
                }
            }
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
        criticalInRun,
    ]

    private static var criticalInRun: Vector {
        let name = "run_critical_before_count"
        var vault = snapshotVault(name).vault
        vault.baseSequence = 4
        vault.sections.append(SketchRun(entries: [runEntry(4, .unknown(isCritical: true))]) { $0.count = 2 })
        let comment = "a critical record of unknown kind, in a run of two entries, as the directory says"
        return vector(name, "unsupported", comment, vault.build().bytes)
    }

    // MARK: - Records

    private static let recordChecks: [Vector] = [
        record("record_unknown_flags", "a flag that is not assigned, of a record of unknown kind") { _, _ in
            SketchRecord(kind: 99, flags: 2, body: Array("from the future".utf8))
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
