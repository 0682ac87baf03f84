// Sections 8.1 and 8.5: items with several live revisions, which two copies have made.

extension VaultVectors {
    static let conflicts: [Vector] = conflictsInLog + conflictsInSnapshot + endings

    /// Two revisions that replace the same one: `here` has the smaller salt, `there` comes from another copy.
    private struct Conflict {
        var vault: VaultSketch
        let first: SketchItem
        var here: SketchItem
        var there: SketchItem

        init(_ name: String) {
            vault = VaultSketch(name)
            first = vault.append(vault.item("kim"))[0]
            here = first.revised(secret: "here")
            here.salt = [1] + zeros(7)
            there = first.revised(secret: "there")
            there.salt = [2] + zeros(7)
            there.writer = vault.otherWriter
            there.place = 2 << 20
        }

        /// Appends a put of `item`, which replaces the first revision.
        mutating func branch(_ item: SketchItem) {
            let replaced = vault.salt(of: first)
            vault.append([vault.put(item) { $0.replaced = replaced }])
        }

        /// Appends a put of the revision after `item`, and returns it.
        mutating func edit(_ item: SketchItem, secret: String) -> SketchItem {
            let next = item.revised(secret: secret)
            let replaced = vault.salt(of: item)
            vault.append([vault.put(next) { $0.replaced = replaced }])
            return next
        }

        mutating func delete(_ item: SketchItem) {
            vault.append([vault.delete(item)])
        }
    }

    /// A vault of which `make` returns what is current.
    private func revisions(
        unlock: [Unlock] = [.passphrase],
        failures: Int? = nil,
        locked: Int? = nil,
        _ make: (inout Conflict) -> [SketchItem]
    ) -> Vector {
        whole(unlock: unlock, failures: failures, locked: locked) { vault in
            var conflict = Conflict(name)
            let readable = make(&conflict)
            vault = conflict.vault
            return readable
        }
    }

    /// A vault in which both revisions are live, changed by `edit`, which returns what is current then.
    private func conflict(_ edit: (inout Conflict) -> [SketchItem]) -> Vector {
        revisions { conflict in
            conflict.branch(conflict.here)
            conflict.branch(conflict.there)
            return edit(&conflict)
        }
    }

    private static let conflictsInLog: [Vector] = [
        vault("conflict", "of two revisions with the same number the one with the greater salt is current")
            .conflict { [$0.there] },
        vault("conflict_in_other_order", "the same, with the current one first").branches { ($0.there, $0.here) },
        vault("conflict_of_revisions", "the greater revision is current, though it has the smaller salt").branches {
            $0.here.revision = 3
            return ($0.here, $0.there)
        },
        vault("conflict_renamed", "two revisions of an item with different primary keys").branches {
            $0.here.attributes["acct"] = .string("lea")
            return ($0.here, $0.there)
        },
        vault("conflict_of_classes", "two revisions of an item under different data keys").branches { conflict in
            conflict.vault.add(.ck)
            conflict.there.key = conflict.vault.dataKey(.ck)
            return (conflict.here, conflict.there)
        },
        vault("conflict_edit", "an edit of the current revision").conflict { [$0.edit($0.there, secret: "new")] },
        vault("conflict_edit_and_delete", "an edit ends only the revision that it names: the other is still there")
            .conflict {
                let edited = $0.edit($0.there, secret: "new")
                $0.delete(edited)
                return [$0.here]
            },
        vault("conflict_edit_of_other", "an edit of the revision that is not current")
            .conflict { [$0.edit($0.here, secret: "new")] },
        vault("conflict_edit_of_other_and_delete", "the same: the one that was current is still there").conflict {
            let edited = $0.edit($0.here, secret: "new")
            $0.delete(edited)
            return [$0.there]
        },
        vault("conflict_delete", "a delete of the current revision: the other is current then").conflict {
            $0.delete($0.there)
            return [$0.here]
        },
        vault("conflict_delete_of_other", "a delete of the revision that is not current").conflict {
            $0.delete($0.here)
            return [$0.there]
        },
        vault("conflict_deletes_of_both", "deletes of both revisions: the item is deleted").conflict {
            $0.vault.append([$0.vault.delete($0.here), $0.vault.delete($0.there)])
            return []
        },
        vault("conflict_resolved", "a put and a delete in one transaction end both").conflict { conflict in
            let resolved = conflict.there.revised(secret: "both")
            conflict.vault.append([conflict.vault.put(resolved), conflict.vault.delete(conflict.here)])
            return [resolved]
        },
        vault("conflict_resolved_and_deleted", "the same, and a delete: nothing is left").conflict { conflict in
            let resolved = conflict.there.revised(secret: "both")
            conflict.vault.append([conflict.vault.put(resolved), conflict.vault.delete(conflict.here)])
            conflict.delete(resolved)
            return []
        },
        // A machine that can read the conflict but not the current revision.
        vault("conflict_locked", "an item whose current revision is locked, and another of which is not")
            .revisions(unlock: [.device("desk")], locked: 1) { conflict in
                conflict.vault.addDevice("desk")
                conflict.vault.add(.dk)
                conflict.here.key = conflict.vault.dataKey(.dk)
                conflict.branch(conflict.here)
                conflict.branch(conflict.there)
                return []
            },
        vault("conflict_damaged")
            .comment("an item whose current revision is damaged, and another of which is not: the item is damaged")
            .revisions(failures: 1) { conflict in
                conflict.branch(conflict.here)
                let replaced = conflict.vault.salt(of: conflict.first)
                conflict.vault.append([
                    conflict.vault.put(conflict.there) { ($0.replaced, $0.metadata) = (replaced, []) }
                ])
                return conflict.vault.append(conflict.vault.item("bob"))
            },
    ]

