// Section 8.1: the names of revisions, and the writers and places that they come from.

extension VaultVectors {
    static let places: [Vector] = names + unseen + tampered + repeated + validPlaces + pastPuts

    // MARK: - Fields that anyone can check

    private static let names: [Vector] = [
        vault("put_salt_0", "a revision salt of zero bytes").put { $0.salt = zeros(8) },
        vault("put_writer_0", "a writer id of zero bytes").put {
            $0.writer = zeros(8)
            $0.previous = 0
        },
        vault("put_place_0", "place 0, of another writer than before").put {
            $0.writer = [1] + zeros(7)
            $0.place = 0
            $0.previous = 0
        },
        vault("put_place_2_63", "places are less than 2^63").put { $0.place = 1 << 63 },
        vault("put_place_maximal", "place 2^64 - 1").put { $0.place = .max },
        vault("put_past_2", "neither past nor not past").put { $0.past = 2 },
        vault("put_past_255", "the greatest byte that says whether a put is past").put { $0.past = 255 },
    ]

    // MARK: - What was seen

    private static let unseen: [Vector] = [
        vault("put_place_seen", "the place of the put before, by the same writer").put { $0.place = $0.previous },
        vault("put_place_lower", "a place before the last one of the same writer").put { $0.place = $0.previous - 1 },
        vault("put_gap", "a previous place that was not seen: a put before this one is missing")
            .put { $0.previous = $0.place - 1 },
        vault("put_gap_of_new_writer", "a previous place of a writer of which nothing was seen").put {
            $0.writer = [1] + zeros(7)
            $0.previous = 1
        },
        vault("put_replaces_greater_revision", "a put that replaces a revision with a greater number")
            .whole(failures: 1) { vault in
                let ann = vault.append(vault.item("ann"))[0].revised()
                vault.append([vault.put(ann)])
                var item = ann
                (item.revision, item.salt) = (1, zeros(7) + [1])
                vault.append([vault.put(item).failing])
                return [ann]
            },
        vault("put_salt_live", "a put with the salt of the revision that it replaces").record { vault, ann in
            let salt = vault.salt(of: ann)
            return vault.put(ann.revised()) { $0.salt = salt }
        },
        // A put was removed by someone who can write frames: all later puts of its writer fail, those of others do not.
        vault("put_left_out", "two puts after one that is missing, and one of another writer")
            .whole(failures: 2) { vault in
                let ann = vault.append(vault.item("ann"))
                let missing = vault.nextSequence << 20
                vault.append([])
                let bob = vault.placed(vault.item("bob"))
                vault.append([vault.put(bob) { $0.previous = missing }.failing])
                vault.append([vault.put(vault.item("kim")) { $0.previous = bob.order }.failing])
                var liz = vault.placed(vault.item("liz"))
                liz.writer = vault.otherWriter
                vault.append([vault.put(liz)])
                return ann + [liz]
            },
        // What was seen is seen in the group, whatever the epoch.
        vault("put_place_seen_in_other_epoch", "a place that was seen in another epoch of the group")
            .compacted(failures: 1) { vault, items in
                let key = vault.addEpoch2()
                vault.append([vault.put(vault.item("zoe", key: key)) { $0.place = $0.previous }.failing])
                items += vault.append(vault.item("liz", key: key))
                return items
            },
        // A put of a revision that ended before the snapshot was written.
        vault("put_place_seen_in_snapshot", "a put from before the snapshot, whose section has no items")
            .afterSeen(failures: 1) { vault in
                var old = vault.item("gone").added(by: 7)
                old.place = old.order
                vault.append([vault.put(old) { $0.previous = 0 }.failing])
                return vault.append(vault.item("kim"))
            },
    ]

    /// A vault whose snapshot has seen two writers and has no items.
    private func afterSeen(failures: Int? = nil, _ make: (inout VaultSketch) -> [SketchItem]) -> Vector {
        compacted(of: [], failures: failures) { vault, _ in
            vault.baseSequence = 8
            let writers = [
                SketchWriter(id: vault.writer, place: 7 << 20), SketchWriter(id: vault.otherWriter, place: 3 << 20),
            ]
            vault.sections = [SketchGroupSection(vault.group(), []) { $0.seen = writers }]
            return make(&vault)
        }
    }

