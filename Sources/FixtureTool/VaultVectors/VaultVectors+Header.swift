// Section 2.1: the checks of a reader, and their order.

extension VaultVectors {
    static let header: [Vector] = foreign + damagedHeader + versions + lengths + unauthentic

    private static func header(
        _ name: String,
        _ expect: String,
        _ comment: String,
        _ edit: @escaping SketchHeader.Edit
    ) -> Vector {
        vector(name, expect, comment, small(name) { $0.header.fields = edit })
    }

    /// The header with `bytes` at `offset`; hash and MAC match.
    private static func header(
        _ name: String,
        _ expect: String,
        at offset: Int,
        _ bytes: [UInt8],
        _ comment: String
    ) -> Vector {
        header(name, expect, comment) { $0.put(bytes, at: offset) }
    }

    /// The header with `bytes` at `offset`, changed by someone without keys: the hash matches, the MAC does not.
    private static func forged(
        _ name: String,
        _ expect: String,
        at offset: Int,
        _ bytes: [UInt8],
        _ comment: String
    ) -> Vector {
        vector(name, expect, comment, small(name) { $0.header.forged = { $0.put(bytes, at: offset) } })
    }

    /// A valid vault whose bytes are then changed.
    private static func damaged(
        _ name: String,
        _ expect: String,
        _ comment: String,
        _ edit: (inout [UInt8]) -> Void
    ) -> Vector {
        var bytes = small(name)
        edit(&bytes)
        return vector(name, expect, comment, bytes)
    }

    private static let foreign: [Vector] = [
        damaged("header_empty_file", "not a vault", "an empty file is not a vault") { $0 = [] },
        damaged("header_seven_bytes", "not a vault", "shorter than the magic") { $0.removeSubrange(7...) },
        damaged("header_magic", "not a vault", "another magic") { $0.flip(3) },
        damaged("header_magic_text_mode", "not a vault", "a copy in text mode has changed the line ends") {
            $0.remove(at: 4)
        },
        damaged("header_zeros", "not a vault", "4,096 zero bytes, as after a crash of the machine") {
            $0 = zeros(4096)
        },
    ]

    private static let damagedHeader: [Vector] = [
        damaged("header_magic_only", "header failure", "the magic and nothing else") { $0.removeSubrange(8...) },
        damaged("header_version_cut", "header failure", "a file that ends in the version") { $0.removeSubrange(9...) },
        damaged("header_major_2_short", "unsupported", "a newer version may have a shorter header") {
            $0 = $0[..<8] + u16(2)
        },
        damaged("header_short", "header failure", "319 bytes of a header") { $0.removeSubrange(319...) },
        damaged("header_bitflip", "header failure", "a changed bit in the generation salt") { $0.flip(60) },
        damaged("header_hash_bitflip", "header failure", "a changed bit in the header hash") { $0.flip(200) },
        damaged("header_mac_bitflip", "header failure", "a changed bit in the MAC; the hash fits") { $0.flip(240) },
        damaged("header_cut_in_keybag", "header failure", "a file that ends in the keybag") {
            $0.removeSubrange(400...)
        },
        damaged("header_cut_in_directory", "header failure", "a file that ends one byte before the snapshot does") {
            var vault = VaultSketch("header_cut_in_directory")
            vault.frames = []
            $0 = Array(vault.build().bytes.dropLast())
        },
    ]

    private static let versions: [Vector] = [
        header("header_major_2", "unsupported", at: 8, u16(2), "a newer version"),
        header("header_major_0", "unsupported", at: 8, u16(0), "a version that never existed"),
        damaged("header_major_2_other_hash", "unsupported", "the header of a newer version may have another hash") {
            $0.put(u16(2), at: 8)
        },
        header("header_draft_0", "unsupported", at: 10, u16(0), "the draft bit, but no number of a draft"),
        header("header_draft_3", "unsupported", at: 10, u16(3), "an earlier draft"),
        header("header_draft_5", "unsupported", at: 10, u16(5), "a later draft"),
        header(
            "header_draft_bit_missing",
            "unsupported",
            at: 40,
            u32(0),
            "the number of a draft without the draft bit"
        ),
        header("header_released", "unsupported", "the released version, which a reader of a draft does not know") {
            $0.put(u16(0), at: 10)
            $0.put(u32(0), at: 40)
        },
        header("header_suite_9", "unsupported", at: 52, [9], "another suite"),
        header(
            "header_incompatible_feature",
            "unsupported",
            at: 40,
            u32(1 << 31 | 1),
            "an incompatible feature bit besides that of drafts"
        ),
        success(
            "header_read_only_feature",
            "a read-only-compatible feature bit: it can be read, not written",
            small("header_read_only_feature") { $0.header.fields = { $0.put(u32(1 << 31), at: 44) } },
            readable: readableInSmall("header_read_only_feature"),
            [("write", "unsupported")]
        ),
        success(
            "header_compatible_feature",
            "a compatible feature bit is ignored",
            small("header_compatible_feature") { $0.header.fields = { $0.put(u32(1), at: 48) } },
            readable: readableInSmall("header_compatible_feature")
        ),
        header("header_suite_9_reserved", "unsupported", "the suite is looked at before reserved bytes") {
            $0.put([9, 1], at: 52)
        },
        header("header_draft_1_length_256", "unsupported", "the draft is looked at before the header length") {
            $0.put(u16(1) + u32(256), at: 10)
        },
    ]

