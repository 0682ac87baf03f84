// Section 5.6: runs, and which records they may have.

extension VaultVectors {
    static let runs: [Vector] = wrongRuns + runMembers + runsThatRead

    // MARK: - Runs that are wrong

    /// A vault with a run that `edit` makes wrong.
    private func run(expect: String = "snapshot failure", _ edit: (inout SketchRun) -> Void) -> Vector {
        compacted(expect: expect) { vault, _ in
            vault.baseSequence = 4
            var run = SketchRun(group: vault.group(), entries: [Self.runEntry(4, vault.put(vault.item("zoe")))])
            edit(&run)
            vault.sections.append(run)
            return nil
        }
    }

    private static let wrongRuns: [Vector] = [
        vault("run_trailing_bytes", "bytes after the last entry of a run").run { $0.end = [1, 2, 3] },
        vault("run_head_cut", "23 bytes after the last entry, too few for another").run { $0.end = zeros(23) },
        vault("run_record_maximal", "a record of 2^32 - 1 bytes")
            .run { $0.entries[0].record.length = { _ in 0xFFFF_FFFF } },
        vault("run_record_cut", "a record that extends beyond the content")
            .run { $0.entries[0].record.length = { _ in 100_000 } },
        vault("run_length_maximal", "a length field of 2^32 - 1").run { $0.box = SketchBox.lengthMaximal },
        vault("run_padding", "padding that is not zero").run { $0.box = SketchBox.paddingNotZero },
        vault("run_does_not_open", "a run that is sealed under another key").run { $0.box = { $0.key = zeros(32) } },
        vault("run_fence", "a run with a fence").run { $0.entry = { $0.fenceLength = 1 } },
        vault("run_of_no_records", "a run of no records").run { $0.entries = [] },
        vault("run_count", "one record where the count says two").run { $0.entry = { $0.count = 2 } },
        vault("run_descending", "a run with the transactions 4 and 3 in this order")
            .run { run in
                run.entries.append(runEntry(3, VaultSketch("run_descending").seen([], in: run.group ?? work)))
            },
        vault("run_critical_before_count")
            .comment("a critical record of unknown kind, in a run of two entries, as the directory says")
            .run(expect: "unsupported") { run in
                run.group = nil
                run.entries[0].record = .unknown(isCritical: true)
                run.entry = { $0.count = 2 }
            },
    ]

    private static var work: SketchGroup { VaultSketch("run").group("work") }

    // MARK: - Records that belong elsewhere

    /// A vault with a run of `record`, which a reader refuses; the run is of `group`, or of none.
    private func member(
        ofGroup: Bool = true,
        entry edit: @escaping (inout SectionEntry) -> Void = { _ in },
        _ record: (VaultSketch) -> SketchRecord
    ) -> Vector {
        let vault = VaultSketch(name)
        return run { run in
            run = SketchRun(group: ofGroup ? run.group : nil, entries: [Self.runEntry(4, record(vault))], edit)
        }
    }

    private static let runMembers: [Vector] = [
        vault("run_of_group_with_settings", "settings in a run of a group").member { $0.settings() },
        vault("run_of_group_with_key", "a key record in a run of a group")
            .member { .key($0.deviceEntry($0.device("desk"))) },
        vault("run_of_group_with_unknown", "a record of unknown kind in a run of a group").member { _ in .unknown() },
        vault("run_of_group_with_malformed", "a record that cannot be parsed in a run of a group")
            .member { vault in vault.put(vault.item("zoe")) { $0.reserved = [1, 0, 0] } },
        vault("run_of_group_with_match_of_192", "a put that cannot be parsed: its match box has 192 bytes")
            .member { vault in vault.put(vault.item("zoe")) { $0.matchBox = { $0.byteCount = 192 } } },
        vault("run_with_delete_of_other_group", "a delete of another group, in a run of this one")
            .member { vault in vault.delete(vault.item("zoe", key: vault.dataKey(group: "work"))) },
        vault("run_with_delete_of_other_epoch", "a delete of another epoch of the group").member { vault in
            var item = vault.item("zoe")
            item.key.group = vault.group(epoch: 2)
            return vault.delete(item)
        },
        vault("run_with_seen_of_other_group", "a seen record of another group, in a run of this one")
            .member { $0.seen([], in: work) },
        vault("run_with_seen_of_other_epoch", "a seen record of another epoch of the group")
            .member { $0.seen([], in: $0.group(epoch: 2)) },
        vault("run_with_put_of_other_group", "a put of another group, in a run of this one").runOfMail { $0.addWork() },
        vault("run_with_put_of_other_epoch", "a put of another epoch of the group").runOfMail { $0.addEpoch2() },
        vault("run_of_no_group_with_put", "a put in a run of no group")
            .member(ofGroup: false) { $0.put($0.item("zoe")) },
        vault("run_of_no_group_with_delete", "a delete in a run of no group")
            .member(ofGroup: false) { $0.delete($0.item("zoe")) },
        vault("run_of_no_group_with_seen", "a seen record in a run of no group")
            .member(ofGroup: false) { $0.seen([], in: $0.group()) },
        vault("run_of_no_group_with_unknown_handle", "a put whose handle has no key entry, in no group")
            .member(ofGroup: false) { $0.put($0.item("zoe", key: $0.dataKey(.ck))) },
        vault("run_of_no_group_epoch", "an epoch of a run of no group")
            .member(ofGroup: false, entry: { $0.epoch = 1 }) { _ in .unknown() },
    ]

