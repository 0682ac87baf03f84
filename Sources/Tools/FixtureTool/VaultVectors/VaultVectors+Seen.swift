// Section 8.8: what a merge has seen.

extension VaultVectors {
    static let seen: [Vector] = validSeen + failingSeen

    private static let validSeen: [Vector] = [
        vault("seen", "what was seen of another writer, whose next put follows").whole { vault in
            vault.append([vault.seen([SketchWriter(id: vault.otherWriter, place: 9 << 20)], in: vault.group())])
            return [vault.appendOther("bob", place: 10 << 20)]
        },
        vault("seen_writers", "what was seen of two writers, of one of them less than before").whole { vault in
            let ann = vault.append(vault.item("ann"))
            let writers = [
                SketchWriter(id: vault.writer, place: 1), SketchWriter(id: vault.otherWriter, place: 1 << 63 - 2),
            ]
            vault.append([vault.seen(writers.sorted { $0.id.hex < $1.id.hex }, in: vault.group())])
            return ann + vault.append(vault.item("kim")) + [vault.appendOther("bob", place: 1 << 63 - 1)]
        },
        vault("seen_of_nothing", "a seen record without writers").whole { vault in
            vault.append([vault.seen([], in: vault.group())])
            return vault.append(vault.item("kim"))
        },
        vault("seen_in_other_epoch", "what was seen in another epoch of the group was seen in the group")
            .whole { vault in
                let key = vault.addEpoch2()
                vault.append([vault.seen([SketchWriter(id: vault.otherWriter, place: 9 << 20)], in: key.group)])
                return [vault.appendOther("bob", place: 10 << 20)]
            },
        vault("seen_in_other_group", "what was seen in another group was not seen in this one").whole { vault in
            vault.add(vault.group("work"))
            vault.append([vault.seen([SketchWriter(id: vault.otherWriter, place: 9 << 20)], in: vault.group("work"))])
            return [vault.appendOther("bob", place: 5 << 20)]
        },
        vault("seen_floor", "a floor, a put at it, and one after it, of a writer that is not listed")
            .thenPuts(after: 9 << 20),
        vault("seen_floor_greatest", "the same with the greatest floor").thenPuts(after: 1 << 62),
        vault("seen_floors", "a floor, a lesser one, and a writer after both").whole { vault in
            let listed = SketchWriter(id: vault.otherWriter, place: 12 << 20)
            vault.append([vault.seen([.floor(9 << 20)], in: vault.group())])
            vault.append([vault.seen([.floor(8 << 20), listed], in: vault.group())])
            return [vault.appendOther("bob", place: 12 << 20 + 1)]
        },
        vault("seen_then_put", "a put whose place was seen by a merge").thenPut(place: 9 << 20),
        vault("seen_then_lower_put", "a put whose place is before what was seen by a merge").thenPut(place: 8 << 20),
    ]

    /// A put of another writer after a record that has seen its place 9 × 2^20.
    private func thenPut(place: UInt64) -> Vector {
        record { vault, _ in
            let writer = SketchWriter(id: vault.otherWriter, place: 9 << 20)
            vault.append([vault.seen([writer], in: vault.group())])
            return vault.put(vault.item("kim")) { ($0.writer, $0.place, $0.previous) = (writer.id, place, 0) }
        }
    }

    /// A put of another writer at a floor, which fails, and one after it.
    private func thenPuts(after floor: UInt64) -> Vector {
        whole(failures: 1) { vault in
            let writer = vault.otherWriter
            vault.append([vault.seen([.floor(floor)], in: vault.group())])
            let late = vault.put(vault.item("kim")) { ($0.writer, $0.place, $0.previous) = (writer, floor, 0) }
            vault.append([late.failing])
            return [vault.appendOther("bob", place: floor + 1)]
        }
    }

    /// A seen record that fails, and so does not keep a put of another writer from being valid.
    private func seen(
        _ writers: (VaultSketch) -> [SketchWriter] = { [SketchWriter(id: $0.otherWriter, place: 9 << 20)] },
        text: (inout [UInt8]) -> Void = { _ in },
        edit: @escaping (inout [UInt8]) -> Void = { _ in }
    ) -> Vector {
        whole(failures: 1) { vault in
            var record = vault.seen(writers(vault), in: vault.group(), text).failing
            record.edit = edit
            vault.append([record])
            let bob = vault.appendOther("bob", place: 5 << 20)
            return [bob]
        }
    }

    private static let failingSeen: [Vector] = [
        vault("seen_wrong_tag", "a seen record with a wrong tag").seen(edit: { $0.flip($0.count - 1) }),
        vault("seen_place_changed", "a place that was changed without the match key")
            .seen(edit: { $0.put([7], at: 26) }),
        vault("seen_unsorted", "writers in descending order").seen {
            [
                SketchWriter(id: [UInt8](repeating: 0xFF, count: 8), place: 1),
                SketchWriter(id: $0.otherWriter, place: 9 << 20),
            ]
        },
        vault("seen_writer_twice", "a writer twice").seen {
            [SketchWriter(id: $0.otherWriter, place: 8 << 20), SketchWriter(id: $0.otherWriter, place: 9 << 20)]
        },
        vault("seen_place_at_floor", "a writer whose place is not after the floor")
            .seen { [.floor(9 << 20), SketchWriter(id: $0.otherWriter, place: 9 << 20)] },
        vault("seen_floor_0", "a floor of 0").seen { _ in [.floor(0)] },
        vault("seen_floor_too_great", "a floor of 2^62 + 1").seen { _ in [.floor(1 << 62 + 1)] },
        vault("seen_writers_8193", "a writer more than a seen record may list").seen { _ in
            (1...8_193).map { SketchWriter(id: [1, 0, 0, 0, 0, 0, UInt8($0 >> 8), UInt8($0 & 0xFF)], place: 1) }
        },
        vault("seen_place_0", "place 0").seen { [SketchWriter(id: $0.otherWriter, place: 0)] },
        vault("seen_place_2_63", "place 2^63").seen { [SketchWriter(id: $0.otherWriter, place: 1 << 63)] },
        vault("seen_place_maximal", "place 2^64 - 1").seen { [SketchWriter(id: $0.otherWriter, place: .max)] },
        vault("seen_count_too_large", "two writers where there is one").seen(text: { $0.put(u32(2), at: 12) }),
        vault("seen_count_too_small", "no writer where there is one").seen(text: { $0.put(u32(0), at: 12) }),
        vault("seen_count_maximal", "2^32 - 1 writers").seen(text: { $0.put(u32(0xFFFF_FFFF as UInt32), at: 12) }),
        vault("seen_too_short", "a seen record without its last byte").seen(edit: { $0.removeLast() }),
        vault("seen_too_long", "a seen record with a byte more").seen(edit: { $0.append(0) }),
        vault("seen_cut", "a seen record of 47 bytes").seen(edit: { $0.removeSubrange(47...) }),
    ]
}

extension VaultSketch {
    /// Appends a put of the item `name` by the writer of another copy, and returns the item.
    mutating func appendOther(_ name: String, place: UInt64) -> SketchItem {
        var item = item(name)
        (item.order, item.place, item.writer) = (place, place, otherWriter)
        append([put(item)])
        return item
    }
}
