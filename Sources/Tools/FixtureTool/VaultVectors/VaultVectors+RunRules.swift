// Section 5.6: which records a run may have, and which puts the mark.

extension VaultVectors {
    static let runRules: [Vector] = runMembers + marks

    // MARK: - Records that belong elsewhere

    /// A vault with a run of `record`, which a reader refuses; the run is of `group`, or of none.
    private func run(
        ofGroup: Bool = true,
        entry edit: @escaping (inout SectionEntry) -> Void = { _ in },
        _ record: (VaultSketch) -> SketchRecord
    ) -> Vector {
        snapshot { vault in
            vault.baseSequence = 4
            let run = SketchRun(group: ofGroup ? vault.group() : nil, entries: [Self.runEntry(4, record(vault))], edit)
            vault.sections.append(run)
        }
    }

    private static let runMembers: [Vector] = [
        vault("run_of_group_with_settings", "settings in a run of a group").run { $0.settings() },
        vault("run_of_group_with_key", "a key record in a run of a group")
            .run { .key($0.deviceEntry($0.device("desk"))) },
        vault("run_of_group_with_unknown", "a record of unknown kind in a run of a group").run { _ in .unknown() },
        vault("run_of_group_with_malformed", "a record that cannot be parsed in a run of a group")
            .run { vault in vault.put(vault.item("zoe")) { $0.reserved = [1, 0, 0] } },
        vault("run_of_other_epoch", "a delete of another epoch of the group").run { vault in
            var item = vault.item("zoe")
            item.key.group = vault.group(epoch: 2)
            return vault.delete(item, revision: 2)
        },
        vault("run_of_group_with_match_of_256", "a put that cannot be parsed: its match box has 256 bytes")
            .run { vault in vault.put(vault.item("zoe")) { $0.matchBox = { $0.byteCount = 256 } } },
        vault("run_with_seen_of_other_epoch", "a seen record of another epoch of the group")
            .run { $0.seen([], in: $0.group(epoch: 2)) },
        vault("run_with_put_of_other_group", "a put of another group, in a run of this one").runOfMail { $0.addWork() },
        vault("run_with_put_of_other_epoch", "a put of another epoch of the group").runOfMail { $0.addEpoch2() },
        vault("run_of_no_group_with_put", "a put in a run of no group").run(ofGroup: false) { $0.put($0.item("zoe")) },
        vault("run_of_no_group_with_delete", "a delete in a run of no group")
            .run(ofGroup: false) { $0.delete($0.item("zoe"), revision: 2) },
        vault("run_of_no_group_with_unknown_handle", "a put whose handle has no key entry, in no group")
            .run(ofGroup: false) { $0.put($0.item("zoe", key: $0.dataKey(.ck))) },
        vault("run_of_no_group_epoch", "an epoch of a run of no group")
            .run(ofGroup: false, entry: { $0.epoch = 1 }) { _ in .unknown() },
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

    /// A run of the group `mail` with a put that belongs elsewhere.
    private func runOfMail(_ key: (inout VaultSketch) -> SketchDataKey) -> Vector {
        snapshot { vault in
            vault.baseSequence = 4
            let put = vault.put(vault.item("zoe", key: key(&vault)))
            vault.sections.append(SketchRun(group: vault.group(), entries: [Self.runEntry(4, put)]))
        }
    }

    // MARK: - Marks

    /// A put in a run that is marked as seen; the fence has the place 4 × 2^20 of its writer.
    private func marked(counts: Bool, _ edit: @escaping SketchPut.Edit) -> Vector {
        var (vault, items) = Self.snapshotVault(name) { section in
            section.seen = [SketchWriter(id: VaultSketch(name).writer, place: 4 << 20)]
        }
        vault.baseSequence = 5
        let zoe = vault.item("zoe").added(by: 5)
        let record = vault.put(zoe, edit)
        var marked = Self.runEntry(5, counts ? record : record.failing)
        marked.end = 1
        vault.sections.append(SketchRun(group: vault.group(), entries: [marked]))
        items += (counts ? [zoe] : []) + vault.append(vault.item("liz"))
        let body = vault.build().bytes
        guard !counts else { return success(body, readable: items) }
        return vector("record failure", body, readable: items, [("records failed", "1")])
    }

    /// A marked put of `ann`, whom the section has, that a reader refuses.
    private func markedAnn(_ make: (VaultSketch, SketchItem) -> SketchItem) -> Vector {
        var (vault, items) = Self.snapshotVault(name) { section in
            section.seen = [SketchWriter(id: VaultSketch(name).writer, place: 4 << 20)]
        }
        vault.baseSequence = 4
        var entry = Self.runEntry(4, vault.put(make(vault, items[0])) { $0.place = 4 << 20 }.failing)
        entry.end = 1
        vault.sections.append(SketchRun(group: vault.group(), entries: [entry]))
        items += vault.append(vault.item("liz"))
        let body = vault.build().bytes
        return vector("record failure", body, readable: items, [("records failed", "1")])
    }

    private static let marks: [Vector] = [
        vault("run_mark_salt_live", "a marked put with the salt of the revision that it replaces")
            .markedAnn { vault, ann in
                var next = ann.revised(secret: "new")
                next.salt = vault.salt(of: ann)
                return next
            },
        vault("run_mark_revision_same", "a marked put that replaces a revision with its number").markedAnn { _, ann in
            var other = ann
            (other.salt, other.secret) = (zeros(7) + [1], .data([1]))
            return other
        },
        vault("run_mark_beyond_fence", "a marked put whose place is beyond that of its writer in the fence")
            .marked(counts: false) { $0.place = 4 << 20 + 1 },
        vault("run_mark_of_new_writer", "a marked put of a writer that the fence does not have")
            .marked(counts: false) { ($0.writer, $0.place, $0.previous) = ([1] + zeros(7), 1, 0) },
        vault("run_mark_previous", "a marked put with a previous place that was not seen")
            .marked(counts: true) { ($0.place, $0.previous) = (4 << 20, 9 << 20) },
        vault("run_mark_lower", "a marked put with a place that an item of the section has")
            .marked(counts: true) { ($0.place, $0.previous) = (1 << 20, 0) },
    ]
}