    /// A run of the group `mail` with a put that belongs elsewhere.
    private func runOfMail(_ key: (inout VaultSketch) -> SketchDataKey) -> Vector {
        snapshot(vault: { vault in
            vault.baseSequence = 4
            let put = vault.put(vault.item("zoe", key: key(&vault)))
            vault.sections.append(SketchRun(group: vault.group(), entries: [Self.runEntry(4, put)]))
        })
    }

    // MARK: - Runs that are read

    private static let runsThatRead: [Vector] = [
        vault("run_of_group_without_match_key")
            .comment("records of a group whose match key this machine lacks are carried unread")
            .runOfGroup(unlock: [.device("desk")], locked: 3),
        vault("run_of_group", "the same with the passphrase").runOfGroup(),
        vault("run_place_seen", "a put in a run whose place the fence has").placeSeen,
        // What a run has seen holds for the records after it.
        vault("run_seen", "a seen record in a run").compacted { vault, items in
            vault.baseSequence = 4
            let writer = SketchWriter(id: vault.otherWriter, place: 9 << 20)
            vault.sections.append(
                SketchRun(group: vault.group(), entries: [runEntry(4, vault.seen([writer], in: vault.group()))])
            )
            items.append(vault.appendOther("zoe", place: 10 << 20))
            return items
        },
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
                later.entries.append(runEntry(5, vault.delete(items[2])))
                later.name = "later"
                vault.sections.append(later)
                items = [second, other.revised(secret: "of the log")]
                vault.append([vault.put(items[1])])
                return items
            },
        vault("run_of_no_group", "unknown records that a compaction has carried").compacted { vault, items in
            vault.sections.append(SketchRun(entries: [runEntry(2, .unknown()), runEntry(3, .unknown())]))
            items += vault.append(vault.item("zoe"))
            return items
        },
        vault("run_of_no_group_with_malformed", "a record that cannot be parsed, which a compaction has carried")
            .compacted(failures: 1) { vault, items in
                vault.baseSequence = 4
                let bad = vault.put(vault.item("zoe")) { $0.reserved = [1, 0, 0] }.failing
                vault.sections.append(SketchRun(entries: [runEntry(4, bad)]))
                items += vault.append(vault.item("liz"))
                return items
            },
        vault("run_of_group_with_unknown_handle")
            .comment("a put whose handle has no key entry is taken to be of the group of its run")
            .compacted { vault, items in
                vault.baseSequence = 4
                let gone = vault.put(vault.item("zoe", key: vault.dataKey(.ck))).failing
                vault.sections.append(SketchRun(group: vault.group(), entries: [runEntry(4, gone)]))
                items += vault.append(vault.item("liz"))
                return items
            },
    ]

    private var placeSeen: Vector {
        let seen = [SketchWriter(id: VaultSketch(name).writer, place: 4 << 20)]
        return compacted(section: { $0.seen = seen }, failures: 1) { vault, items in
            vault.baseSequence = 4
            let record = vault.put(vault.item("zoe").added(by: 4)).failing
            vault.sections.append(SketchRun(group: vault.group(), entries: [Self.runEntry(4, record)]))
            return items + vault.append(vault.item("liz"))
        }
    }

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
