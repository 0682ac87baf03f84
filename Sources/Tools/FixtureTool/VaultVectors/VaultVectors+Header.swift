// Section 2.1: the checks of a reader, and their order.

extension VaultVectors {
    static let header: [Vector] = foreign + damagedHeader + versions + lengths + unauthentic

    private func header(expect: String = "header failure", _ edit: @escaping SketchHeader.Edit) -> Vector {
        small(expect) { $0.header.fields = edit }
    }

    /// The header with `bytes` at `offset`; hash and MAC match.
    private func header(expect: String = "header failure", at offset: Int, _ bytes: [UInt8]) -> Vector {
        header(expect: expect) { $0.put(bytes, at: offset) }
    }

    /// The header with `bytes` at `offset`, changed by someone without keys: the hash matches, the MAC does not.
    private func forged(expect: String = "header failure", at offset: Int, _ bytes: [UInt8]) -> Vector {
        small(expect) { $0.header.forged = { $0.put(bytes, at: offset) } }
    }

    /// A valid vault whose bytes are then changed.
    private func damaged(expect: String = "header failure", _ edit: (inout [UInt8]) -> Void) -> Vector {
        file(expect) { edit(&$0.bytes) }
    }

    private static let foreign: [Vector] = [
        vault("header_empty_file", "an empty file is not a vault").damaged(expect: "not a vault") { $0 = [] },
        vault("header_seven_bytes", "shorter than the magic")
            .damaged(expect: "not a vault") { $0.removeSubrange(7...) },
        vault("header_magic", "another magic").damaged(expect: "not a vault") { $0.flip(3) },
        vault("header_magic_text_mode", "a copy in text mode has changed the line ends")
            .damaged(expect: "not a vault") { $0.remove(at: 4) },
        vault("header_zeros", "4,096 zero bytes, as after a crash of the machine")
            .damaged(expect: "not a vault") { $0 = zeros(4096) },
    ]

    private static let damagedHeader: [Vector] = [
        vault("header_magic_only", "the magic and nothing else").damaged { $0.removeSubrange(8...) },
        vault("header_version_cut", "a file that ends in the version").damaged { $0.removeSubrange(9...) },
        vault("header_major_2_short", "a newer version may have a shorter header")
            .damaged(expect: "unsupported") { $0 = $0[..<8] + u16(2) },
        vault("header_short", "319 bytes of a header").damaged { $0.removeSubrange(319...) },
        vault("header_bitflip", "a changed bit in the generation salt").damaged { $0.flip(60) },
        vault("header_hash_bitflip", "a changed bit in the header hash").damaged { $0.flip(200) },
        vault("header_mac_bitflip", "a changed bit in the MAC; the hash fits").damaged { $0.flip(240) },
        vault("header_cut_in_keybag", "a file that ends in the keybag").damaged { $0.removeSubrange(400...) },
        vault("header_cut_in_directory", "a file that ends one byte before the snapshot does")
            .damaged {
                var vault = VaultSketch("header_cut_in_directory")
                vault.frames = []
                $0 = Array(vault.build().bytes.dropLast())
            },
    ]

    private static let versions: [Vector] = [
        vault("header_major_2", "a newer version").header(expect: "unsupported", at: 8, u16(2)),
        vault("header_major_0", "a version that never existed").header(expect: "unsupported", at: 8, u16(0)),
        vault("header_major_2_other_hash", "the header of a newer version may have another hash")
            .damaged(expect: "unsupported") { $0.put(u16(2), at: 8) },
        vault("header_draft_0", "the draft bit, but no number of a draft").header(
            expect: "unsupported",
            at: 10,
            u16(0)
        ),
        vault("header_draft_4", "an earlier draft").header(expect: "unsupported", at: 10, u16(4)),
        vault("header_draft_6", "a later draft").header(expect: "unsupported", at: 10, u16(6)),
        vault("header_draft_bit_missing", "the number of a draft without the draft bit")
            .header(expect: "unsupported", at: 40, u32(0)),
        vault("header_released", "the released version, which a reader of a draft does not know")
            .header(expect: "unsupported") {
                $0.put(u16(0), at: 10)
                $0.put(u32(0), at: 40)
            },
        vault("header_suite_9", "another suite").header(expect: "unsupported", at: 52, [9]),
        vault("header_incompatible_feature", "an incompatible feature bit besides that of drafts")
            .header(expect: "unsupported", at: 40, u32(1 << 31 | 1)),
        vault("header_read_only_feature", "a read-only-compatible feature bit: it can be read, not written")
            .opens([("write", "unsupported")]) { $0.header.fields = { $0.put(u32(1 << 31), at: 44) } },
        vault("header_compatible_feature", "a compatible feature bit is ignored")
            .opens { $0.header.fields = { $0.put(u32(1), at: 48) } },
        vault("header_suite_9_reserved", "the suite is looked at before reserved bytes")
            .header(expect: "unsupported") { $0.put([9, 1], at: 52) },
        vault("header_draft_1_length_256", "the draft is looked at before the header length")
            .header(expect: "unsupported") { $0.put(u16(1) + u32(256), at: 10) },
    ]

