// Section 14: numbers that a reader must not follow. It must answer within a second and 64 MiB.

extension VaultVectors {
    static let limits: [Vector] = argon2 + bombs + sizes

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

    private static let bombs: [Vector] = [
        vault("bomb_raw_length_maximal", "a block of 2^32 - 1 raw bytes")
            .snapshot(expect: "limit exceeded") { section in section.block = { $0.rawLength = 0xFFFF_FFFF } }.limited,
        vault("bomb_raw_length_above_limit", "a block of 262,145 raw bytes")
            .snapshot(expect: "limit exceeded") { section in
                section.block = { $0 = SketchBlock(raw: zeros(262_145), isCompressed: true) }
            }.limited,
        vault("bomb_deflated", "16 MiB of zeros in a block that says 262,144").snapshot { section in
            section.block = {
                $0 = SketchBlock(raw: zeros(16_777_216), isCompressed: true)
                $0.rawLength = 196_608
            }
        }.limited,
        vault("bomb_compressed_17_times", "a block of almost 17 times the size of its stream")
            .snapshot(expect: "limit exceeded", compressing(16...17)).limited,
    ]

    /// Gives the first item a comment long enough for the block to be compressed by the factor `ratio`.
    static func compressing(_ ratio: ClosedRange<Int>) -> (inout SketchGroupSection) -> Void {
        { section in
            // Without the comment the block has 1,238 bytes, and its stream some 730.
            let byteCount = ratio.upperBound * 735 - 1620
            section.items[0].attributes["icmt"] = .string(String(repeating: "a", count: byteCount))
            section.block = { block in
                let streams = ratio.lowerBound * block.payload.count...ratio.upperBound * block.payload.count
                precondition(
                    streams.contains(Int(block.rawLength)),
                    "another ratio: \(block.rawLength) \(block.payload.count)"
                )
            }
        }
    }

    private static let sizes: [Vector] = [
        vault("fence_writers_262145", "a writer more than a group may have")
            .snapshot(expect: "limit exceeded") { section in section.fence = { $0.writerCount = 262_145 } }.limited,
        vault("fence_writers_maximal", "2^32 - 1 writers")
            .snapshot(expect: "limit exceeded") { section in section.fence = { $0.writerCount = 0xFFFF_FFFF } }.limited,
        vault("metadata_65537", "metadata of 65,537 bytes in a box of the right size")
            .damaged { put in put.metadata += zeros(65_537 - put.metadata.count) }.limited,
        vault("metadata_65537_with_columns", "metadata of 65,537 bytes that is right otherwise")
            .record(isDamaged: true) { vault in
                var item = vault.placed(vault.item("kim"))
                item.attributes["svce"] = .string(String(repeating: "s", count: 30_000))
                item.attributes["desc"] = .string(String(repeating: "d", count: 1000))
                let missing = 65_537 - item.metadata.count
                item.attributes["desc"] = .string(String(repeating: "d", count: 1000 + missing))
                precondition(item.metadata.count == 65_537, "another size: \(item.metadata.count)")
                return vault.put(item)
            }.limited,
        vault("metadata_of_objects", "an archive of more than 4,096 objects").record(isDamaged: true) { vault in
            let item = vault.placed(vault.item("kim"))
            var attributes = item.attributes
            attributes["desc"] = .array((0..<2500).map { .int(Int64($0)) })
            let metadata = SketchItem.metadata(1, columns: item.columns, archive: canonicalArchive(attributes))
            return vault.put(item) { $0.metadata = metadata }
        }.limited,
    ]
}

extension Vector {
    /// The vector with the time and the memory that a reader has.
    fileprivate var limited: Vector {
        var vector = self
        vector.settings.append(VaultVectors.limit)
        return vector
    }
}
