// Section 5.1: the directory, how far back past states can be restored, and the entries.

extension VaultVectors {
    static let directories: [Vector] = horizons + entries

    // MARK: - History since

    /// A vault with three transactions in its snapshot that says from when on past states can be restored.
    private func horizon(_ expect: String = "snapshot failure", since sequence: UInt64, time: UInt64 = 0) -> Vector {
        var (vault, items) = Self.snapshotVault(name)
        vault.directory.historySince = sequence
        vault.directory.historyTime = time
        guard expect == "success" else { return vector(expect, vault.build().bytes) }
        let added = vault.append(vault.item("zoe"))
        return success(vault.build().bytes, readable: items + added, vault.directory.lines)
    }

    private static let horizons: [Vector] = [
        vault("history_since", "something that ended with the transaction 2 was dropped")
            .horizon("success", since: 2, time: SketchFrame.time(of: 2)),
        vault("history_since_base", "all of the past was dropped; time 0 is a time").horizon("success", since: 3),
        vault("history_since_before_1970", "a time before 1970").horizon("success", since: 1, time: .max),
        vault("history_since_beyond_base", "a transaction after the snapshot").horizon(since: 4, time: 1),
        vault("history_since_maximal", "the transaction 2^64 - 1").horizon(since: .max, time: 1),
        vault("history_since_0_with_time", "a time without a transaction").horizon(since: 0, time: 1 << 56),
        vault("history_since_in_new_vault")
            .comment("a transaction that a vault without any in its snapshot cannot have dropped")
            .small("snapshot failure") { $0.directory.historySince = 1 },
        vault("directory_head_cut", "a directory that ends after the number of sections")
            .small("snapshot failure") { $0.directory.box = { $0.content.removeLast(16) } },
    ]

    // MARK: - Entries

