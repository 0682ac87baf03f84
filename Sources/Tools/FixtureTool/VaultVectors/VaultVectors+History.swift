// Section 5.6: sections of history, and the past revisions in them.

extension VaultVectors {
    static let pastRevisions: [Vector] = pastRecords + histories + forDevices

    // MARK: - Records that are not valid, or not judged

    /// A vault with a past revision of an item in its history.
    private func past(ended: UInt64 = 3, failures: Int? = 1, _ record: (VaultSketch, SketchItem) -> SketchRecord)
        -> Vector
    {
        compacted(failures: failures) { vault, items in
            let old = items[0]
            items[0] = old.revised(secret: "new")
            items[0].place = 3 << 20 + 1
            vault.sections = [SketchGroupSection(vault.group(), items)]
            let entry = Self.runEntry(1, record(vault, old), ended: ended)
            vault.sections.append(SketchRun(kind: 3, group: vault.group(), entries: [entry]))
            return items
        }
    }

    private static let pastRecords: [Vector] = [
        vault("history_ended_at_once", "a revision that ended in the transaction that wrote it")
            .past(ended: 1, failures: nil) { $0.put($1) },
        vault("history_metadata", "metadata that does not parse, in the history")
            .past { vault, old in vault.put(old) { $0.metadata = [] } },
        vault("history_hash_differs", "a put of the history with the hash of other boxes")
            .past { vault, old in vault.put(old) { $0.hash = zeros(32) } },
        vault("history_salt_0", "a put of the history with a revision salt of zero bytes")
            .past { vault, old in vault.put(old) { $0.salt = zeros(8) } },
        vault("history_reserved", "a put of the history with a reserved byte")
            .past { vault, old in vault.put(old) { $0.reserved = [0, 0, 1] } },
        vault("history_place_seen", "a put of the history with places and salts that a frame could not have")
            .past(failures: nil) { vault, old in
                vault.put(old) { ($0.place, $0.previous, $0.replaced) = (1, 1 << 40, vault.salt(of: old)) }
            },
        vault("history_put_without_key")
            .comment("a put of the history whose handle has no key entry is not judged: it has the hash of other boxes")
            .past(failures: nil) { vault, old in
                var gone = old
                gone.key = vault.dataKey(.ck)
                return vault.put(gone) { $0.hash = zeros(32) }
            },
    ]

    // MARK: - Sections that are wrong

    /// A vault with a history of one put, which `edit` makes wrong.
    private func past(expect: String = "snapshot failure", section edit: (inout VaultSketch, inout SketchRun) -> Void)
        -> Vector
    {
        compacted(expect: expect) { vault, _ in
            let entry = Self.runEntry(2, vault.put(vault.item("zoe")), ended: 3)
            var history = SketchRun(kind: 3, group: vault.group(), entries: [entry])
            edit(&vault, &history)
            vault.sections.append(history)
            return nil
        }
    }

    private static let histories: [Vector] = [
        vault("history_of_no_records", "a history of no records").past { $1.entries = [] },
        vault("history_check", "a check that is not that of the history")
            .past { _, history in history.entry = { $0.check.flip(0) } },
        vault("history_does_not_open", "a history that is sealed under another key")
            .past { _, history in history.box = { $0.key = zeros(32) } },
        vault("history_cut", "39 bytes after the last put of a history, too few for another entry")
            .past { $1.end = zeros(39) },
        vault("history_record_cut", "a put of the history that extends beyond the content")
            .past { _, history in history.entries[0].record.length = { _ in 100_000 } },
        vault("history_list_not_0", "a history with a block list")
            .past { _, history in history.entry = { $0.listLength = 1 } },
        vault("history_count", "one put where the count says two")
            .past { _, history in history.entry = { $0.count = 2 } },
        vault("history_descending", "a history with the transactions 2 and 1 in this order").past { vault, history in
            var earlier = runEntry(1, vault.put(vault.item("liz")))
            earlier.end = 3
            history.entries.append(earlier)
        },
        vault("history_critical_record", "a critical record of unknown kind in a history")
            .past(expect: "unsupported") { _, history in
                history.entries.append(runEntry(3, .unknown(isCritical: true)))
                history.entries[1].end = 3
            },
        vault("history_put_of_other_group", "a put of another group")
            .past { vault, history in history.entries[0].record = vault.put(vault.item("zoe", key: vault.addWork())) },
        vault("history_put_of_other_epoch", "a put of another epoch of the group").past { vault, history in
            history.entries[0].record = vault.put(vault.item("zoe", key: vault.addEpoch2()))
        },
        vault("history_of_no_group_without_key", "a history without a group, of a put whose handle has no key entry")
            .past { vault, history in
                history.group = nil
                history.entries[0].record = vault.put(vault.item("zoe", key: vault.dataKey(.ck)))
            },
    ]

    // MARK: - Readers that lack a key

    /// A history of the items with `key`, of which the machine `desk` lacks a key; its put is wrong.
    private func onDesk(_ key: (inout VaultSketch) -> SketchDataKey, _ edit: @escaping SketchPut.Edit) -> Vector {
        compacted(unlock: [.device("desk")], locked: 3) { vault, _ in
            vault.addDevice("desk")
            vault.add(.dk)
            let key = key(&vault)
            let entry = Self.runEntry(2, vault.put(vault.item("zoe", key: key), edit), ended: 3)
            vault.sections.append(SketchRun(kind: 3, group: key.group, entries: [entry]))
            let items = vault.append(vault.item("dk", key: vault.dataKey(.dk)))
            return items
        }
    }

    private static let forDevices: [Vector] = [
        vault(
            "history_of_group_without_match_key",
            "a put of the history with the hash of other boxes, for a machine that lacks the match key of the group"
        )
        .onDesk {
            $0.addWork()
        } _: {
            $0.hash = zeros(32)
        },
        vault("history_of_locked_item")
            .comment("metadata of the history that does not parse, for a machine that lacks the data key")
            .onDesk {
                $0.dataKey()
            } _: {
                $0.metadata = []
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