    private static let lengths: [Vector] = [
        vault("header_length_256", "the header length of an earlier draft").header(at: 12, u32(256)),
        vault("header_length_512", "a different header length").header(at: 12, u32(512)),
        vault("header_length_maximal", "header length 2^32 - 1").header(at: 12, u32(0xFFFF_FFFF as UInt32)),
        vault("header_generation_0", "generations begin with 1").header(at: 32, u64(0)),
        vault("header_generation_2_63", "generations are below 2^63").header(at: 32, u64(1 << 63 as UInt64)),
        vault("header_base_2_43", "base sequence numbers are below 2^43").header(at: 88, u64(1 << 43)),
        vault("header_chain_of_first_generation", "a previous chain in generation 1, the first one")
            .header(at: 127, [1]),
        vault("header_reserved", "a reserved byte; hash and MAC fit").header(at: 53, [1]),
        vault("header_keybag_0", "a keybag has at least 64 bytes").header(at: 72, u32(0)),
        vault("header_keybag_odd", "not a multiple of 64").header(at: 72, u32(100)),
        vault("header_keybag_maximal", "2^32 - 1 is not a multiple of 64").header(at: 72, u32(0xFFFF_FFFF as UInt32)),
        vault("header_keybag_huge", "a keybag of almost 4 GiB")
            .header(expect: "limit exceeded", at: 72, u32(0xFFFF_FFC0 as UInt32)),
        vault("header_directory_0", "a directory has at least 64 bytes").header(at: 76, u32(0)),
        vault("header_directory_odd", "not a multiple of 64").header(at: 76, u32(65)),
        vault("header_directory_beyond_snapshot", "longer than the snapshot").header(at: 76, u32(192)),
        vault("header_directory_huge", "a directory of 16 MiB and 64 bytes, in a larger snapshot")
            .header(expect: "limit exceeded") { $0.put(u32(16_777_280) + u64(33_554_432), at: 76) },
        vault("header_snapshot_odd", "not a multiple of 64").header(at: 80, u64(191)),
        vault("header_snapshot_beyond_file", "a snapshot beyond the end of the file").header(at: 80, u64(65_536)),
        vault("header_snapshot_maximal", "not a multiple of 64").header(at: 80, u64(UInt64.max)),
        vault("header_snapshot_huge", "a snapshot of almost 2^64 bytes")
            .header(expect: "limit exceeded", at: 80, u64(UInt64.max - 63)),
    ]

    private static let unauthentic: [Vector] = [
        vault("header_generation_changed", "the hash fits, the MAC does not").forged(at: 32, u64(7)),
        vault("header_base_changed", "another base; the hash fits, the MAC does not").forged(at: 88, u64(3)),
        vault("header_chain_changed", "another previous chain; the MAC does not fit")
            .small("header failure") { vault in
                vault.generation = 2
                vault.header.forged = { $0.put([1], at: 96) }
            },
        vault("header_salt_changed", "another generation salt; the MAC does not fit").forged(at: 56, [1]),
        vault("header_feature_changed", "feature bits are authentic too").forged(at: 48, u32(2)),
        vault("header_vault_id_changed", "slots are bound to the vault id, and are opened before the MAC is compared")
            .forged(expect: "no match", at: 16, [0, 1, 2, 3]),
        vault("header_mac_of_grant_holder")
            .comment("a MAC under a key that is derived from Ks, which the holder of a grant has")
            .small("header failure") { $0.header.ownerKey = $0.key("header") },
    ]
}