    /// A vault with the two revisions that `choose` returns, in their order; `there` is current unless it is less.
    private func branches(_ choose: (inout Conflict) -> (SketchItem, SketchItem)) -> Vector {
        revisions { conflict in
            let (one, other) = choose(&conflict)
            conflict.branch(one)
            conflict.branch(other)
            return [conflict.here.revision > conflict.there.revision ? conflict.here : conflict.there]
        }
    }

    // MARK: - In a section

    /// Returns a vault with `ann`, `bob` and two revisions of `kim` in its snapshot.
    ///
    /// The second revision is current.
    static func contestedVault(
        _ name: String,
        _ edit: (inout SketchGroupSection) -> Void = { _ in }
    ) -> (vault: VaultSketch, items: [SketchItem]) {
        var (vault, items) = snapshotVault(name)
        let kim = items.removeLast()
        for (number, secret) in ["here", "there"].enumerated() {
            var item = kim.revised(secret: secret)
            item.salt = [UInt8(number + 1)] + zeros(7)
            item.place = 3 << 20 + UInt64(number + 1)
            if number == 1 { item.writer = vault.otherWriter }
            items.append(item)
        }
        let section = SketchGroupSection(vault.group(), items, edit)
        vault.sections = [section]
        return (vault, section.items)
    }

    /// A contested item in a section, changed in the log; `edit` returns what is current of it then.
    private func contested(
        section: (inout SketchGroupSection) -> Void = { _ in },
        _ edit: (inout VaultSketch, SketchItem, SketchItem) -> [SketchItem]
    ) -> Vector {
        var (vault, items) = Self.contestedVault(name, section)
        let readable = items[..<2] + edit(&vault, items[2], items[3])
        return success(vault.build().bytes, readable: Array(readable))
    }

    private static let conflictsInSnapshot: [Vector] = [
        vault("snapshot_contested", "two live revisions of an item in a section").contested { [$2] },
        vault("snapshot_contested_in_two_leaves", "two live revisions of an item in two leaves").contested {
            $0.entriesPerLeaf = 1
        } _: {
            [$2]
        },
        vault("snapshot_contested_renamed", "two live revisions of an item with different primary keys").contested {
            $0.items[2].attributes["acct"] = .string("lea")
        } _: {
            [$2]
        },
        vault("snapshot_contested_edit", "an edit of one of two live revisions in a section")
            .contested { vault, _, current in
                let next = current.revised(secret: "new")
                vault.append([vault.put(next)])
                return [next]
            },
        vault("snapshot_contested_delete", "a delete of one of two live revisions in a section")
            .contested { vault, other, current in
                vault.append([vault.delete(current)])
                return [other]
            },
        vault("snapshot_contested_deletes", "deletes of both live revisions in a section")
            .contested { vault, other, current in
                vault.append([vault.delete(current), vault.delete(other)])
                return []
            },
    ]

