// Section 14: numbers that a reader must not follow. It must answer within a second and 64 MiB.

extension VaultVectors {
    static let limits: [Vector] = argon2 + sizes

    fileprivate static let limit: Line = ("limit", "1 s 64 MiB")

    /// A vault whose only slot asks for `ops` passes over `mem` KiB; without `policy: test`.
    private func argon2(ops: UInt32, mem: UInt32) -> Vector {
        let vector = small("limit exceeded") { vault in
            let slot = vault.slot(.passphrase(VaultSketch.passphrase)) { slot in
                slot.ops = ops
                slot.mem = mem
                slot.seed = zeros(32)
            }
            vault.keybag.replace(with: slot)
        }
        let lines = Self.passphrase + [Self.limit]
        return Vector(name: name, outcome: vector.outcome, settings: lines, comment: comment, body: vector.body)
    }

    private static let argon2: [Vector] = [
        vault("argon2_mem_4_tib", "almost 4 TiB of memory").argon2(ops: 1, mem: 0xFFFF_FFFF),
        vault("argon2_mem_above_limit", "1 KiB more than the maximum memory").argon2(ops: 1, mem: 1_048_577),
        vault("argon2_mem_below_floor", "8 KiB, which only the test policy allows").argon2(ops: 3, mem: 8),
        vault("argon2_mem_0", "no memory").argon2(ops: 3, mem: 0),
        vault("argon2_ops_maximal", "2^32 - 1 passes").argon2(ops: 0xFFFF_FFFF, mem: 65_536),
        vault("argon2_ops_17", "17 passes").argon2(ops: 17, mem: 65_536),
        vault("argon2_ops_0", "no passes").argon2(ops: 0, mem: 65_536),
        vault("argon2_work", "5 passes over 1 GiB: each number is within its limit, but not the work")
            .argon2(ops: 5, mem: 1_048_576),
        vault("argon2_slot_skipped", "a slot beyond the limits does not keep another from matching").opens { vault in
            let slot = vault.slot(.passphrase(VaultSketch.passphrase), "huge") { slot in
                slot.mem = 0xFFFF_FFFF
                slot.seed = zeros(32)
            }
            vault.keybag.entries.insert(slot, at: 0)
        }.limited,
    ]

    private static let sizes: [Vector] = [
        vault("fence_past_entries_4194305", "a past entry more than a section may have, as the fence says")
            .snapshot(expect: "limit exceeded") { section in
                section.past = [section.items[0]]
                section.fence = { $0.pastCount = 4_194_305 }
            }.limited,
        vault("fence_handles_8193", "a data key more than a fence may have")
            .snapshot(expect: "limit exceeded") { $0.fence = { $0.head = { $0.put(u16(8_193), at: 0) } } }.limited,
        vault("fence_handles_maximal", "65,535 data keys")
            .snapshot(expect: "limit exceeded") { $0.fence = { $0.head = { $0.put(u16(0xFFFF), at: 0) } } }.limited,
        vault("fence_dictionaries_8193", "a dictionary more than a fence may have")
            .snapshot(expect: "limit exceeded") { $0.fence = { $0.head = { $0.put(u16(8_193), at: 2) } } }.limited,
        vault("fence_dictionaries_maximal", "65,535 dictionaries")
            .snapshot(expect: "limit exceeded") { $0.fence = { $0.head = { $0.put(u16(0xFFFF), at: 2) } } }.limited,
        vault("fence_writers_8193", "a writer more than a fence may list")
            .snapshot(expect: "limit exceeded") { $0.fence = { $0.head = { $0.put(u32(8_193), at: 8) } } }.limited,
        vault("fence_writers_maximal", "2^32 - 1 writers")
            .snapshot(expect: "limit exceeded") {
                $0.fence = { $0.head = { $0.put(u32(0xFFFF_FFFF as UInt32), at: 8) } }
            }.limited,
        vault("metadata_65537", "metadata of 65,537 bytes in a box of the right size")
            .damaged { put in put.metadata += zeros(65_537 - put.metadata.count) }.limited,
        vault("metadata_65536", "metadata of 65,536 bytes, in the largest box").whole { vault in
            vault.append(vault.item("kim").withMetadata(of: 65_536))
        },
        vault("metadata_65537_canonical", "metadata of 65,537 bytes that is right otherwise")
            .record(isDamaged: true) { vault in
                vault.put(vault.placed(vault.item("kim").withMetadata(of: 65_537)))
            }.limited,
        vault("metadata_of_objects", "an archive of more than 4,096 objects").record(isDamaged: true) { vault in
            let item = vault.placed(vault.item("kim"))
            var attributes = item.attributes
            attributes["desc"] = .array((0..<2500).map { .int(Int64($0)) })
            let metadata = canonicalArchive(attributes)
            return vault.put(item) { $0.metadata = metadata }
        }.limited,
    ]
}

extension SketchItem {
    /// Returns the item with a description that makes its metadata `byteCount` bytes long.
    func withMetadata(of byteCount: Int) -> SketchItem {
        var item = self
        item.attributes["desc"] = .string(String(repeating: "d", count: 30_000))
        let missing = byteCount - item.metadata.count
        item.attributes["desc"] = .string(String(repeating: "d", count: 30_000 + missing))
        precondition(item.metadata.count == byteCount, "another size: \(item.metadata.count)")
        return item
    }
}

extension Vector {
    /// The vector with the time and the memory that a reader has.
    var limited: Vector {
        var vector = self
        vector.settings.append(VaultVectors.limit)
        return vector
    }
}