    /// Returns the item of ``small(_:_:)``.
    static func readableInSmall(_ name: String) -> [SketchItem] {
        var vault = VaultSketch(name)
        return vault.append(vault.item("kim"))
    }

    private static let lengths: [Vector] = [
        header("header_length_256", "header failure", at: 12, u32(256), "the header length of an earlier draft"),
        header("header_length_512", "header failure", at: 12, u32(512), "a different header length"),
        header("header_length_maximal", "header failure", at: 12, u32(0xFFFF_FFFF as UInt32), "header length 2^32 - 1"),
        header("header_generation_0", "header failure", at: 32, u64(0), "generations begin with 1"),
        header(
            "header_generation_2_63",
            "header failure",
            at: 32,
            u64(1 << 63 as UInt64),
            "generations are below 2^63"
        ),
        header("header_base_2_43", "header failure", at: 88, u64(1 << 43), "base sequence numbers are below 2^43"),
        header(
            "header_chain_of_first_generation",
            "header failure",
            at: 127,
            [1],
            "a previous chain in generation 1, the first one"
        ),
        header("header_reserved", "header failure", at: 53, [1], "a reserved byte; hash and MAC fit"),
        header("header_keybag_0", "header failure", at: 72, u32(0), "a keybag has at least 64 bytes"),
        header("header_keybag_odd", "header failure", at: 72, u32(100), "not a multiple of 64"),
        header(
            "header_keybag_maximal",
            "header failure",
            at: 72,
            u32(0xFFFF_FFFF as UInt32),
            "2^32 - 1 is not a multiple of 64"
        ),
        header("header_keybag_huge", "limit exceeded", at: 72, u32(0xFFFF_FFC0 as UInt32), "a keybag of almost 4 GiB"),
        header("header_directory_0", "header failure", at: 76, u32(0), "a directory has at least 64 bytes"),
        header("header_directory_odd", "header failure", at: 76, u32(65), "not a multiple of 64"),
        header("header_directory_beyond_snapshot", "header failure", at: 76, u32(192), "longer than the snapshot"),
        header("header_directory_huge", "limit exceeded", "a directory of 16 MiB and 64 bytes, in a larger snapshot") {
            $0.put(u32(16_777_280) + u64(33_554_432), at: 76)
        },
        header("header_snapshot_odd", "header failure", at: 80, u64(191), "not a multiple of 64"),
        header(
            "header_snapshot_beyond_file",
            "header failure",
            at: 80,
            u64(65_536),
            "a snapshot beyond the end of the file"
        ),
        header("header_snapshot_maximal", "header failure", at: 80, u64(UInt64.max), "not a multiple of 64"),
        header(
            "header_snapshot_huge",
            "limit exceeded",
            at: 80,
            u64(UInt64.max - 63),
            "a snapshot of almost 2^64 bytes"
        ),
    ]

    private static let unauthentic: [Vector] = [
        forged("header_generation_changed", "header failure", at: 32, u64(7), "the hash fits, the MAC does not"),
        forged(
            "header_base_changed",
            "header failure",
            at: 88,
            u64(3),
            "another base; the hash fits, the MAC does not"
        ),
        vector(
            "header_chain_changed",
            "header failure",
            "another previous chain; the MAC does not fit",
            small("header_chain_changed") { vault in
                vault.generation = 2
                vault.header.forged = { $0.put([1], at: 96) }
            }
        ),
        forged("header_salt_changed", "header failure", at: 56, [1], "another generation salt; the MAC does not fit"),
        forged("header_feature_changed", "header failure", at: 48, u32(2), "feature bits are authentic too"),
        forged(
            "header_vault_id_changed",
            "no match",
            at: 16,
            [0, 1, 2, 3],
            "slots are bound to the vault id, and are opened before the MAC is compared"
        ),
        vector(
            "header_mac_of_grant_holder",
            "header failure",
            "a MAC under a key that is derived from Ks, which the holder of a grant has",
            small("header_mac_of_grant_holder") { $0.header.ownerKey = $0.key("header") }
        ),
    ]
}