    // MARK: - Changes made without the match key

    /// A second revision of `ann` with `bytes` at `offset`.
    private func tampered(at offset: Int, _ bytes: [UInt8]) -> Vector {
        Self.vault(name, "\(comment), changed without the match key").record { vault, ann in
            vault.put(ann.revised()).edited { $0.put(bytes, at: offset) }
        }
    }

    private static let tampered: [Vector] = [
        vault("put_revision_changed", "the revision").tampered(at: 16, u64(9)),
        vault("put_salt_changed", "the revision salt").tampered(at: 24, [1] + zeros(7)),
        vault("put_writer_changed", "the writer").tampered(at: 40, [1] + zeros(7)),
        vault("put_place_changed", "the place").tampered(at: 48, u64(1 << 40)),
        vault("put_previous_changed", "the previous place").tampered(at: 56, u64(0)),
        vault("put_replaced_changed", "the salt of the replaced revision").tampered(at: 64, zeros(8)),
        vault("put_past_changed", "the byte that says that the revision is not past").tampered(at: 84, [1]),
    ]

    // MARK: - Puts that are written again

    private static let repeated: [Vector] = [
        vault("put_repeated", "a copy of a put").record { vault, ann in vault.repeatedPut(ann) },
        vault("put_repeated_after_edit", "a copy of a put whose revision was replaced").afterwards { vault, kim in
            let next = kim.revised(secret: "new")
            vault.append([vault.put(next)])
            return [next]
        },
        vault("put_repeated_after_delete", "a copy of a put of an item that was deleted, and stays so")
            .afterwards { vault, kim in
                vault.append([vault.delete(kim)])
                return []
            },
    ]

    /// The put of `kim` again, after the changes of `edit`.
    private func afterwards(_ edit: (inout VaultSketch, SketchItem) -> [SketchItem]) -> Vector {
        whole(failures: 1) { vault in
            let kim = vault.append(vault.item("kim"))[0]
            var readable = edit(&vault, kim)
            vault.append([vault.repeatedPut(kim).failing])
            readable += vault.append(vault.item("bob"))
            return readable
        }
    }

    // MARK: - Valid places

    private static let validPlaces: [Vector] = [
        vault("put_writers", "two writers in turn, each with places of its own").whole { vault in
            var items = vault.append(vault.item("ann"))
            for (number, name) in ["bob", "kim", "liz"].enumerated() {
                let item = vault.appendOther(name, place: UInt64(40 + number) << 20 + 5)
                items += [item] + vault.append(vault.item("\(name) here"))
            }
            return items
        },
        vault("put_previous_0", "a previous place before the last one that was seen").whole { vault in
            let ann = vault.append(vault.item("ann"))
            let bob = vault.placed(vault.item("bob"))
            vault.append([vault.put(bob) { $0.previous = 0 }])
            return ann + [bob]
        },
        vault("put_place_greatest", "place 2^63 - 1").whole { vault in
            let ann = vault.append(vault.item("ann"))
            let bob = vault.placed(vault.item("bob"))
            vault.append([vault.put(bob) { $0.place = 1 << 63 - 1 }])
            return ann + [bob]
        },
        vault("put_revision_greatest", "revision 2^63 - 1").whole { vault in
            var kim = vault.append(vault.item("kim"))[0].revised()
            kim.revision = 1 << 63 - 1
            vault.append([vault.put(kim)])
            return [kim]
        },
        vault("put_salt_of_other_item", "two items whose revisions have the same salt").whole { vault in
            let ann = vault.append(vault.item("ann"))[0]
            var bob = vault.placed(vault.item("bob"))
            bob.salt = vault.salt(of: ann)
            vault.append([vault.put(bob)])
            return [ann, bob]
        },
        vault("put_replaces_unknown", "a new item that replaces a revision that is not there").whole { vault in
            let kim = vault.placed(vault.item("kim"))
            vault.append([vault.put(kim) { $0.replaced = [1] + zeros(7) }])
            return [kim]
        },
        vault("put_place_of_other_group", "a place that was seen in another group only").whole { vault in
            let key = vault.addWork()
            let ann = vault.append(vault.item("ann"))
            var bob = vault.item("bob", key: key)
            bob.place = 7
            vault.append([vault.put(bob)])
            return ann + [bob]
        },
        vault("snapshot_of_seen", "a section without items that has seen two writers, and the next put of each")
            .afterSeen { vault in
                let bob = vault.appendOther("bob", place: 4 << 20)
                return vault.append(vault.item("kim")) + [bob]
            },
        vault("put_replaces_in_other_epoch", "a revision in a new epoch of the group replaces one in the old epoch")
            .compacted { vault, items in
                var next = items[0].revised(secret: "new")
                next.key = vault.addEpoch2()
                vault.append([vault.put(next)])
                items[0] = next
                return items
            },
    ]

