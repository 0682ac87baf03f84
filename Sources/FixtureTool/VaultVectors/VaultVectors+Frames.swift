// Sections 6.1 and 6.2: frames with a genuine head that do not verify.

extension VaultVectors {
    static let frames: [Vector] = (heads + cutHeads + texts + strangers).flatMap { $0 }

    /// A wrong third frame, made by a holder of Ks.
    private static func frame(
        _ name: String,
        _ comment: String,
        expect verdict: String = "damaged tail",
        _ edit: (inout SketchFrame) -> Void
    ) -> [Vector] {
        tail(name, verdict, comment, vault: { edit(&$0.frames[2]) }) { $0.bytes }
    }

    private static let heads: [[Vector]] = [
        frame(
            "frame_length_maximal",
            "a body of 2^32 - 1 bytes: the head is not plausible, so its length is ignored"
        ) {
            $0.bodyLength = { _ in 0xFFFF_FFFF }
        },
        frame("frame_length_beyond_limit", "a body one step longer than the maximum") {
            $0.bodyLength = { _ in UInt32(pad(pad(128 + 16_777_216) + 1) - 96) }
        },
        frame("frame_length_greatest", "a body of the maximum length, most of which is missing", expect: "torn tail") {
            $0.bodyLength = { _ in UInt32(pad(128 + 16_777_216) - 96) }
        },
        frame("frame_magic", "another magic, under a MAC that fits") { $0.magic = "COFY" },
        frame("frame_length_0", "a body of no bytes") { $0.bodyLength = { _ in 0 } },
        frame("frame_length_864", "the body of a frame of 960 bytes, in the head of a longer one") {
            $0.bodyLength = { _ in 864 }
        },
        frame("frame_of_960", "a frame of 960 bytes, in which everything else fits", expect: "torn tail") { frame in
            frame.records = [.unknown()]
            frame.byteCount = { _ in 960 }
        },
        frame("frame_of_1024_in_1088", "a frame of 1,088 bytes, for records that fit in 1,024") { frame in
            frame.records = [SketchRecord(kind: 99, body: zeros(888))]
            frame.byteCount = { $0 + 64 }
        },
        frame("frame_length_not_padded", "a frame whose size is not a pad(n)") { $0.byteCount = { $0 + 64 } },
        frame("frame_length_odd", "a frame whose size is not a multiple of 64") {
            $0.bodyLength = { UInt32($0 - 1) }
        },
        frame("frame_chain_differs", "another chain value in the head, under a MAC that fits") {
            $0.chain = zeros(32)
        },
        frame("frame_synced_not_less", "a frame that was durable before it was written") { $0.synced = 3 },
        frame("frame_synced_maximal", "durable up to 2^64 - 1") { $0.synced = .max },
        frame("frame_sequence_gap_unsynced", "a later frame, written when frame 2 was durable") {
            $0.sequence = 4
            $0.synced = 2
        },
        frame("frame_sequence_gap", "a later frame, written when frame 3 was durable", expect: "inconsistent") {
            $0.sequence = 4
        },
        frame("frame_sequence_repeated", "a frame with the number of the one before", expect: "inconsistent") {
            $0.sequence = 2
        },
        frame("frame_sequence_maximal", "frame 2^64 - 1", expect: "inconsistent") { $0.sequence = .max },
    ]

    /// The first 1,000 bytes of a wrong third frame, which has room in the reserve.
    ///
    /// Its head is not plausible, so it does not say how far the frame would go into the reserve.
    private static func cut(
        _ name: String,
        _ comment: String,
        _ edit: (inout SketchFrame) -> Void
    ) -> [Vector] {
        tail(name, "torn tail", withReserve: "damaged tail", comment, vault: { edit(&$0.frames[2]) }) { file in
            file.before(2) + file.frame(2).prefix(1000)
        }
    }

    private static let cutHeads: [[Vector]] = [
        cut("frame_cut_length_not_padded", "the first 1,000 bytes of a frame whose size is not a pad(n)") {
            $0.byteCount = { $0 + 64 }
        },
        cut("frame_cut_sequence_2_43", "the first 1,000 bytes of the frame 2^43, written when frame 2 was durable") {
            ($0.sequence, $0.synced) = (1 << 43, 2)
        },
    ]

    private static let texts: [[Vector]] = [
        frame("frame_padded_too_far", "a frame of the next larger size") { $0.byteCount = { pad($0 + 1) } },
        frame("frame_padding_not_zero", "padding that is not zero") { $0.lastPadding = 1 },
        frame("frame_record_count_too_large", "one record where the count says two") { $0.recordCount = 2 },
        frame("frame_record_count_and_critical", "a critical record of unknown kind where the count says two") {
            $0.records = [.unknown(isCritical: true)]
            $0.recordCount = 2
        },
        frame("frame_record_count_maximal", "one record where the count says 2^32 - 1") {
            $0.recordCount = 0xFFFF_FFFF
        },
        frame("frame_record_count_0", "one record where the count says none") { $0.recordCount = 0 },
        frame("frame_records_size_maximal", "2^32 - 1 bytes of records") {
            $0.recordsByteCount = { _ in 0xFFFF_FFFF }
        },
        frame("frame_records_size_too_large", "records that take 8 bytes of the padding") {
            $0.recordsByteCount = { UInt32($0 + 8) }
        },
        frame("frame_records_size_too_small", "records that are one byte longer than stated") {
            $0.recordsByteCount = { UInt32($0 - 1) }
        },
        frame("frame_record_length_maximal", "a record of 2^32 - 1 bytes") {
            $0.records[0].length = { _ in 0xFFFF_FFFF }
        },
        frame("frame_record_length_too_short", "bytes between two records") {
            $0.records[0].length = { UInt32($0 - 1) }
        },
        frame("frame_record_cut", "seven bytes after the last record, too few for another") {
            $0.records[0].length = { UInt32($0 - 7) }
        },
    ]

    /// A third frame that was made for a different place.
    private static func stranger(
        _ name: String,
        _ comment: String,
        _ make: (VaultSketch) -> [UInt8]
    ) -> [Vector] {
        var stranger: [UInt8] = []
        return tail(name, "damaged tail", comment, vault: { stranger = make($0) }) { file in
            file.before(2) + stranger
        }
    }

    private static let strangers: [[Vector]] = [
        stranger("frame_of_other_generation", "the third frame of another generation of this vault") { vault in
            var vault = vault
            vault.generation = 2
            let file = vault.build()
            return file.frame(2)
        },
        stranger("frame_of_other_vault", "the third frame of another vault") { _ in
            var vault = VaultSketch("another vault")
            for name in ["ann", "bob", "kim"] { vault.append(vault.item(name)) }
            let file = vault.build()
            return file.frame(2)
        },
        stranger("frame_of_other_history", "the third frame after a different second frame") { vault in
            var vault = vault
            vault.frames[1] = SketchFrame([vault.put(vault.item("eve"))])
            let file = vault.build()
            return file.frame(2)
        },
        stranger("frame_body_of_other", "a genuine head with the body of another frame of the same size") { vault in
            let file = vault.build()
            var vault = vault
            vault.frames[2] = SketchFrame([vault.put(longItem(in: vault, "eve"))])
            let other = vault.build()
            return Array(file.frame(2).prefix(96) + other.frame(2).dropFirst(96))
        },
    ]
}