    // MARK: - What ends nothing, and what does

    private static let endings: [Vector] = [
        vault("put_replaces_nothing", "a later revision that does not name the earlier one: that is a conflict")
            .whole { vault in
                let old = vault.append(vault.item("kim"))[0]
                let kim = old.revised(secret: "new")
                vault.append([vault.put(kim) { $0.replaced = zeros(8) }])
                return [kim]
            },
        vault("put_replaces_nothing_and_delete", "the same, and a delete of the later: the earlier is current")
            .whole { vault in
                let old = vault.append(vault.item("kim"))[0]
                let kim = old.revised(secret: "new")
                vault.append([vault.put(kim) { $0.replaced = zeros(8) }])
                vault.append([vault.delete(kim)])
                return [old]
            },
        vault("put_replaces_past", "a revision that replaces one that has ended: both it and the other are live")
            .whole { vault in
                let first = vault.append(vault.item("kim"))[0]
                let second = first.revised(secret: "second")
                vault.append([vault.put(second)])
                var third = second.revised(secret: "third")
                third.salt = [1] + zeros(7)
                let salt = vault.salt(of: first)
                vault.append([vault.put(third) { $0.replaced = salt }])
                vault.append([vault.delete(third)])
                return [second]
            },
        vault("put_revision_lower", "a lower revision that replaces nothing is live, and not current").whole { vault in
            var kim = vault.placed(vault.item("kim"))
            let other = kim
            kim.revision = 3
            vault.append([vault.put(kim)])
            vault.append([vault.put(other) { $0.replaced = zeros(8) }])
            return [kim]
        },
        vault("put_after_delete", "a deleted item that is put again, with a revision that it had: its salt is new")
            .whole { vault in
                let old = vault.append(vault.item("kim"))[0]
                vault.append([vault.delete(old)])
                var kim = old
                kim.salt = [1] + zeros(7)
                vault.append([vault.put(kim)])
                return [kim]
            },
        vault("delete_of_greatest_revision", "a delete of revision 2^63 - 1").whole { vault in
            var kim = vault.placed(vault.item("kim"))
            kim.revision = 1 << 63 - 1
            vault.append([vault.put(kim)])
            vault.append([vault.delete(kim)])
            return vault.append(vault.item("bob"))
        },
        vault("delete_of_other_number", "a delete with the salt of a revision, and another number")
            .meansNothing { vault, item in vault.delete(item, revision: 2) },
        vault("delete_of_unknown_salt", "a delete of a revision that the item does not have")
            .meansNothing { vault, item in
                var other = item
                other.salt = [1] + zeros(7)
                return vault.delete(other)
            },
        vault("delete_of_replaced_revision", "a delete of a revision that was replaced before").whole { vault in
            let old = vault.append(vault.item("kim"))[0]
            let kim = old.revised(secret: "new")
            vault.append([vault.put(kim)])
            vault.append([vault.delete(old)])
            return [kim]
        },
        vault("delete_revision_0", "a delete with revision 0").record { vault, ann in vault.delete(ann, revision: 0) },
        vault("delete_revision_2_63", "a delete with revision 2^63")
            .record { vault, ann in vault.delete(ann, revision: 1 << 63) },
        vault("delete_revision_0_of_nothing", "revision 0 in a delete of an item that is not there")
            .record { vault in vault.delete(vault.item("nobody"), revision: 0) },
        vault("delete_revision_maximal_of_nothing", "revision 2^64 - 1 in a delete of an item that is not there")
            .record { vault in vault.delete(vault.item("nobody"), revision: .max) },
    ]
}