    // MARK: - Puts that are past

    private static let pastPuts: [Vector] = [
        vault("put_past", "a put that is past ends nothing, is not current and changes nothing of what was seen")
            .whole { vault in
                let ann = vault.append(vault.item("ann"))[0]
                var past = ann.revised().revised()
                past.writer = vault.otherWriter
                past.place = 9 << 20
                vault.append([vault.put(past) { $0.past = 1 }])
                let bob = vault.appendOther("bob", place: 5 << 20)
                return [ann, bob]
            },
        vault("put_past_place_seen", "a put that is past, and whose place was seen").whole { vault in
            let old = vault.append(vault.item("kim"))[0]
            let kim = old.revised(secret: "new")
            vault.append([vault.put(kim)])
            vault.append([vault.repeatedPut(old) { $0.past = 1 }])
            return [kim]
        },
        vault("put_past_of_deleted_item", "a put of a deleted item that is past: it stays deleted").whole { vault in
            let kim = vault.append(vault.item("kim"))[0]
            vault.append([vault.delete(kim)])
            vault.append([vault.repeatedPut(kim) { $0.past = 1 }])
            return vault.append(vault.item("bob"))
        },
        vault("put_past_gap", "a put that is past, with a previous place that was not seen").whole { vault in
            vault.append([vault.put(vault.item("gone")) { ($0.past, $0.previous) = (1, $0.place - 1) }])
            return vault.append(vault.item("bob"))
        },
        vault("put_past_revision_0", "a put that is past, with revision 0").put { ($0.past, $0.revision) = (1, 0) },
        vault("put_past_place_2_63", "a put that is past, with place 2^63").put { ($0.past, $0.place) = (1, 1 << 63) },
        vault("put_past_hash_differs", "a put that is past, with the hash of other boxes")
            .put { ($0.past, $0.hash) = (1, zeros(32)) },
    ]
}

extension SketchRecord {
    /// The record, which a reader takes for invalid.
    var failing: SketchRecord {
        var record = self
        record.counts = false
        return record
    }
}

extension VaultSketch {
    /// The writer of another copy.
    var otherWriter: [UInt8] { randomness.bytes(8, "another writer") }

    /// Returns the put that added `item`, the first of its writer, once more; it is the same but for what `edit` changes.
    func repeatedPut(_ item: SketchItem, _ edit: @escaping SketchPut.Edit = { _ in }) -> SketchRecord {
        put(item) { put in
            (put.place, put.previous, put.replaced) = (item.order, 0, zeros(8))
            edit(&put)
        }
    }

    /// Adds the epoch 2 of the group `mail`, and returns a data key in it.
    mutating func addEpoch2(_ protection: Protection = .ck) -> SketchDataKey {
        var key = dataKey(protection)
        key.group = group(epoch: 2)
        add(key.group)
        keybag.append(dataKeyEntry(key))
        return key
    }
}