    private static let entries: [Vector] = [
        vault("directory_bitflip", "a changed bit in the directory")
            .damagedSnapshot { $0.bytes.flip($0.directory.lowerBound + 50) },
        vault("directory_reserved", "a reserved byte of the directory")
            .snapshot { $0.directory.reserved = [0, 0, 0, 1] },
        vault("directory_count_too_large", "one section where the count says two").snapshot { $0.directory.count = 2 },
        vault("directory_count_too_small", "one section where the count says none").snapshot { $0.directory.count = 0 },
        vault("directory_count_maximal", "2^32 - 1 sections")
            .snapshot(expect: "limit exceeded", vault: { $0.directory.count = 0xFFFF_FFFF }),
        vault("directory_length_maximal", "a length field of 2^32 - 1")
            .snapshot { $0.directory.box = SketchBox.lengthMaximal },
        vault("directory_length_too_long", "a length field of one byte more than the box can hold")
            .snapshot { $0.directory.box = SketchBox.lengthTooLong },
        vault("directory_padded_too_far", "a box of 64 bytes more than its content takes")
            .snapshot { $0.directory.box = SketchBox.oneUnitTooLong },
        vault("directory_padding", "padding that is not zero").snapshot { $0.directory.box = SketchBox.paddingNotZero },
        vault("directory_of_other_generation", "a directory that was sealed for another generation")
            .snapshot { vault in
                let key = H(32, H(32, vault.structureKey, "gen", vault.id + u64(1) + vault.generationSalt), "snapshot")
                vault.directory.box = { $0.key = key }
            },
        vault("section_flags", "a flag of a section that is not assigned").section { $0[0].flags = 2 },
        vault("section_critical", "a section of known kind that is critical").section { $0[0].flags = 1 },
        vault("section_reserved", "a reserved byte of a section").section { $0[0].reserved = [1, 0] },
        vault("section_gap", "a section that begins one unit too late").section { $0[0].offset += 1 },
        vault("section_in_directory", "a section that begins in the directory").section { $0[0].offset = 0 },
        vault("section_offset_maximal", "a section at unit 2^32 - 1").section { $0[0].offset = 0xFFFF_FFFF },
        vault("section_length_maximal", "a section of 2^32 - 1 units").section { $0[0].length = 0xFFFF_FFFF },
        vault("section_too_short", "a section that ends before the snapshot does").section { $0[0].length -= 1 },
        vault("section_empty", "a section of no units, after another").section { entries in
            var empty = entries[0]
            empty.id.flip(0)
            empty.kind = 2
            // The directory of two sections is one unit longer.
            entries[0].offset += 1
            empty.offset += empty.length + 1
            empty.length = 0
            empty.check = H(32, nil, "file", [])
            (empty.fenceLength, empty.count) = (0, 1)
            entries.append(empty)
        },
        vault("section_fence_maximal", "a fence of 2^32 - 1 units").section { $0[0].fenceLength = 0xFFFF_FFFF },
        vault("section_fence_too_long", "a fence of a unit more than the section")
            .section { $0[0].fenceLength = $0[0].length + 1 },
        vault("section_fence_0", "no fence").section { $0[0].fenceLength = 0 },
        vault("section_group_0", "a group section without a group").section { $0[0].groupID = zeros(8) },
        vault("section_check", "a check that is not that of the section").section { $0[0].check.flip(0) },
        vault("section_run_check", "a check that is not that of the run").snapshot { vault in
            vault.baseSequence = 4
            let entry = SketchRun.Entry(sequence: 4, time: 0, record: vault.put(vault.item("zoe")))
            vault.sections.append(SketchRun(group: vault.group(), entries: [entry]) { $0.check.flip(15) })
        },
        vault("section_count", "four items where there are three").section { $0[0].count = 4 },
        vault("section_group_twice", "two sections of one group and epoch").snapshot { vault in
            var other = SketchGroupSection(vault.group(), [vault.item("zoe").added(by: 3, number: 1)])
            other.name = "second"
            vault.sections.append(other)
        },
        vault("section_id_twice", "two sections with the same id").snapshot { vault in
            vault.addWork()
            let item = vault.item("zoe", key: vault.dataKey(group: "work")).added(by: 3, number: 1)
            vault.sections.append(SketchGroupSection(vault.group("work"), [item]))
            vault.directory.entries = { $0[1].id = $0[0].id }
        },
        vault("section_unknown_critical", "a section of unknown kind that is critical")
            .small("unsupported") { $0.sections = [UnknownSection(isCritical: true)] },
        // Another directory, sealed by a holder of Ks who cannot make the header.
        vault("directory_sealed_again", "another directory of this generation than that of the header")
            .damagedSnapshot { file in
                var vault = snapshotVault("directory_sealed_again").vault
                vault.directory.historySince = 1
                let other = vault.build()
                file.bytes.replaceSubrange(file.directory, with: other.bytes[other.directory])
            },
        vault("directory_bytes_behind_sections", "8 bytes after the last entry of the directory")
            .snapshot { $0.directory.box = { $0.content += zeros(8) } },
        bytesBehindSections,
        vault("section_gap_of_a_unit", "a unit between two sections that belongs to none").snapshot { vault in
            vault.baseSequence = 4
            vault.sections += [UnknownSection(byteCount: 64), SketchRun(entries: [runEntry(4, .unknown())])]
            vault.directory.entries = { entries in
                entries.remove(at: 1)
                // The directory of two sections is a unit shorter.
                for index in entries.indices { entries[index].offset -= 1 }
            }
        },
        vault("section_id_twice_sealed", "two runs with the same id, which both are sealed with")
            .snapshot { vault in
                vault.baseSequence = 4
                let run = SketchRun(entries: [runEntry(4, .unknown())])
                vault.sections += [run, run]
            },
        vault("section_unknown_flags", "a flag that is not assigned, of a section of unknown kind")
            .unknownSection { $0.flags = 2 },
        vault("section_unknown_reserved", "a reserved byte of a section of unknown kind")
            .unknownSection { $0.reserved = [0, 1] },
        vault("section_unknown_fence", "a fence of a section of unknown kind").unknownSection { $0.fenceLength = 1 },
        vault("section_unknown_check", "a check that is not that of a section of unknown kind")
            .unknownSection { $0.check.flip(0) },
        vault("section_unknown_empty", "a section of unknown kind and of no units")
            .snapshot(vault: { $0.sections.append(UnknownSection(byteCount: 0)) }),
        vault("section_unknown_group")
            .comment("a section of unknown kind with an epoch, a group that does not exist and a count")
            .whole { vault in
                vault.sections = [
                    UnknownSection {
                        ($0.epoch, $0.groupID, $0.count) = (7, [UInt8](repeating: 1, count: 8), 0xFFFF_FFFF)
                    }
                ]
                return vault.append(vault.item("kim"))
            },
        vault("section_kind_3", "a section of kind 3, which is unknown").whole { vault in
            vault.sections = [UnknownSection { $0.kind = 3 }]
            return vault.append(vault.item("kim"))
        },
        vault("section_count_1000001", "a section of 1,000,001 entries, as it says")
            .snapshot(expect: "limit exceeded") { section in section.entry = { $0.count = 1_000_001 } },
        vault("section_fence_above_limit", "a fence of 16 MiB and one unit").withRun(expect: "limit exceeded") {
            $0[0].fenceLength = 262_145
            $0[0].length = 300_000
        },
        vault("section_run_above_limit", "a run one unit above the limit")
            .withRun(expect: "limit exceeded") { $0[1].length = UInt32(pad(44 + 33_554_432) / 64 + 1) },
    ]

    /// A directory that says something else about its group section, which is the first, or its run, the second.
    private func withRun(expect: String, _ edit: @escaping (inout [SectionEntry]) -> Void) -> Vector {
        compacted(expect: expect) { vault, _ in
            vault.baseSequence = 4
            vault.sections.append(SketchRun(entries: [Self.runEntry(4, .unknown())]))
            vault.directory.entries = edit
            return nil
        }
    }

    private static var bytesBehindSections: Vector {
        let name = "snapshot_bytes_behind_sections"
        var vault = snapshotVault(name).vault
        let file = vault.build()
        let byteCount = file.bytes.count - file.directory.lowerBound + 64
        vault.header.fields = { $0.put(u64(byteCount), at: 80) }
        let comment = "a unit of the snapshot behind the last section"
        return Self.vault(name, comment).vector("snapshot failure", vault.build().bytes + zeros(64))
    }

    /// A section of unknown kind whose entry is wrong.
    private func unknownSection(_ edit: @escaping (inout SectionEntry) -> Void) -> Vector {
        snapshot(vault: { $0.sections.append(UnknownSection(entry: edit)) })
    }

    /// A directory whose entries are wrong.
    private func section(_ edit: @escaping (inout [SectionEntry]) -> Void) -> Vector {
        snapshot(vault: { vault in vault.directory.entries = edit })
    }
}
